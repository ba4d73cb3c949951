"""The mean of what three learners predict that err in different ways (WMT13 §6.7).

A support vector machine, extremely randomised trees and boosted trees; nothing is searched for.
With many features cross-validation gave their mean a smaller error than any of them alone, on
effort, HTER and post-editing time.
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.ensemble import (
        ExtraTreesRegressor,
        HistGradientBoostingRegressor,
        VotingRegressor,
    )

    from adjudge.quality.learners.support_vectors import SupportVectors

    trees = ExtraTreesRegressor(
        n_estimators=100, min_samples_leaf=0.002, max_features=0.3, random_state=seed
    )
    boosted = HistGradientBoostingRegressor(
        learning_rate=0.05, max_leaf_nodes=8, l2_regularization=3.0, max_iter=200,
        early_stopping=False, random_state=seed,
    )  # fmt: skip
    return VotingRegressor(
        [
            ("machine", SupportVectors(seed=seed)),
            ("trees", trees),
            ("boosted", boosted),
        ]
    )


LEARNER = Learner(
    "ensemble",
    "mean of a support vector machine and two kinds of trees",
    "WMT13 §6.7",
    _estimator,
)
