"""Edit costs of word sequences, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@njit(cache=True)
def word_edits(words: Numbers, reference: Numbers, row: Numbers) -> int:
    """Levenshtein's distance: insertions, deletions and substitutions, one each."""
    size = len(reference)
    for j in range(size + 1):
        row[j] = j
    for i in range(len(words)):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(1, size + 1):
            best = diagonal + (0 if words[i] == reference[j - 1] else 1)
            diagonal = row[j]
            row[j] = min(best, diagonal + 1, row[j - 1] + 1)
    return int(row[size])


@njit(cache=True)
def jump_edits(words: Numbers, reference: Numbers, row: Numbers) -> int:
    """Leusch's cost with long jumps: after every reference word, the path may go on anywhere in
    the output for a cost of one; it ends at the output's end."""
    length = len(words)
    row[0] = 0
    row[1 : length + 1] = 1
    for j in range(len(reference)):
        diagonal = row[0]
        row[0] += 1
        smallest = row[0]
        for i in range(1, length + 1):
            best = diagonal + (0 if words[i - 1] == reference[j] else 1)
            diagonal = row[i]
            row[i] = min(best, diagonal + 1, row[i - 1] + 1)
            smallest = min(smallest, row[i])
        for i in range(length + 1):
            row[i] = min(row[i], smallest + 1)
    return int(row[length])


@njit(cache=True, nogil=True)
def costs(
    words: Numbers, starts: Numbers, reference: Numbers, reference_starts: Numbers, jumps: bool
) -> Numbers:
    """The cost of every segment, with long jumps or without."""
    result = np.empty(len(starts) - 1, np.int64)
    longest = 1
    for segment in range(len(result)):
        longest = max(longest, starts[segment + 1] - starts[segment])
        longest = max(longest, reference_starts[segment + 1] - reference_starts[segment])
    row = np.empty(longest + 1, np.int64)
    for segment in range(len(result)):
        own = words[starts[segment] : starts[segment + 1]]
        other = reference[reference_starts[segment] : reference_starts[segment + 1]]
        result[segment] = jump_edits(own, other, row) if jumps else word_edits(own, other, row)
    return result
