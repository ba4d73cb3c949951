"""Errors of predicted numbers (WMT13 §6.6).

    MAE = Σ |H(s) − V(s)| / |S|,    RMSE = √(Σ (H(s) − V(s))² / |S|)

RMSE counts large errors more. Lower is better.
"""

import numpy as np

from adjudge.stats.resampling import Floats


def mean_absolute_error(weights: Floats, gold: Floats, predicted: Floats) -> Floats:
    """MAE of every submission (submissions × observations) in every replicate."""
    errors = weights @ np.abs(predicted - gold).T
    return np.asarray(errors / weights.sum(axis=1, keepdims=True))


def root_mean_squared_error(weights: Floats, gold: Floats, predicted: Floats) -> Floats:
    """RMSE of every submission in every replicate."""
    squares = weights @ ((predicted - gold) ** 2).T
    return np.asarray(np.sqrt(squares / weights.sum(axis=1, keepdims=True)))
