"""Extremely randomised trees (Geurts 2006), as FBK-UEdin's in WMT13 §6.7."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.ensemble import ExtraTreesRegressor

    return ExtraTreesRegressor(n_estimators=300, random_state=seed)


LEARNER = Learner(
    "extra-trees",
    "extremely randomised trees",
    "WMT13 §6.7, Geurts 2006",
    _estimator,
    {"min_samples_leaf": [2, 5, 10, 20], "max_features": [0.3, 1.0]},
    rows_to_choose=5_000,
)
