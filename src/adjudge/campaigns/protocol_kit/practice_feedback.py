"""Agreement of practice answers with ours in substance."""

from collections.abc import Iterable, Sequence
from itertools import combinations


def none_reversed(ours: Sequence[float], given: Sequence[float]) -> bool:
    """Test that no pair of outputs is reversed; ties contradict nothing."""
    return all(
        (ours[a] - ours[b]) * (given[a] - given[b]) >= 0
        for a, b in combinations(range(len(ours)), 2)
    )


def all_close(ours: Sequence[float], given: Sequence[float], margin: float) -> bool:
    """Test that every score is close to ours."""
    return all(abs(a - b) <= margin for a, b in zip(ours, given, strict=True))


def pattern_of(lists: Iterable[Sequence[float]]) -> object:
    """Pattern of ranks or points independent of the texts: constant, in display order, reversed."""
    given = [list(values) for values in lists]
    if all(len(set(values)) <= 1 for values in given):
        return "all alike"
    if all(values == sorted(set(values)) for values in given):
        return "in the order shown"
    if all(values == sorted(set(values), reverse=True) for values in given):
        return "in reverse order"
    return given
