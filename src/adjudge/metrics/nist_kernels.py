"""The information of matched n-grams, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.metrics.ngram_kernels import find, table_size

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(cache=True)
def number_ngrams(
    words: Numbers, starts: Numbers, order: int, largest: int
) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]:
    """Every n-gram of the references: a table of keys, their numbers, which of them are in use; of
    each position and order the number; of each number its count and that of its beginning."""
    size = table_size(order * len(words) + 1)
    keys, number = np.zeros(size, np.int64), np.zeros(size, np.int64)
    seen = np.full(size, -1, np.int64)
    at_position = np.full((order, len(words)), -1, np.int64)
    count = np.zeros(order * len(words) + 1, np.int64)
    beginning = np.zeros(order * len(words) + 1, np.int64)
    count[0] = len(words)  # the empty n-gram, with which every unigram begins
    numbers = 1
    for n in range(order):
        for segment in range(len(starts) - 1):
            for position in range(starts[segment], starts[segment + 1] - n):
                before = 0 if n == 0 else at_position[n - 1, position]
                key = before * largest + words[position + n]
                place = find(keys, seen, 0, key)
                if seen[place] != 0:
                    seen[place], keys[place], number[place] = 0, key, numbers
                    beginning[numbers] = before
                    numbers += 1
                own = number[place]
                at_position[n, position] = own
                count[own] += 1
    return keys, number, seen, at_position, count[:numbers], beginning[:numbers]


@njit(cache=True, nogil=True)
def matched_information(
    words: Numbers,
    starts: Numbers,
    reference_starts: Numbers,
    references: int,
    order: int,
    largest: int,
    keys: Numbers,
    number: Numbers,
    seen: Numbers,
    at_position: Numbers,
    information: Floats,
) -> Floats:
    """Σ information of the matched n-grams of every segment (segments × order)."""
    segments = len(starts) - 1
    result = np.zeros((segments, order))
    allowed, count = np.zeros(len(information), np.int64), np.zeros(len(information), np.int64)
    longest = 1
    for segment in range(segments):
        longest = max(longest, starts[segment + 1] - starts[segment])
    own = np.zeros(longest, np.int64)
    for segment in range(segments):
        begin, length = starts[segment], starts[segment + 1] - starts[segment]
        first, last = segment * references, (segment + 1) * references
        own[:length] = 0
        for n in range(order):
            for which in range(first, last):
                for position in range(reference_starts[which], reference_starts[which + 1] - n):
                    count[at_position[n, position]] += 1
                for position in range(reference_starts[which], reference_starts[which + 1] - n):
                    gram = at_position[n, position]
                    allowed[gram] = max(allowed[gram], count[gram])
                    count[gram] = 0
            for position in range(length - n):
                if own[position] < 0:
                    continue
                place = find(keys, seen, 0, own[position] * largest + words[begin + position + n])
                own[position] = number[place] if seen[place] == 0 else -1
                if own[position] >= 0 and allowed[own[position]] > 0:
                    allowed[own[position]] -= 1
                    result[segment, n] += information[own[position]]
            for position in range(reference_starts[first], reference_starts[last]):
                if at_position[n, position] >= 0:
                    allowed[at_position[n, position]] = 0
    return result
