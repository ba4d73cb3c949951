"""One step of IBM Model 1, and looking its table up, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.text.resources.cooccurrence import Cooccurrence

Codes = NDArray[np.int32]
Starts = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def model_1_step(met: Cooccurrence, probability: Floats) -> None:
    """One step of EM; the probabilities are replaced.

    count(f, e) = t(f | e) · Σ over meetings of 1 / Σ t(f | e') over the words e' of the sentence
    """
    row_start, row_word = met.row_start, met.row_word
    target, target_start = met.target, met.target_start
    rows = len(row_start) - 1
    total = np.zeros(len(target))
    spread = np.zeros(met.target_vocabulary)
    for row in range(rows):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = probability[entry]
        for at in range(met.occurrence_start[row], met.occurrence_start[row + 1]):
            line = met.sentence[at]
            for token in range(target_start[line], target_start[line + 1]):
                total[token] += spread[target[token]]
    share = np.zeros(len(target))
    for token in range(len(target)):
        if total[token] > 0:
            share[token] = 1 / total[token]
    for row in range(rows):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = 0
        for at in range(met.occurrence_start[row], met.occurrence_start[row + 1]):
            line = met.sentence[at]
            for token in range(target_start[line], target_start[line + 1]):
                spread[target[token]] += share[token]
        expected = 0.0
        for entry in range(row_start[row], row_start[row + 1]):
            probability[entry] *= spread[row_word[entry]]
            expected += probability[entry]
        if expected > 0:
            for entry in range(row_start[row], row_start[row + 1]):
                probability[entry] /= expected


@njit(cache=True, nogil=True)
def look_up(
    start: Starts, word: Codes, probability: Floats, rows: Starts, targets: Starts
) -> Floats:
    """The probability of each pair of a row and a target word; rows are sorted. −1 is unknown."""
    result = np.zeros(len(rows))
    for pair in range(len(rows)):
        if rows[pair] < 0 or targets[pair] < 0:
            continue
        low, high = start[rows[pair]], start[rows[pair] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if word[middle] < targets[pair]:
                low = middle + 1
            else:
                high = middle
        if low < end and word[low] == targets[pair]:
            result[pair] = probability[low]
    return result
