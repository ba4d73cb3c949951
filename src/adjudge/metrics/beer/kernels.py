"""Compiled kernels for skip bigrams and common prefixes and suffixes."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.metrics.ngrams import find, table_size

Numbers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def skip_bigrams(
    words: Numbers,
    starts: Numbers,
    reference: Numbers,
    reference_starts: Numbers,
    most_between: int,
    largest: int,
) -> Numbers:
    """Count skip bigrams of every segment in the output, in the reference, and in both (segments ×
    3); at most `most_between` words lie between the two.
    """
    segments = len(starts) - 1
    result = np.zeros((segments, 3), np.int64)
    longest = 1
    for segment in range(segments):
        longest = max(longest, reference_starts[segment + 1] - reference_starts[segment])
    reach = min(most_between + 1, longest)
    size = table_size(longest * reach + 1)
    keys, count = np.zeros(size, np.int64), np.zeros(size, np.int64)
    seen = np.full(size, -1, np.int64)
    for segment in range(segments):
        low, high = reference_starts[segment], reference_starts[segment + 1]
        for i in range(low, high):
            for j in range(i + 1, min(high, i + most_between + 2)):
                key = reference[i] * largest + reference[j]
                place = find(keys, seen, segment, key)
                if seen[place] != segment:
                    seen[place], keys[place], count[place] = segment, key, 0
                count[place] += 1
                result[segment, 1] += 1
        low, high = starts[segment], starts[segment + 1]
        for i in range(low, high):
            for j in range(i + 1, min(high, i + most_between + 2)):
                result[segment, 0] += 1
                place = find(keys, seen, segment, words[i] * largest + words[j])
                if seen[place] == segment and count[place] > 0:
                    count[place] -= 1
                    result[segment, 2] += 1
    return result


@njit(cache=True, nogil=True)
def common_ends(
    words: Numbers, starts: Numbers, reference: Numbers, reference_starts: Numbers
) -> Numbers:
    """Number of words in the common prefix and in the common suffix of output and reference."""
    segments = len(starts) - 1
    result = np.zeros((segments, 2), np.int64)
    for segment in range(segments):
        own = words[starts[segment] : starts[segment + 1]]
        other = reference[reference_starts[segment] : reference_starts[segment + 1]]
        shorter = min(len(own), len(other))
        while result[segment, 0] < shorter and own[result[segment, 0]] == other[result[segment, 0]]:
            result[segment, 0] += 1
        while (
            result[segment, 1] < shorter
            and own[len(own) - 1 - result[segment, 1]] == other[len(other) - 1 - result[segment, 1]]
        ):
            result[segment, 1] += 1
    return result
