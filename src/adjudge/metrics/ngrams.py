"""Matches and numbers of n-grams as arrays, from words or characters."""

import numpy as np

from adjudge.metrics.ngram_kernels import clipped_matches
from adjudge.metrics.words import Numbers, Words


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
