"""Features brought near a normal distribution, for learners that measure distances or add up.

Lengths and counts have long tails, and probabilities of whole texts follow length. Each feature
gets the power transformation under which it is most nearly normal (Yeo and Johnson 2000), then its
mean is 0 and its deviation 1; what lies further out than three deviations is taken to lie there,
so that a translation unlike those of training is not given a wild prediction.
"""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.preprocessing import PowerTransformer

from adjudge.statistics.units import Floats

_FURTHEST = 3.0


class NearNormal(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # has no types
    """What turns features into numbers between −3 and 3."""

    def fit(self, features: Floats, gold: Any = None) -> Self:
        """Find the power of every feature."""
        self.powers_ = PowerTransformer().fit(features)
        return self

    def transform(self, features: Floats) -> Floats:
        """The features of these or other rows, a column each."""
        near = self.powers_.transform(features)
        return np.asarray(np.clip(near, -_FURTHEST, _FURTHEST))
