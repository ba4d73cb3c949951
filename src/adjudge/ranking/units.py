"""The units judgements come in, the things a bootstrap draws.

Every unit but the comparison itself is made of whole rankings, so units are kept per ranking. A
ranking whose judge (document, …) is unknown is a unit of its own.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import get_args

import numpy as np
from scipy.special import stdtrit
from scipy.stats import norm

from adjudge.comparisons.comparisons import Codes, Comparisons
from adjudge.errors import NotEnoughData
from adjudge.ranking.method import Unit


@dataclass(frozen=True, eq=False)
class Units:
    """The unit each ranking belongs to, counted from 0."""

    name: str
    of_ranking: Codes  # only meaningful for rankings that have a comparison
    number: int


def units(comparisons: Comparisons, unit: Unit) -> tuple[Units, ...]:
    """The units named, two where two are joined; refuses what these judgements do not have."""
    return tuple(_one(comparisons, name) for name in unit.split("+"))


def possible(comparisons: Comparisons) -> list[Unit]:
    """The units larger than a comparison that can be drawn from these judgements."""
    found: list[Unit] = []
    for unit in get_args(Unit):
        if unit not in ("none", "comparison"):
            with suppress(NotEnoughData):
                units(comparisons, unit)
                found.append(unit)
    return found


def _one(comparisons: Comparisons, name: str) -> Units:
    ranking = comparisons.ranking
    size = len(comparisons.rankings)
    if name == "ranking":
        codes = np.arange(size, dtype=np.int32)
    else:
        label = getattr(comparisons, name)
        if (label < 0).all():
            raise NotEnoughData(
                f"{comparisons.pair}: no {name} is known; choose another --unit than {name}"
            )
        codes = np.zeros(size, np.int32)
        codes[ranking] = label
        codes = np.where(codes < 0, codes.max() + 1 + np.arange(size, dtype=np.int32), codes)
    judged = np.zeros(size, bool)
    judged[ranking] = True
    present = np.bincount(codes[judged]) > 0
    number = int(present.sum())
    if number < 2:
        raise NotEnoughData(
            f"{comparisons.pair}: only one {name}, and nothing can be learnt from drawing it "
            "again; choose another --unit"
        )
    renumber = np.zeros(int(codes.max()) + 1, np.int32)
    renumber[: len(present)] = np.cumsum(present) - 1
    return Units(name, renumber[codes], number)


def effective_number(comparisons: Comparisons, unit: Unit) -> float:
    """How many units of equal size would say as much: (Σ size)² / Σ size² (Kish).

    Ten judges of whom one made nine tenths of the comparisons are hardly more than one.
    """
    if unit == "none":
        return np.inf
    if unit == "comparison":
        return float(len(comparisons))
    per_ranking = np.bincount(comparisons.ranking, minlength=len(comparisons.rankings))
    numbers = []
    for one in units(comparisons, unit):
        size = np.bincount(one.of_ranking, per_ranking, one.number)
        numbers.append(float(size.sum() ** 2 / (size**2).sum()))
    return min(numbers)


def expanded_tail(level: float, number: float) -> float:
    """The share of replicates to drop at either end of an interval of confidence `level`.

    Percentile intervals from few units are too narrow: their spread is that of n units instead of
    n − 1, and it is itself uncertain. The expanded percentile interval (Hesterberg 2015) drops
    Φ(−√(n/(n−1)) t) instead of (1 − level)/2, t being Student's quantile with n − 1 degrees of
    freedom. With many units the two are the same.
    """
    tail = (1 - level) / 2
    if number > 1e5:
        return tail
    degrees = max(number - 1, 1.0)
    return float(norm.cdf(np.sqrt(number / degrees) * stdtrit(degrees, tail)))
