"""Weighted mean of four learners with different errors (WMT13 §6.7).

A support vector machine, a Gaussian process with a length scale a feature, extremely randomised
trees and boosted trees. Their weights are learned from out-of-fold predictions (stacked
regressions, Breiman 1996): with few features mostly the process, with many the trees.
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.ensemble import (
        ExtraTreesRegressor,
        HistGradientBoostingRegressor,
        VotingRegressor,
    )

    from adjudge.quality.learners.gaussian_process import GaussianProcess
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
            ("svr", SupportVectors(seed=seed)),
            ("gaussian-process-ard", GaussianProcess(ard=True, seed=seed)),
            ("extra-trees", trees),
            ("boosting", boosted),
        ]
    )


LEARNER = Learner(
    "ensemble",
    "weighed mean of a support vector machine, a Gaussian process and two kinds of trees",
    "WMT13 §6.7, Breiman 1996",
    _estimator,
    weighed=True,
)
