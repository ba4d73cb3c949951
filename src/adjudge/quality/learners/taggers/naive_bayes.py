"""Naive Bayes on a word and its context: complement counts, for classes of unequal size.

The baseline of Task 2 (WMT13 §6.7); Rennie et al. 2003 for the complement. It needs counts, so
numbers are binarised at their mean.
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.naive_bayes import ComplementNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import Binarizer

    return make_pipeline(Binarizer(), ComplementNB())


LEARNER = Learner(
    "naive-bayes",
    "naive Bayes",
    "WMT13 §6.7",
    _estimator,
    {"complementnb__alpha": [0.1, 1.0, 10.0]},
)
