"""When a practice answer agrees with ours: not to the letter, but in what matters."""

from collections.abc import Iterable, Sequence
from itertools import combinations


def none_reversed(ours: Sequence[float], given: Sequence[float]) -> bool:
    """Is no output above another that we put above it? A tie contradicts nobody."""
    return all(
        (ours[a] - ours[b]) * (given[a] - given[b]) >= 0
        for a, b in combinations(range(len(ours)), 2)
    )


def all_close(ours: Sequence[float], given: Sequence[float], margin: float) -> bool:
    """Is every score close to ours?"""
    return all(abs(a - b) <= margin for a, b in zip(ours, given, strict=True))


def pattern_of(lists: Iterable[Sequence[float]]) -> object:
    """What ranks or points say whatever the texts are: all alike, in the order shown, reversed."""
    given = [list(values) for values in lists]
    if all(len(set(values)) <= 1 for values in given):
        return "all alike"
    if all(values == sorted(set(values)) for values in given):
        return "in the order shown"
    if all(values == sorted(set(values), reverse=True) for values in given):
        return "in reverse order"
    return given
