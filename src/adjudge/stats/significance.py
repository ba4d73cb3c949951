"""Tests of whether one of two is better, and the clusters that such tests make.

The exact sign test asks how likely a split of paired decisions at least as uneven would be if
either side were as likely to win: p = 2 · P(X ≤ min(wins)), X binomial with probability 1/2, at
most 1. Wilcoxon's rank-sum test (the same as Mann and Whitney's U) asks whether one sample tends
to be higher than another, the two being independent.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, betainc, ndtr

from adjudge.stats.units import Floats

SIGNIFICANT = 0.05


def sign_test(wins: NDArray[np.int64], losses: NDArray[np.int64]) -> Floats:
    """The exact two-sided p; 1 where nothing was decided."""
    return np.asarray(np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses), wins + losses, 0.5)))


def at_least(hits: ArrayLike, number: ArrayLike, chance: ArrayLike) -> Floats:
    """P(X ≥ hits), X binomial: the incomplete beta function I_chance(hits, number − hits + 1).

    1 where there is no hit.
    """
    k, n = (np.asarray(count, np.float64) for count in (hits, number))
    return np.where(k > 0, betainc(np.maximum(k, 1), np.maximum(n - k, 0) + 1, chance), 1.0)


def rank_sum_tests(
    samples: Sequence[Floats], times: Sequence[NDArray[np.integer]] | None = None
) -> Floats:
    """`p[i, j]`, one-sided: how likely i is so much higher than j if neither is.

    U counts the pairs of values of which that of i is higher, half where they are equal. It is
    about normal with mean mn/2 and variance mn/12 · (N + 1 − Σ(t³ − t) / (N(N − 1))), N = m + n
    and t values being tied; half a pair is taken off for continuity (Mann and Whitney 1947).
    `times` is how often each value is there, where that is not once.
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
    """The values in their order, and how often each is there."""
    if times is None:
        return np.sort(values), np.ones(len(values))
    order = np.argsort(values)
    return values[order], times[order].astype(np.float64)


def significance_clusters(p: Floats, level: float = SIGNIFICANT) -> NDArray[np.int64]:
    """The cluster, from 1, of candidates given in score order.

    A cluster ends where every candidate above is significantly better than every one below.
    """
    better = p < level
    ends = [better[: k + 1, k + 1 :].all() for k in range(len(p) - 1)]
    return np.concatenate([[1], 1 + np.cumsum(ends, dtype=np.int64)])
