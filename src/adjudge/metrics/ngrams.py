"""Counts and clipped matches of n-grams of words or characters.

An n-gram of a segment is numbered: the number of its prefix (one word shorter) and its last word
form a key, and a small open-addressing hash table maps keys to numbers. Keys therefore never grow
with n, and two n-grams have the same number only if they are equal.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.metrics.words import Numbers, Words

Floats = NDArray[np.float64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(31)


@njit(cache=True)
def find(keys: Numbers, seen: Numbers, epoch: int, key: int) -> int:
    """Slot of a key in a hash table, or the free slot where it belongs."""
    mixed = np.uint64(key) * _MIX
    mixed ^= mixed >> _SHIFT
    mask = np.uint64(len(keys) - 1)
    place = np.int64(mixed & mask)
    while seen[place] == epoch and keys[place] != key:
        place = (place + 1) & (len(keys) - 1)
    return int(place)


@njit(cache=True)
def table_size(most: int) -> int:
    """Table size: a power of two at least twice as large as `most`."""
    size = 8
    while size < 2 * most:
        size *= 2
    return size


@njit(cache=True, nogil=True)
def clipped_matches(
    words: Numbers,
    starts: Numbers,
    reference: Numbers,
    reference_starts: Numbers,
    references: int,
    order: int,
    largest: int,
) -> Numbers:
    """Count the n-grams of every segment that also occur in a reference (segments × order).

    Counts are clipped at the maximum over references. References of a segment are interleaved;
    `largest` exceeds every word's number.
    """
    segments = len(starts) - 1
    matches = np.zeros((segments, order), np.int64)
    most_words, most_reference = 1, 1
    for segment in range(segments):
        most_words = max(most_words, starts[segment + 1] - starts[segment])
        first, last = segment * references, (segment + 1) * references
        most_reference = max(most_reference, reference_starts[last] - reference_starts[first])
    size = table_size(most_reference)
    keys, number = np.zeros(size, np.int64), np.zeros(size, np.int64)
    seen = np.full(size, -1, np.int64)
    of_word, of_reference = np.zeros(most_words, np.int64), np.zeros(most_reference, np.int64)
    count, allowed = np.zeros(most_reference, np.int64), np.zeros(most_reference, np.int64)
    epoch = 0
    for segment in range(segments):
        begin, length = starts[segment], starts[segment + 1] - starts[segment]
        first = segment * references
        base = reference_starts[first]
        of_word[:length] = 0
        of_reference[: reference_starts[first + references] - base] = 0
        for n in range(order):
            epoch += 1
            numbers = 0
            for which in range(first, first + references):
                low, high = reference_starts[which], reference_starts[which + 1] - n
                for position in range(low, high):
                    key = of_reference[position - base] * largest + reference[position + n]
                    place = find(keys, seen, epoch, key)
                    if seen[place] != epoch:
                        seen[place], keys[place], number[place] = epoch, key, numbers
                        count[numbers] = allowed[numbers] = 0
                        numbers += 1
                    own = number[place]
                    of_reference[position - base] = own
                    count[own] += 1
                for position in range(low, high):
                    own = of_reference[position - base]
                    allowed[own] = max(allowed[own], count[own])
                    count[own] = 0
            for position in range(length - n):
                if of_word[position] < 0:
                    continue
                key = of_word[position] * largest + words[begin + position + n]
                place = find(keys, seen, epoch, key)
                if seen[place] != epoch:
                    of_word[position] = -1
                    continue
                of_word[position] = number[place]
                if allowed[number[place]] > 0:
                    allowed[number[place]] -= 1
                    matches[segment, n] += 1
    return matches


def matches(system: Words, reference: Words, references: int, order: int) -> Numbers:
    """Clipped matches for n = 1 … `order` (segments × order); references as in `interleaved`."""
    largest = 1 + max(int(system.numbers.max(initial=0)), int(reference.numbers.max(initial=0)))
    return np.asarray(
        clipped_matches(
            system.numbers,
            system.starts,
            reference.numbers,
            reference.starts,
            references,
            order,
            largest,
        )
    )


def numbers_of(lengths: Numbers, order: int) -> Numbers:
    """Number of n-grams in lines of these lengths (lines × order)."""
    return np.asarray(np.maximum(lengths[:, None] - np.arange(order), 0))


def closest_length(system: Words, references: list[Words]) -> Numbers:
    """Length of the closest reference; of two, the shorter."""
    lengths = np.sort(np.stack([words.lengths for words in references]), axis=0)
    nearest = np.abs(lengths - system.lengths).argmin(axis=0)  # the first of several
    return np.asarray(np.take_along_axis(lengths, nearest[None], axis=0)[0])
