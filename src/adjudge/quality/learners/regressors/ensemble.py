"""The mean of what a support vector machine and extremely randomised trees predict."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.ensemble import ExtraTreesRegressor, VotingRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    machine = make_pipeline(StandardScaler(), SVR(cache_size=500, epsilon=0.2))
    trees = ExtraTreesRegressor(n_estimators=300, random_state=seed, min_samples_leaf=3)
    return VotingRegressor([("svr", machine), ("trees", trees)])


LEARNER = Learner(
    "ensemble",
    "mean of svr and extra-trees",
    "WMT13 §6.7",
    _estimator,
    {"svr__svr__C": [0.3, 1.0, 3.0], "svr__svr__gamma": [0.003, 0.01, 0.03]},
    rows_to_choose=2_000,
)
