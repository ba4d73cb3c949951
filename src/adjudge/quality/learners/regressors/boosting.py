"""Gradient boosting of small trees on binned features (Friedman 2001; Ke et al. 2017)."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(
        learning_rate=0.05, max_leaf_nodes=8, l2_regularization=3.0, early_stopping=False,
        random_state=seed,
    )  # fmt: skip


LEARNER = Learner(
    "boosting",
    "gradient boosting of small trees",
    "Friedman 2001",
    _estimator,
    {"max_iter": [100, 200, 400], "min_samples_leaf": [20, 60]},
)
