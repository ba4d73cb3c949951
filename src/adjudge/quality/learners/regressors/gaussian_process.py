"""Gaussian process with one length scale for all features (Cohn and Specia 2013).

Its parameters maximise the marginal likelihood, so nothing is chosen by cross-validation.
"""

from typing import Any

from adjudge.quality.learners.learner import Learner


def _estimator(seed: int) -> Any:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    kernel = ConstantKernel(0.5) * RBF(5.0, (0.1, 1e4)) + WhiteKernel(0.5)
    return make_pipeline(StandardScaler(), GaussianProcessRegressor(kernel, random_state=seed))


LEARNER = Learner(
    "gaussian-process",
    "Gaussian process, one length scale",
    "WMT13 §6.7 (SHEF), Cohn and Specia 2013",
    _estimator,
    rows_to_learn=2_500,
)
