"""Support vector regression with an RBF kernel: the baseline of WMT12 to WMT17 (WMT13 §6.4)."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    return make_pipeline(StandardScaler(), SVR(cache_size=500))


LEARNER = Learner(
    "svr",
    "support vector regression, RBF kernel",
    "WMT13 §6.4",
    _estimator,
    # Targets are standardised, so C and ε are in standard deviations of them.
    {
        "svr__C": [0.3, 1.0, 3.0],
        "svr__gamma": [0.003, 0.01, 0.03, 0.1],
        "svr__epsilon": [0.05, 0.2, 0.4],
    },
    rows_to_choose=2_000,
)
