"""Permutation tests between metrics, and clusters of metrics that no test separates.

Compiled kernels compute accuracies after score swaps from tables of chunks of systems.

The number of correct pairs of a segment after a swap is a sum over pairs of systems, each of which
depends on two swaps. Systems are cut into chunks of at most six; for every two chunks a table holds
the sum over their pairs for each of the up to 4,096 ways to swap twelve outputs. A table costs as
much as four thousand additions, after which every draw is a look into it.

Clusters of metrics: those that no test separates, as WMT's tables number them.

Metrics are gone through from the best down. One that is significantly worse than any metric of the
cluster so far begins the next one. Within a cluster no metric is significantly better than another.

Is one metric better than another? Tests that swap the scores of two metrics (PERM-BOTH).

Both metrics' scores are brought to mean 0 and deviation 1. If the metrics were alike, the two
scores of a system (of an output) might as well have been swapped (Deutsch 2021). p is the share of
all ways to swap in which the difference of the coefficients is at least the one that was seen.

* Systems: all 2ⁿ ways are counted up to `MOST_SYSTEMS` systems, and p has no noise. For Pearson's r
  the sums behind it are linear in the swaps; for the coefficients of pairs (Kendall's τ,
  accuracy) the count of a pair hangs on the swaps of its two systems only. Either way all pairs
  of metrics come from one matrix product.
* Where there are more systems, ways are drawn: p = (k + 1) / (draws + 1), never 0.

Differences closer than `EQUAL` are equal: with few systems many ways give the same coefficient, and
sums in another order must not decide.
"""

from collections.abc import Callable, Iterator, Mapping

import numba
import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import one_of
from adjudge.metaeval.correlations import spearman
from adjudge.stats.ranks import Ranks, mean_ranks
from adjudge.stats.resampling import Codes, Floats, generator
from adjudge.stats.tests import SIGNIFICANT

CHUNK = 6


