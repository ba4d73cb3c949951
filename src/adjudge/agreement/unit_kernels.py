"""Compiled: what units of labels add up to where judges are drawn, for many replicates at once."""

import numba
import numpy as np
from numpy.typing import NDArray


@numba.njit(cache=True, nogil=True)
def drawn_unit_sums(
    starts: NDArray[np.int64],
    judge: NDArray[np.int64],
    label: NDArray[np.int64],
    places: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums over units, and how often each label was used (labels × replicates).

    Labels are sorted by unit (`starts` has one entry more than there are units) and label;
    `places` (levels × labels) says where labels lie, `weights` (judges × replicates) how often
    judges are drawn. A judge drawn twice is never compared with itself. The sums (rows ×
    replicates) are Fleiss's P_i, the number of units with something to compare, and D_o: nominal,
    then of every level (`unit_coefficients`).
    """
    levels, k = places.shape
    replicates = weights.shape[1]
    sums = np.zeros((3 + levels, replicates))
    used = np.zeros((k, replicates))
    n, same, squares, cell, counts = np.zeros((5, replicates))
    first = np.zeros((levels, replicates))  # Σ w·v
    second = np.zeros((levels, replicates))  # Σ w·v²
    for unit in range(len(starts) - 1):
        n[:], same[:], squares[:], cell[:] = 0.0, 0.0, 0.0, 0.0
        first[:], second[:] = 0.0, 0.0
        for i in range(starts[unit], starts[unit + 1]):
            weight = weights[judge[i]]
            if i > starts[unit] and label[i] != label[i - 1]:
                squares += cell * cell
                cell[:] = 0.0
            for r in range(replicates):
                n[r] += weight[r]
                same[r] += weight[r] * weight[r]
                cell[r] += weight[r]
            for level in range(levels):
                place = places[level, label[i]]
                for r in range(replicates):
                    first[level, r] += weight[r] * place
                    second[level, r] += weight[r] * place * place
        squares += cell * cell
        for r in range(replicates):
            pairs = n[r] * n[r] - same[r]
            counts[r] = 1.0 if pairs > 0 else 0.0
            each = n[r] / pairs if pairs > 0 else 0.0
            sums[0, r] += (squares[r] - same[r]) / pairs if pairs > 0 else 0.0
            sums[1, r] += counts[r]
            sums[2, r] += (n[r] * n[r] - squares[r]) * each
            for level in range(levels):
                apart = n[r] * second[level, r] - first[level, r] * first[level, r]
                sums[3 + level, r] += 2 * apart * each
        for i in range(starts[unit], starts[unit + 1]):
            weight, label_used = weights[judge[i]], used[label[i]]
            for r in range(replicates):
                label_used[r] += weight[r] * counts[r]
    return sums, used


@numba.njit(cache=True, nogil=True)
def drawn_line_sums(
    starts: NDArray[np.int64],
    judge: NDArray[np.int64],
    place: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The same of one level alone: D_o, n, Σv and Σv² over units (4 × replicates).

    `place` is where each label (not each category) lies; the rest as in `drawn_unit_sums`.
    """
    replicates = weights.shape[1]
    sums = np.zeros((4, replicates))
    n, same, first, second = np.zeros((4, replicates))
    for unit in range(len(starts) - 1):
        n[:], same[:], first[:], second[:] = 0.0, 0.0, 0.0, 0.0
        for i in range(starts[unit], starts[unit + 1]):
            weight, v = weights[judge[i]], place[i]
            for r in range(replicates):
                w = weight[r]
                n[r] += w
                same[r] += w * w
                first[r] += w * v
                second[r] += w * v * v
        for r in range(replicates):
            pairs = n[r] * n[r] - same[r]
            if pairs > 0:
                apart = n[r] * second[r] - first[r] * first[r]
                sums[0, r] += 2 * apart * n[r] / pairs
                sums[1, r] += n[r]
                sums[2, r] += first[r]
                sums[3, r] += second[r]
    return sums
