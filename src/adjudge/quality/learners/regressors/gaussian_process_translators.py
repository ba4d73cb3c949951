"""Gaussian process with a component, level and noise per translator (Cohn and Specia 2013).

What all translators have in common is learned from all of them, and each differs from it by a
function of their own. Without translators it is the process with one length scale.
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from adjudge.quality.learners.gaussian_process import GaussianProcess

    return GaussianProcess(seed=seed)


LEARNER = Learner(
    "gaussian-process-translators",
    "Gaussian process with a part for each translator",
    "Cohn and Specia 2013",
    _estimator,
    labels="labels",
)
