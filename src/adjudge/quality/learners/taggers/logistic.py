"""Logistic regression on a word and its context (WMT13 §6.7, LIG)."""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(max_iter=1000, tol=3e-4)


LEARNER = Learner(
    "logistic",
    "logistic regression",
    "WMT13 §6.7",
    _estimator,
    {"C": [0.03, 0.1, 0.3]},
    rows_to_choose=60_000,
)
