"""Is one metric better than another? Tests that swap the scores of two metrics (PERM-BOTH).

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

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import one_of
from adjudge.metaeval.correlations import spearman
from adjudge.stats.ranks import mean_ranks
from adjudge.stats.resampling_weights import generator
from adjudge.stats.units import Codes, Floats

MOST_SYSTEMS = 20  # whose swaps are all counted
EQUAL = 1e-12
_AT_ONCE = 1 << 22  # numbers in memory

Swaps = NDArray[np.float64]  # (ways × systems): 1 where the scores of a system are swapped


def standardised(scores: Floats) -> Floats:
    """Every metric (row) with mean 0 and deviation 1; a constant one is 0."""
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
    """p of every pair (`better`, `worse`: rows of `metrics`), one-sided.

    `human` is (systems,), `metrics` (metrics × systems), without gaps.
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
    """All ways to swap, some at a time."""
    for start in range(0, 1 << systems, 1 << 14):
        number = np.arange(start, min(start + (1 << 14), 1 << systems))
        yield (number[:, None] >> np.arange(systems) & 1).astype(np.float64)


def _some_swaps(systems: int, draws: int, seed: int) -> Iterator[Swaps]:
    for number, start in enumerate(range(0, draws, 1 << 14)):
        drawn = min(1 << 14, draws - start)
        yield generator(seed, number).integers(0, 2, (drawn, systems)).astype(np.float64)


def _pearson(swaps: Swaps, human: Floats, first: Floats, second: Floats) -> Floats:
    """r of the one metric less that of the other, for every way and pair (ways × pairs)."""
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
    """ρ; without ties Σ rank · rank is a sum over pairs too, with ties ranks are sorted anew."""
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

    What a pair of systems i, j adds is a function of their two swaps, c₀ + c₁ s_i + c₂ s_j +
    c₃ s_i s_j; sums over all pairs of systems are products with these features.
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
    """Sums over pairs of systems for every way and pair of metrics."""
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
