"""Calibration of word probabilities on other documents.

    q = softmax(A · log p + b)

(Kull et al. 2019; of two classes it is Platt's). A and b are learned from words with out-of-fold
probabilities p.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from adjudge.stats.resampling import Floats

LEAST = 1e-6  # no chance is taken for smaller


@dataclass(frozen=True, eq=False)
class Calibration:
    """Calibration parameters A and b."""

    weights: Floats  # class × class
    bias: Floats

    def __call__(self, chance: Floats) -> Floats:
        """Calibrated probabilities, one row per word."""
        return np.asarray(softmax(_logs(chance) @ self.weights.T + self.bias, axis=1))


def calibration_of(chance: Floats, gold: NDArray[np.integer]) -> Calibration:
    """Fit a calibration to words; a class without words keeps a probability near 0."""
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
