"""Logistic regression on differences of features: the pairwise decomposition of DFKI.

P(a better than b) = 1 / (1 + exp(−w·(x_a − x_b))): no intercept, since exchanging a and b must
reverse the answer (WMT13 §6.7, Avramidis and Popović 2013).
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    scaled = StandardScaler(with_mean=False)
    return make_pipeline(scaled, LogisticRegression(fit_intercept=False, max_iter=2_000))


LEARNER = Learner(
    "logistic",
    "logistic regression on differences",
    "WMT13 §6.7 (DFKI)",
    _estimator,
    {"logisticregression__C": [0.0003, 0.001, 0.003, 0.01, 0.1, 1.0]},
)
