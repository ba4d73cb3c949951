"""Tests and confidence intervals in closed form.

Intervals of a ratio, a share and a correlation.

Tests of two candidates, and clusters based on them.

The exact sign test asks how likely a split of paired decisions at least as uneven would be if
either side were as likely to win: p = 2 · P(X ≤ min(wins)), X binomial with probability 1/2, at
most 1. Wilcoxon's rank-sum test (the same as Mann and Whitney's U) asks whether one sample tends
to be higher than another, the two being independent.

Many tests at once: adjusted p-values, and how many significant ones are expected to be false.

Of many tests some come out by chance alone. p is adjusted over all of them: to control the false
discovery rate (Benjamini and Hochberg 1995), or the chance of any false one (Holm 1979).

The one rule for intervals: from an estimate and its replicates to a low and a high end.

Percentile intervals from few units are too narrow: their spread is that of n units instead of
n − 1, and it is itself uncertain. The expanded percentile interval (Hesterberg 2015) leaves out
Φ(−√(n/(n−1)) t) of the replicates at either end instead of (1 − level)/2, t being Student's
quantile with n − 1 degrees of freedom. With many units the two are the same. n is the effective
number of units (`units.effective_number`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, betainc, ndtr, ndtri, stdtrit

from adjudge.core.errors import NotEnoughData, one_of
from adjudge.core.options import Correction as Correction
from adjudge.core.options import choices
from adjudge.stats.resampling import Floats

FEWEST = 4  # points of a correlation

_Z95 = float(ndtri(0.975))


@dataclass(frozen=True)
class Interval:
    """Estimate with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Test whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


def correlation(x: Floats, y: Floats, called: str) -> Interval:
    """Pearson's r of `x`, named `called`, with the scores `y`.

    Fisher's z interval: tanh(artanh r ± 1.96 / √(n − 3)).
    """
    if len(x) < FEWEST:
        raise NotEnoughData(f"a correlation over {len(x)} points says nothing; it takes {FEWEST}")
    if np.ptp(x) < 1e-12:
        raise NotEnoughData(f"{called} is the same throughout, so nothing can go with it")
    if np.ptp(y) < 1e-12:
        raise NotEnoughData("all scores are the same, so nothing can go with them")
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    if abs(r) > 1 - 1e-12:  # the points lie on a line, and Fisher's z is infinite
        return Interval(r, r, r)
    reach = _Z95 / np.sqrt(len(x) - 3)
    return Interval(r, *(float(np.tanh(np.arctanh(r) + side * reach)) for side in (-1, 1)))


def ratio(part: Floats, whole: Floats) -> Interval:
    """Σ part / Σ whole over independent clusters (blocks, sessions), linearised variance.

    Student's t with the degrees of freedom of as many equal clusters as would weigh as much,
    (Σ whole)² / Σ whole² − 1, since a few large clusters know little of their own spread.
    """
    total = float(whole.sum())
    if not total:
        raise NotEnoughData("nothing to count")
    clusters = total**2 / float((whole**2).sum())
    if clusters < 2:
        raise NotEnoughData("too few independent cases to know how sure the number is")
    value = float(part.sum()) / total
    error = float(np.sqrt(((part - value * whole) ** 2).sum() * clusters / (clusters - 1))) / total
    reach = float(stdtrit(clusters - 1, 0.975)) * error
    return Interval(value, value - reach, value + reach)


def share(part: Floats, whole: Floats) -> Interval:
    """Ratio that is a share, with limits between 0 and 1."""
    interval = ratio(part, whole)
    return Interval(interval.value, max(interval.low, 0.0), min(interval.high, 1.0))


SIGNIFICANT = 0.05


def sign_test(wins: NDArray[np.int64], losses: NDArray[np.int64]) -> Floats:
    """Exact two-sided p-value of the sign test; 1 without decisions."""
    return np.asarray(np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses), wins + losses, 0.5)))


def at_least(hits: ArrayLike, number: ArrayLike, chance: ArrayLike) -> Floats:
    """Binomial tail P(X ≥ hits) as the incomplete beta function I_chance(hits, number − hits + 1).

    It is 1 for no hits.
    """
    k, n = (np.asarray(count, np.float64) for count in (hits, number))
    return np.where(k > 0, betainc(np.maximum(k, 1), np.maximum(n - k, 0) + 1, chance), 1.0)


