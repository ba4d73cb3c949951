"""Gaussian process with one length scale for all features (Cohn and Specia 2013).

Its parameters maximise the marginal likelihood, so there is no cross-validation.
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from adjudge.quality.learners.gaussian_process import GaussianProcess

    return GaussianProcess(seed=seed)


LEARNER = Learner(
    "gaussian-process",
    "Gaussian process, one length scale",
    "WMT13 §6.7 (SHEF), Cohn and Specia 2013",
    _estimator,
)
