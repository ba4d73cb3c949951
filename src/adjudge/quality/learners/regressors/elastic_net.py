"""Linear regression with feature selection: elastic net (Zou and Hastie 2005)."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.linear_model import ElasticNet
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), ElasticNet(max_iter=20_000))


LEARNER = Learner(
    "elastic-net",
    "linear, few features",
    "Zou and Hastie 2005",
    _estimator,
    {"elasticnet__alpha": [0.001, 0.01, 0.03, 0.1], "elasticnet__l1_ratio": [0.1, 0.5, 0.9]},
)
