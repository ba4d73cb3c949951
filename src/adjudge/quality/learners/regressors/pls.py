"""Partial least squares regression, used by DCU and FBK-UEdin in WMT12 and WMT13."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.cross_decomposition import PLSRegression

    return PLSRegression(scale=True)


LEARNER = Learner(
    "pls",
    "partial least squares",
    "WMT13 §6.7",
    _estimator,
    {"n_components": [1, 2, 3, 5, 8]},
)
