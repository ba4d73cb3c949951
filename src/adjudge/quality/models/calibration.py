"""Chances made true: what a model says of words, corrected by how often it was right on others.

    q = softmax(A · log p + b)

(Kull et al. 2019; of two classes it is Platt's). A and b are learned from words whose chances p
came from models that saw nothing of their document.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from adjudge.stats.resampling import Floats

LEAST = 1e-6  # no chance is taken for smaller


@dataclass(frozen=True, eq=False)
class Calibration:
    """A and b."""

    weights: Floats  # class × class
    bias: Floats

    def __call__(self, chance: Floats) -> Floats:
        """Corrected chances, a row a word."""
        return np.asarray(softmax(_logs(chance) @ self.weights.T + self.bias, axis=1))


def calibration_of(chance: Floats, gold: NDArray[np.integer]) -> Calibration:
    """Learned from words; a class that no word has keeps the chance 0, or nearly."""
    from sklearn.linear_model import LogisticRegression

    classes = chance.shape[1]
    seen = np.unique(gold)
    weights, bias = np.zeros((classes, classes)), np.full(classes, np.log(LEAST))
    if len(seen) == 1:
        bias[seen] = 0.0
        return Calibration(weights, bias)
    learned = LogisticRegression(C=np.inf, max_iter=1000).fit(_logs(chance), gold)
    if len(seen) == 2:  # scikit-learn has the second class's odds
        weights[seen[1]], bias[seen] = learned.coef_[0], (0.0, learned.intercept_[0])
    else:
        weights[seen], bias[seen] = learned.coef_, learned.intercept_
    return Calibration(weights, bias)


def _logs(chance: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(chance, LEAST)))