def rank_sum_tests(
    samples: Sequence[Floats], times: Sequence[NDArray[np.integer]] | None = None
) -> Floats:
    """One-sided p-values `p[i, j]` for i being higher than j (Wilcoxon's rank-sum test).

    U counts the pairs of values of which that of i is higher, half where they are equal. It is
    about normal with mean mn/2 and variance mn/12 · (N + 1 − Σ(t³ − t) / (N(N − 1))), N = m + n and
    t values being tied; half a pair is taken off for continuity (Mann and Whitney 1947). `times`
    gives the multiplicity of each value (default 1).
    """
    p = np.ones((len(samples), len(samples)))
    ordered = [
        _ordered(sample, None if times is None else times[k]) for k, sample in enumerate(samples)
    ]
    for i, j in combinations(range(len(samples)), 2):
        (one, of_one), (other, of_other) = ordered[i], ordered[j]
        first, second = float(of_one.sum()), float(of_other.sum())
        pairs, number = first * second, first + second
        before = np.append(0.0, np.cumsum(of_other))
        below = before[np.searchsorted(other, one, "left")]
        below += before[np.searchsorted(other, one, "right")]
        u = (of_one * below).sum() / 2
        every, again = _ordered(np.concatenate([one, other]), np.concatenate([of_one, of_other]))
        starts = np.flatnonzero(np.diff(every, prepend=-np.inf))
        tied = np.add.reduceat(again, starts) if len(starts) else again
        lost = (tied**3 - tied).sum() / (number * (number - 1))
        deviation = np.sqrt(pairs / 12 * (number + 1 - lost))
        if deviation > 0:
            p[i, j] = ndtr(-(u - pairs / 2 - 0.5) / deviation)
            p[j, i] = ndtr(-(pairs / 2 - u - 0.5) / deviation)
    return p


def _ordered(values: Floats, times: NDArray[Any] | None) -> tuple[Floats, Floats]:
    """Sorted values and their multiplicities."""
    if times is None:
        return np.sort(values), np.ones(len(values))
    order = np.argsort(values)
    return values[order], times[order].astype(np.float64)


def significance_clusters(p: Floats, level: float = SIGNIFICANT) -> NDArray[np.int64]:
    """Cluster numbers, from 1, of candidates in score order.

    A cluster ends where every candidate above is significantly better than every one below.
    """
    better = p < level
    ends = [better[: k + 1, k + 1 :].all() for k in range(len(p) - 1)]
    return np.concatenate([[1], 1 + np.cumsum(ends, dtype=np.int64)])


CORRECTIONS = choices(Correction)


def adjusted(p: Floats, correction: Correction) -> Floats:
    """Adjust p-values for multiple testing."""
    match one_of(correction, CORRECTIONS, "correction"):
        case "bh":
            order = np.argsort(p)[::-1]
            steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
        case "holm":
            order = np.argsort(p)
            steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
        case _:
            return p
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def share_without_difference(p: Floats) -> float:
    """Storey's π₀: estimated share of true null hypotheses.

    Under the null hypothesis, p exceeds 1/2 half of the time: π₀ = (1 + #{p > 1/2}) / (m / 2), at
    most 1 (Storey 2002).
    """
    return float(min(1.0, (1 + (p > 0.5).sum()) / (0.5 * len(p))))


def expected_false(p: Floats, level: float) -> float:
    """Expected number of false positives at `level`: π₀ · level · m."""
    false = level * share_without_difference(p) * len(p)
    return float(min(false, (p <= level).sum()))


Ends = tuple[float | None, float | None]

ENOUGH = 0.95  # of the replicates must have a value
MANY = 1e5  # units, from which on nothing is widened


def expanded_tail(level: float, number: ArrayLike) -> Floats:
    """Share of replicates to leave out at either end."""
    tail = (1 - level) / 2
    units = np.asarray(number, np.float64)
    degrees = np.clip(units - 1, 1.0, MANY)
    few = ndtr(np.sqrt(np.clip(units, 1.0, MANY) / degrees) * stdtrit(degrees, tail))
    return np.where(units > MANY, tail, few)


def student(level: float, number: ArrayLike) -> Floats:
    """Student's quantile for an interval from `number` units."""
    degrees = np.clip(np.asarray(number, np.float64) - 1, 1.0, MANY)
    return np.asarray(stdtrit(degrees, (1 + level) / 2))


def interval(
    estimate: Floats, replicates: Floats, number: ArrayLike, level: float
) -> tuple[Floats, Floats]:
    """Limits of every value (last axis); NaN if too few replicates have a value.

    `number` is the effective number of units, of all values or of each.
    """
    drawn = np.sort(replicates, axis=0)  # what has no value comes last
    known = np.isfinite(drawn).sum(axis=0)
    tail = np.broadcast_to(expanded_tail(level, number), np.shape(estimate))
    enough = known >= max(1.0, ENOUGH * len(drawn))
    low, high = (_percentile(drawn, share, known) for share in (tail, 1 - tail))
    return np.where(enough, low, np.nan), np.where(enough, high, np.nan)


def _percentile(drawn: Floats, share: Floats, known: NDArray[np.int64]) -> Floats:
    """Percentiles of the first `known` of sorted values, with linear interpolation."""
    last = np.maximum(known - 1, 0)
    place = share * last
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, last)
    low, high = (np.take_along_axis(drawn, index[None], axis=0)[0] for index in (below, above))
    return np.asarray(low + (high - low) * (place - below))


def ends(low: Floats | float, high: Floats | float) -> Ends:
    """Limits of a single interval; None if undefined."""
    return (None, None) if np.isnan(low) else (float(low), float(high))
