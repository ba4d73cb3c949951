"""Order of source words in two translations, from alignments with the source.

An alignment is a line as word aligners write it: `0-0 1-2 2-1`, the number of a source word and of
a target word, from 0. It gives a permutation of the source words: by the first target word each is
aligned with; a word that has none follows the word before it (Birch and Osborne 2011; LAYERED,
Macháček 2014 §4.2.7). Source words after the last that either alignment names are not known.
"""

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter

Order = NDArray[np.int64]  # of every source word, its rank in the target
_LINK = re.compile(r"(\d{1,4})-(\d{1,4})")


def first_targets(line: str) -> dict[int, int]:
    """First target word of every aligned source word."""
    first: dict[int, int] = {}
    for part in line.split():
        link = _LINK.fullmatch(part)
        if link is None:
            raise BadParameter(f"an alignment is a line such as 0-0 1-2, not {line[:60]!r}")
        source, target = int(link[1]), int(link[2])
        first[source] = min(first.get(source, target), target)
    return first


def permutation(first: dict[int, int], size: int) -> Order:
    """Rank of every source word in target order."""
    places, last = np.zeros(size, np.int64), -1
    for word in range(size):
        places[word] = last = first.get(word, last)
    return np.argsort(np.argsort(places, kind="stable"), kind="stable")


def compared(output: str, reference: str, agreement: Callable[[Order, Order], float]) -> float:
    """Agreement of two alignments; 0 if only one of them is empty."""
    own, other = first_targets(output), first_targets(reference)
    if not own or not other:
        return float(not own and not other)
    size = 1 + max(*own, *other)
    return 1.0 if size == 1 else agreement(permutation(own, size), permutation(other, size))


def hamming(own: Order, other: Order) -> float:
    """Share of words in the same position."""
    return float((own == other).mean())


def kendall(own: Order, other: Order) -> float:
    """Compute 1 − √(discordant pairs / all pairs), as Birch and Osborne."""
    upper = np.triu_indices(len(own), 1)
    differ = np.sign(own[upper[0]] - own[upper[1]]) != np.sign(other[upper[0]] - other[upper[1]])
    return float(1 - np.sqrt(differ.mean()))


def spearman(own: Order, other: Order) -> float:
    """Compute 1 − 6 Σ d² / (n (n² − 1))."""
    size = len(own)
    return float(1 - 6 * ((own - other) ** 2).sum() / (size * (size**2 - 1)))


MEASURES = {"hamming": hamming, "ktd": kendall, "spearman": spearman}
