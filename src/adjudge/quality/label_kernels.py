"""Compiled alignment of translations with their post-edits."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

KEEP, SUBSTITUTE, DELETE = 0, 1, 2


@njit(cache=True, nogil=True)
def edit_labels(
    words: NDArray[np.int32],
    start: NDArray[np.int64],
    edited: NDArray[np.int32],
    edited_start: NDArray[np.int64],
) -> NDArray[np.int8]:
    """Label every word of all sentences: kept, substituted or deleted.

    The path of fewest edits is traced back from the end. Ties prefer keeping or substitution, then
    deletion, then insertion.
    """
    labels = np.empty(len(words), np.int8)
    for sentence in range(len(start) - 1):
        own = words[start[sentence] : start[sentence + 1]]
        other = edited[edited_start[sentence] : edited_start[sentence + 1]]
        cost = np.empty((len(own) + 1, len(other) + 1), np.int32)
        for i in range(len(own) + 1):
            cost[i, 0] = i
        for j in range(len(other) + 1):
            cost[0, j] = j
        for i in range(1, len(own) + 1):
            for j in range(1, len(other) + 1):
                change = 0 if own[i - 1] == other[j - 1] else 1
                cost[i, j] = min(
                    cost[i - 1, j - 1] + change, cost[i - 1, j] + 1, cost[i, j - 1] + 1
                )
        i, j = len(own), len(other)
        while i > 0:
            change = 0 if j > 0 and own[i - 1] == other[j - 1] else 1
            if j > 0 and cost[i, j] == cost[i - 1, j - 1] + change:
                labels[start[sentence] + i - 1] = KEEP if change == 0 else SUBSTITUTE
                i, j = i - 1, j - 1
            elif cost[i, j] == cost[i - 1, j] + 1:
                labels[start[sentence] + i - 1] = DELETE
                i -= 1
            else:
                j -= 1
    return labels