@numba.njit(cache=True, nogil=True)
def swapped_differences(
    truth: NDArray[np.int8],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    masks: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Weighted differences in correct pairs between two metrics, summed over segments.

    `truth` is (segments × systems × systems), the sign of the human difference, 2 if unknown;
    `first`, `second` are (segments × systems); `masks` (draws × segments) has a bit for each system
    whose scores are swapped. The last of the result is the difference without a swap.
    """
    segments, systems = first.shape
    draws = masks.shape[0]
    chunks = max(2, (systems + CHUNK - 1) // CHUNK)
    out = np.zeros(draws + 1)
    table = np.zeros((1 << CHUNK, 1 << CHUNK), np.int16)
    right = np.zeros((systems, systems, 2, 2), np.int16)
    for segment in range(segments):
        a, b = first[segment], second[segment]
        for i in range(systems):
            for j in range(i + 1, systems):
                for s in range(2):
                    for t in range(2):
                        # The one metric after the swap, less the other.
                        own = _sign((b if s else a)[i] - (b if t else a)[j])
                        other = _sign((a if s else b)[i] - (a if t else b)[j])
                        said = truth[segment, i, j]
                        right[i, j, s, t] = (own == said) - (other == said) if said != 2 else 0
        total = 0.0
        for p in range(chunks):
            for q in range(p + 1, chunks):
                _fill(table, right, p, q, chunks, systems)
                low, high = p * CHUNK, q * CHUNK
                last = (1 << CHUNK) - 1
                for draw in range(draws):
                    mask = masks[draw, segment]
                    out[draw] += weight[segment] * table[mask >> low & last, mask >> high & last]
                total += table[0, 0]
        out[draws] += weight[segment] * total
    return out


@numba.njit(cache=True, nogil=True, inline="always")
def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


@numba.njit(cache=True, nogil=True)
def _fill(
    table: NDArray[np.int16],
    right: NDArray[np.int16],
    p: int,
    q: int,
    chunks: int,
    systems: int,
) -> None:
    """Fill the table of pairs between chunks p and q; pairs within p count once, within q if it is
    last.
    """
    size = 1 << CHUNK
    low = min(CHUNK, max(0, systems - p * CHUNK))
    high = min(CHUNK, max(0, systems - q * CHUNK))
    within_p, within_q = q == p + 1, q == chunks - 1 and p == chunks - 2
    column = np.zeros((CHUNK, 2), np.int16)
    inside = np.zeros(size, np.int16)
    if within_q:
        for ways in range(1 << high):
            for k in range(high):
                for m in range(k + 1, high):
                    i, j = q * CHUNK + k, q * CHUNK + m
                    inside[ways] += right[i, j, ways >> k & 1, ways >> m & 1]
    for ways in range(1 << low):
        own = 0
        if within_p:
            for k in range(low):
                for m in range(k + 1, low):
                    i, j = p * CHUNK + k, p * CHUNK + m
                    own += right[i, j, ways >> k & 1, ways >> m & 1]
        for m in range(high):
            column[m] = 0
            for k in range(low):
                for t in range(2):
                    column[m, t] += right[p * CHUNK + k, q * CHUNK + m, ways >> k & 1, t]
        table[ways, 0] = own + column[:high, 0].sum()
        for m in range(high):
            step = column[m, 1] - column[m, 0]
            for other in range(1 << m):
                table[ways, other + (1 << m)] = table[ways, other] + step
        if within_q:
            for other in range(1 << high):
                table[ways, other] += inside[other]


def metric_clusters(p: Floats, level: float = SIGNIFICANT) -> Ranks:
    """Cluster numbers, from 1, of metrics from best to worst; `p[i, j]` tests that i is better than
    j.
    """
    cluster = np.ones(len(p), np.int64)
    start = 0
    for j in range(1, len(p)):
        cluster[j] = cluster[j - 1]
        if (p[start:j, j] <= level).any():
            cluster[j] += 1
            start = j
    return cluster


MOST_SYSTEMS = 20  # whose swaps are all counted
EQUAL = 1e-12
_AT_ONCE = 1 << 22  # numbers in memory

Swaps = NDArray[np.float64]  # (ways × systems): 1 where the scores of a system are swapped


def standardised(scores: Floats) -> Floats:
    """Standardise every metric (row) to mean 0 and deviation 1; a constant one becomes 0."""
    centred = scores - scores.mean(axis=1, keepdims=True)
    spread = scores.std(axis=1, keepdims=True)
    constant = np.ptp(scores, axis=1, keepdims=True) == 0
    return np.asarray(np.where(constant, 0, centred / np.where(constant, 1, spread)))


def system_tests(
    statistic: str,
    human: Floats,
    metrics: Floats,
    better: Codes,
    worse: Codes,
    draws: int = 10_000,
    seed: int = 1,
) -> Floats:
    """One-sided p-values of all pairs (`better`, `worse`: rows of `metrics`).

    `human` is (systems,), `metrics` (metrics × systems), without missing values.
    """
    differences = _DIFFERENCES[one_of(statistic, _DIFFERENCES, "statistic")]
    scores = standardised(metrics)
    systems = len(human)
    exact = systems <= MOST_SYSTEMS
    p = np.empty(len(better))
    ways = 2**systems if exact else draws
    at_once = max(1, _AT_ONCE // min(ways, 1 << 16))
    for start in range(0, len(better), at_once):
        chosen = slice(start, start + at_once)
        pair = scores[better[chosen]], scores[worse[chosen]]
        seen = differences(np.zeros((1, systems)), human, *pair)[0]
        reached = np.zeros(len(seen))
        for swaps in _all_swaps(systems) if exact else _some_swaps(systems, draws, seed):
            reached += (differences(swaps, human, *pair) >= seen - EQUAL).sum(axis=0)
        p[chosen] = reached / ways if exact else (reached + 1) / (ways + 1)
    return p


def _all_swaps(systems: int) -> Iterator[Swaps]:
    """All swaps, in batches."""
    for start in range(0, 1 << systems, 1 << 14):
        number = np.arange(start, min(start + (1 << 14), 1 << systems))
        yield (number[:, None] >> np.arange(systems) & 1).astype(np.float64)


def _some_swaps(systems: int, draws: int, seed: int) -> Iterator[Swaps]:
    for number, start in enumerate(range(0, draws, 1 << 14)):
        drawn = min(1 << 14, draws - start)
        yield generator(seed, number).integers(0, 2, (drawn, systems)).astype(np.float64)


def _pearson(swaps: Swaps, human: Floats, first: Floats, second: Floats) -> Floats:
    """Differences in r between the two metrics, for every swap and pair (swaps × pairs)."""
    centred = human - human.mean()
    scale = np.sqrt((centred**2).sum())
    moved = second - first
    square, product = second**2 - first**2, moved * centred
    sums, squares, products = (swaps @ change.T for change in (moved, square, product))
    total = np.stack([side.sum(axis=1) for side in (first, second)])
    of_squares = np.stack([(side**2).sum(axis=1) for side in (first, second)])
    of_products = np.stack([side @ centred for side in (first, second)])
    r = []
    for side, sign in ((0, 1), (1, -1)):
        variance = of_squares[side] + sign * squares
        variance -= (total[side] + sign * sums) ** 2 / len(human)
        r.append((of_products[side] + sign * products) / (np.sqrt(np.maximum(variance, 0)) * scale))
    return np.asarray(np.nan_to_num(r[0]) - np.nan_to_num(r[1]))


def _spearman(swaps: Swaps, human: Floats, first: Floats, second: Floats) -> Floats:
    """Differences in ρ; without ties Σ rank · rank is also a sum over pairs, with ties ranks are
    recomputed.
    """
    n = len(human)
    i, j = np.triu_indices(n, 1)
    apart = all(
        (side[:, i] != other[:, j]).all() for side in (first, second) for other in (first, second)
    )
    if apart and (human[i] != human[j]).all():
        ranks = mean_ranks(human)
        gap = (ranks[i] - ranks[j]) * 6 / (n**3 - n)
        one, other = _of_pairs(swaps, first, second, lambda sign: sign * gap)
        return np.asarray(one - other)
    out = np.empty((len(swaps), len(first)))
    for pair, (a, b) in enumerate(zip(first, second, strict=True)):
        one, other = (np.where(swaps > 0, *sides) for sides in ((b, a), (a, b)))
        out[:, pair] = np.nan_to_num(spearman(human, one)) - np.nan_to_num(spearman(human, other))
    return out


def _of_pairs(
    swaps: Swaps, first: Floats, second: Floats, value: Callable[[Floats], Floats]
) -> tuple[Floats, Floats]:
    """Sums over pairs of systems of `value` of the sign of their difference, by either metric.

    The contribution of systems i and j is a function of their two swaps, c₀ + c₁ s_i + c₂ s_j + c₃
    s_i s_j; sums over all pairs of systems are products with these features.
    """
    i, j = np.triu_indices(first.shape[1], 1)
    features = np.concatenate([swaps, swaps[:, i] * swaps[:, j]], axis=1)
    sides = (first, second)
    sums = []
    for own in (0, 1):
        order = (own, 1 - own)
        sign = [[np.sign(sides[a][:, i] - sides[b][:, j]) for b in order] for a in order]
        sums.append(_summed(value(np.array(sign)), features, i, j))
    return sums[0], sums[1]


def _summed(values: Floats, features: Floats, i: Codes, j: Codes) -> Floats:
    """Sums over pairs of systems for every swap and pair of metrics."""
    systems = features.shape[1] - len(i)
    base = values[0, 0]
    of_i, of_j = values[1, 0] - base, values[0, 1] - base
    both = values[1, 1] - values[1, 0] - values[0, 1] + base
    single = np.zeros((len(base), systems))
    for pair, (a, b) in enumerate(zip(i, j, strict=True)):
        single[:, a] += of_i[:, pair]
        single[:, b] += of_j[:, pair]
    return np.asarray(base.sum(axis=1) + features @ np.concatenate([single, both], axis=1).T)


def _kendall(swaps: Swaps, human: Floats, first: Floats, second: Floats) -> Floats:
    i, j = np.triu_indices(len(human), 1)
    truth = np.sign(human[i] - human[j])
    surplus = _of_pairs(swaps, first, second, lambda sign: sign * truth)
    untied = _of_pairs(swaps, first, second, lambda sign: 1.0 * (sign != 0))
    scale = np.count_nonzero(truth)
    one, other = (
        above / np.sqrt(np.maximum(below * scale, 1))
        for above, below in zip(surplus, untied, strict=True)
    )
    return np.asarray(one - other)


def _accuracy(swaps: Swaps, human: Floats, first: Floats, second: Floats) -> Floats:
    i, j = np.triu_indices(len(human), 1)
    truth = np.sign(human[i] - human[j])
    one, other = _of_pairs(swaps, first, second, lambda sign: 1.0 * (sign == truth))
    return np.asarray((one - other) / len(i))


Differences = Callable[[Swaps, Floats, Floats, Floats], Floats]
_DIFFERENCES: Mapping[str, Differences] = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall": _kendall,
    "accuracy": _accuracy,
}
SYSTEM_TESTS = tuple(_DIFFERENCES)
