"""Random forest on feature differences of two candidates (WMT13 §6.7, CNGL and UPC)."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(n_estimators=300, random_state=seed)


LEARNER = Learner(
    "random-forest",
    "random forest on differences",
    "WMT13 §6.7 (UPC)",
    _estimator,
    {"min_samples_leaf": [5, 20, 60]},
)
