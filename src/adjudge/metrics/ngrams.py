"""Matches and numbers of n-grams, counted from words or characters.

Counting n-grams, compiled.

An n-gram of a segment has a number: that of the n-gram's beginning (one word shorter) and its last
word make a key, and a small table with open addresses turns keys into numbers. So keys never grow
with n, and two n-grams have the same number only if they are the same.

Matches and numbers of n-grams as arrays, from words or characters.
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
    """The place of a key in a table, or the free one where it belongs."""
    mixed = np.uint64(key) * _MIX
    mixed ^= mixed >> _SHIFT
    mask = np.uint64(len(keys) - 1)
    place = np.int64(mixed & mask)
    while seen[place] == epoch and keys[place] != key:
        place = (place + 1) & (len(keys) - 1)
    return int(place)


@njit(cache=True)
def table_size(most: int) -> int:
    """A power of two at least twice as large."""
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
    """How many n-grams of every segment are in a reference too (segments × order).

    An n-gram counts at most as often as the reference has it in which it is most frequent.
    References of a segment follow each other; `largest` is above every word's number.
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
    """Clipped matches of n = 1 … `order` (segments × order); references as `interleaved`."""
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
    """How many n-grams lines of so many words have (lines × order)."""
    return np.asarray(np.maximum(lengths[:, None] - np.arange(order), 0))


def closest_length(system: Words, references: list[Words]) -> Numbers:
    """The length of the reference that is closest in length; of two, the shorter."""
    lengths = np.sort(np.stack([words.lengths for words in references]), axis=0)
    nearest = np.abs(lengths - system.lengths).argmin(axis=0)  # the first of several
    return np.asarray(np.take_along_axis(lengths, nearest[None], axis=0)[0])
