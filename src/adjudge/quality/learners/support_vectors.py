"""Support vector regression with kernel width set by the number of features.

    k(x, x′) = exp(−γ ‖x − x′‖²),   γ = 1 / (6 d)  of d standardised features

Cross-validation on WMT12 chose γ of about 0.01 for 17 features and of 0.001 for 180, in agreement
with this.
"""

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from adjudge.stats.resampling import Floats


class SupportVectors(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # has no types
    """Support vector regression without parameter search, on at most `most` random rows, since time
    grows with their square.
    """

    def __init__(
        self, *, C: float = 1.0, epsilon: float = 0.3, most: int = 5_000, seed: int = 1
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.most = most
        self.seed = seed

    def fit(self, features: Floats, gold: Floats) -> Self:
        """Scale the features, and fit."""
        some = np.sort(np.random.default_rng(self.seed).permutation(len(gold))[: self.most])
        scaler, machine = self.new_members()
        self.scaler_ = scaler.fit(features[some])
        machine.set_params(gamma=1 / (6 * max(features.shape[1], 1)))
        self.machine_ = machine.fit(self.scaler_.transform(features[some]), gold[some])
        return self

    def new_members(self) -> tuple[StandardScaler, SVR]:
        """Unfitted components."""
        return StandardScaler(), SVR(C=self.C, epsilon=self.epsilon, cache_size=500)

    def predict(self, features: Floats) -> Floats:
        """Predict other rows."""
        return np.asarray(self.machine_.predict(self.scaler_.transform(features)))
