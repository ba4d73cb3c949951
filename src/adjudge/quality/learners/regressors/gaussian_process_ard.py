"""Gaussian process with a length scale for every feature, and selection by it (SHEF, WMT13 §6.7).

The features with the shortest length scales are the relevant ones; how many stay (0: all) is chosen
by cross-validation.
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from adjudge.quality.learners.gaussian_process import GaussianProcess

    return GaussianProcess(ard=True, seed=seed)


LEARNER = Learner(
    "gaussian-process-ard",
    "Gaussian process, features selected by length scale",
    "WMT13 §6.7 (SHEF), Shah et al. 2013",
    _estimator,
    {"keep": [0, 10]},
    rows_to_choose=1_000,
)
