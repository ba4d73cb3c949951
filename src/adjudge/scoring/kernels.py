"""Compiled: means of cells where units that share segments are drawn, many replicates at once."""

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)
def add_drawn_means(
    starts: NDArray[np.int64],
    system: NDArray[np.int32],
    unit: NDArray[np.int32],
    value: NDArray[np.float64],
    weights: NDArray[np.float32],
    sums: NDArray[np.float64],
) -> None:
    """Add the means of cells, and how many cells have one, to `sums` (systems × 2 × replicates).

    Scores are sorted by their cell (`starts` has one entry more than there are cells); `system` is
    of every cell, `unit` of every score, `weights` (units × replicates) how often units are drawn.
    """
    replicates = weights.shape[1]
    total, times = np.zeros(replicates), np.zeros(replicates)
    for cell in range(len(starts) - 1):
        total[:], times[:] = 0.0, 0.0
        for i in range(starts[cell], starts[cell + 1]):
            weight, v = weights[unit[i]], value[i]
            for r in range(replicates):
                w = np.float64(weight[r])
                total[r] += w * v
                times[r] += w
        mean, number = sums[system[cell], 0], sums[system[cell], 1]
        for r in range(replicates):
            drawn = times[r] > 0
            mean[r] += total[r] / (times[r] if drawn else 1.0)
            number[r] += 1.0 if drawn else 0.0
