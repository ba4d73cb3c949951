"""Calibration of predicted probabilities (Brier 1950; Naeini et al. 2015).

    Brier score = mean of (p − y)²,   calibration error = Σ_b n_b / n · |mean p_b − mean y_b|

where p is the predicted probability, y is 1 if the event happened, and b are ten bins of p of equal
width. The Brier score rewards information; the calibration error is 0 if three in ten events with
probability 30 % happen, however informative the predictions are.
"""

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.resampling import Floats

BINS = 10


def in_bins(chance: Floats, happened: NDArray[np.bool_]) -> Floats:
    """Indicators per observation and bin: 1, probability, outcome, squared error (obs. × bins × 4).

    `brier` and `calibration_error` take sums over observations.
    """
    cells = np.zeros((len(chance), BINS, 4))
    place = np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    values = np.stack([np.ones(len(chance)), chance, happened, (chance - happened) ** 2], axis=1)
    cells[np.arange(len(chance)), place] = values
    return cells


def brier(cells: Floats) -> Floats:
    """Brier score from sums (…, bins, 4) over observations."""
    return np.asarray(cells[..., 3].sum(axis=-1) / cells[..., 0].sum(axis=-1))


def calibration_error(cells: Floats) -> Floats:
    """Calibration error from sums (…, bins, 4) over observations."""
    off = np.abs(cells[..., 1] - cells[..., 2]).sum(axis=-1)
    return np.asarray(off / cells[..., 0].sum(axis=-1))


def reliability(cells: Floats) -> Floats:
    """Number of observations, mean probability, and share of outcomes (NaN if empty) per bin."""
    number = cells[..., 0]
    with np.errstate(invalid="ignore"):
        return np.stack([number, cells[..., 1] / number, cells[..., 2] / number], axis=-1)
