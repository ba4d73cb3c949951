"""Correlations of metrics with human scores, and tests of their differences.

Coefficients are computed over the last axis of two arrays.

* Pearson's r (Macháček 2014, equation 4.1) measures a linear relation; that of WMT14 on.
* Spearman's ρ is r of the ranks, ties sharing their mean rank; that of WMT07 to WMT13.
* Kendall's τ-b = (C − D) / √((C + D + T_h)(C + D + T_m)), C pairs being ordered alike, D otherwise,
  T_h tied by people alone and T_m by the metric alone; τ-c = 2 k (C − D) / (n² (k − 1)), k being
  the smaller number of different values (Stuart 1953).
* Pairwise accuracy (Kocmi 2021) is the share of pairs whose differences have the same sign, of two
  ties too. With ties at the level of segments it is Deutsch 2023's.

Values that either side lacks (NaN) are left out pairwise. A coefficient that is not defined, since
all values of one side are the same, is NaN.

Two metrics correlate with the same people: how far apart are their r, and how sure is that?

r₁, r₂ are the correlations of the two metrics with people, r₁₂ that between the metrics, n the
number of systems. Both methods take systems as drawn at random from a bivariate normal population.

Zou 2007 gives an interval of r₁ − r₂, as Graham and Liu 2016 used it, from the intervals l, u of
either r (Fisher's z) and the correlation c of the two r:

    c = [(r₁₂ − r₁ r₂/2)(1 − r₁² − r₂² − r₁₂²) + r₁₂³] / [(1 − r₁²)(1 − r₂²)]
    lower = r₁ − r₂ − √[(r₁ − l₁)² + (u₂ − r₂)² − 2 c (r₁ − l₁)(u₂ − r₂)],  upper mirrored

Williams's test (Graham and Baldwin 2014) is Student's t with n − 3 degrees of freedom:

    t = (r₁ − r₂) √[(n − 1)(1 + r₁₂)] / √[2 K (n − 1)/(n − 3) + (r₁ + r₂)²/4 · (1 − r₁₂)³]
    K = 1 − r₁² − r₂² − r₁₂² + 2 r₁ r₂ r₁₂

Outlier systems, which alone can make a correlation (Mathur 2020).

With people's scores s of the systems, a system is an outlier if

    |s − median(s)| / (1.483 · median |s − median(s)|)  >  2.5

One bad system far below the others gives every metric a high r. So values are shown with and
without outliers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr

from adjudge.metaeval.metrics_task import LEAST_SYSTEMS, MetricsTask
from adjudge.stats.ranks import mean_ranks
from adjudge.stats.resampling import Codes, Floats

Coefficient = Callable[[Floats, Floats], Floats]
Counts = NDArray[np.int64]

LONG = 64  # values, from which on pairs are counted by sorting
_AT_ONCE = 1 << 22  # pairs in memory


def pearson(human: Floats, metric: Floats) -> Floats:
    """Pearson's r; NaN if one side is constant."""
    known, h, m = _known(human, metric)
    number = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    h, m = (np.where(known, side - side.sum(axis=-1, keepdims=True) / number, 0) for side in (h, m))
    varies = ~(_constant(human, known) | _constant(metric, known))
    product = (h * m).sum(axis=-1)
    scale = np.sqrt((h * h).sum(axis=-1) * (m * m).sum(axis=-1))
    nothing = np.full(product.shape, np.nan)
    r = np.divide(product, scale, out=nothing, where=varies & (scale > 0))
    return np.asarray(np.clip(r, -1, 1))


def spearman(human: Floats, metric: Floats) -> Floats:
    """Spearman's ρ: r of ranks."""
    known, _, _ = _known(human, metric)
    return pearson(*(_ranks(np.where(known, side, np.nan)) for side in _both(human, metric)))


def kendall_b(human: Floats, metric: Floats) -> Floats:
    """Kendall's τ-b; NaN if one side is constant."""
    pairs = count_pairs(human, metric)
    untied = pairs.concordant + pairs.discordant
    scale = np.sqrt((untied + pairs.human_ties) * (untied + pairs.metric_ties).astype(np.float64))
    return _ratio(pairs.concordant - pairs.discordant, scale)


def kendall_c(human: Floats, metric: Floats) -> Floats:
    """Stuart's τ-c, for sides with different numbers of values."""
    known, _, _ = _known(human, metric)
    sides = [np.where(known, side, np.nan) for side in _both(human, metric)]
    classes = np.minimum(*(_different(side) for side in sides))
    number = known.sum(axis=-1)
    pairs = count_pairs(human, metric)
    scale = number.astype(np.float64) ** 2 * (classes - 1) / np.maximum(2 * classes, 1)
    return _ratio(pairs.concordant - pairs.discordant, np.maximum(scale, 0))


def accuracy(human: Floats, metric: Floats) -> Floats:
    """Pairwise accuracy: the share of pairs with equal sign of the difference; NaN without
    pairs.
    """
    pairs = count_pairs(human, metric)
    return _ratio(pairs.concordant + pairs.both_ties, pairs.total)


CORRELATIONS: Mapping[str, Coefficient] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall_b,
    "kendall-c": kendall_c,
    "accuracy": accuracy,
}


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Counts of pairs by order on both sides; arrays of one shape."""

    concordant: Counts
    discordant: Counts
    human_ties: Counts  # tied by people, not by the metric
    metric_ties: Counts
    both_ties: Counts

    @property
    def total(self) -> Counts:
        """Number of pairs."""
        return np.asarray(
            self.concordant + self.discordant + self.human_ties + self.metric_ties + self.both_ties
        )


def count_pairs(human: Floats, metric: Floats) -> PairCounts:
    """Count the pairs of every row."""
    human, metric = _both(human, metric)
    shape = human.shape[:-1]
    rows = human.reshape(-1, human.shape[-1]), metric.reshape(-1, metric.shape[-1])
    counted = _by_sorting(*rows) if human.shape[-1] > LONG else _by_trying(*rows)
    return PairCounts(*(column.reshape(shape) for column in counted.T))


def _by_trying(human: Floats, metric: Floats) -> Counts:
    """Count by enumeration of the pairs of every row: (rows × five counts)."""
    first, second = np.triu_indices(human.shape[-1], 1)
    counts = np.zeros((len(human), 5), np.int64)
    at_once = max(1, _AT_ONCE // max(len(first), 1))
    for start in range(0, len(human), at_once):
        rows = slice(start, start + at_once)
        h, m = human[rows], metric[rows]
        dh, dm = (np.sign(side[:, first] - side[:, second]) for side in (h, m))
        known = np.isfinite(dh) & np.isfinite(dm)
        agreed = np.where(known, dh * dm, np.nan)
        tied = known & (dh == 0), known & (dm == 0)
        counts[rows, 0] = (agreed > 0).sum(axis=1)
        counts[rows, 1] = (agreed < 0).sum(axis=1)
        counts[rows, 2] = (tied[0] & ~tied[1]).sum(axis=1)
        counts[rows, 3] = (tied[1] & ~tied[0]).sum(axis=1)
        counts[rows, 4] = (tied[0] & tied[1]).sum(axis=1)
    return counts


def _by_sorting(human: Floats, metric: Floats) -> Counts:
    """Count from τ-b and the numbers of ties, in n log n steps per row."""
    from scipy.stats import kendalltau  # takes long to load

    counts = np.zeros((len(human), 5), np.int64)
    for row, (h, m) in enumerate(zip(human, metric, strict=True)):
        known = np.isfinite(h) & np.isfinite(m)
        h, m = h[known], m[known]
        pairs = len(h) * (len(h) - 1) // 2
        (code_h, tied_h), (code_m, tied_m) = _coded(h), _coded(m)
        _, both = _coded(code_h * np.int64(len(h) + 1) + code_m)
        untied = pairs - tied_h - tied_m + both
        surplus = 0
        if untied:
            scale = np.sqrt(float(pairs - tied_h) * float(pairs - tied_m))
            surplus = round(float(kendalltau(code_h, code_m).statistic) * scale)
        concordant = (untied + surplus) // 2
        counts[row] = concordant, untied - concordant, tied_h - both, tied_m - both, both
    return counts


def _coded(values: NDArray[np.number]) -> tuple[Counts, int]:
    """Codes of the values among the distinct ones, and the number of equal pairs."""
    _, code, times = np.unique(values, return_inverse=True, return_counts=True)
    return code, int((times.astype(np.int64) * (times - 1) // 2).sum())


def _both(human: Floats, metric: Floats) -> tuple[Floats, Floats]:
    h, m = np.broadcast_arrays(np.asarray(human, np.float64), np.asarray(metric, np.float64))
    return h, m


def _known(human: Floats, metric: Floats) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Mask of values present on both sides, and both sides with missing values as 0."""
    human, metric = _both(human, metric)
    known = np.isfinite(human) & np.isfinite(metric)
    return known, np.where(known, human, 0.0), np.where(known, metric, 0.0)


def _constant(side: Floats, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Test whether all known values of a row are equal, in spite of rounding."""
    low = np.where(known, side, np.inf).min(axis=-1)
    return np.asarray(np.where(known, side, -np.inf).max(axis=-1) <= low)


def _ranks(side: Floats) -> Floats:
    """Mean ranks of each row; NaN stays NaN."""
    ranks = mean_ranks(np.where(np.isfinite(side), side, np.inf))
    return np.asarray(np.where(np.isfinite(side), ranks, np.nan))


def _different(side: Floats) -> Counts:
    """Number of distinct known values of each row."""
    ordered = np.sort(side, axis=-1)
    known = np.isfinite(ordered)
    steps = (np.diff(ordered, axis=-1) > 0) & known[..., 1:]
    return np.asarray(known[..., 0] + steps.sum(axis=-1), np.int64)


def _ratio(above: NDArray[np.number], below: NDArray[np.number]) -> Floats:
    nothing = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=nothing, where=below > 0))


_ONE = 1 - 1e-15  # Fisher's z of 1 is infinite


@dataclass(frozen=True, eq=False)
class CorrelationGaps:
    """Differences of r between all pairs of metrics: r of the row less that of the column."""

    low: Floats  # Zou's interval
    high: Floats
    p: Floats  # Williams's test that the row's r is higher

    def in_order(self, order: Codes) -> "CorrelationGaps":
        """Reorder the metrics."""
        place = np.ix_(order, order)
        return CorrelationGaps(self.low[place], self.high[place], self.p[place])


def correlation_gaps(r: Floats, scores: Floats, level: float) -> CorrelationGaps:
    """Compare metrics with correlations r and scores (metrics × systems); NaN where r is NaN."""
    systems = scores.shape[1]
    between = pearson(scores[:, None], scores[None])
    first, second = np.broadcast_arrays(r[:, None], r[None])
    low, high = zou_interval(first, second, between, systems, level)
    return CorrelationGaps(low, high, williams(first, second, between, systems))


def zou_interval(
    first: Floats, second: Floats, between: Floats, systems: int, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Zou's confidence interval of r₁ − r₂; NaN for three systems or fewer."""
    if systems <= 3:
        nothing = np.full(np.broadcast_shapes(np.shape(first), np.shape(second)), np.nan)
        return nothing, nothing
    (l1, u1), (l2, u2) = (_fisher(r, systems, level) for r in (first, second))
    rest = 1 - first**2 - second**2 - between**2
    above = (between - first * second / 2) * rest + between**3
    below = np.maximum((1 - first**2) * (1 - second**2), 1e-300)
    c = above / below
    reach = [
        np.sqrt(np.maximum(a**2 + b**2 - 2 * c * a * b, 0))
        for a, b in ((first - l1, u2 - second), (u1 - first, second - l2))
    ]
    return first - second - reach[0], first - second + reach[1]


def williams(first: Floats, second: Floats, between: Floats, systems: int) -> Floats:
    """Williams's test: one-sided p-value of r₁ exceeding r₂."""
    if systems <= 3:
        return np.full(np.broadcast_shapes(np.shape(first), np.shape(second)), np.nan)
    k = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    n = systems
    spread = 2 * k * (n - 1) / (n - 3) + (first + second) ** 2 / 4 * (1 - between) ** 3
    above = (first - second) * np.sqrt((n - 1) * (1 + between))
    t = np.divide(above, np.sqrt(np.maximum(spread, 0)), out=np.zeros_like(above), where=spread > 0)
    return np.asarray(1 - stdtr(n - 3, t))


def _fisher(r: Floats, systems: int, level: float) -> tuple[Floats, Floats]:
    z = np.arctanh(np.clip(r, -_ONE, _ONE))
    reach = ndtri((1 + level) / 2) / np.sqrt(systems - 3)
    return np.tanh(z - reach), np.tanh(z + reach)


CUTOFF = 2.5
NORMAL = 1.483  # makes the median deviation of normal scores their standard deviation


def outliers(task: MetricsTask) -> tuple[str, ...]:
    """Systems whose human score is an outlier by its distance from the median."""
    scores = task.human.system_scores
    distance = np.abs(scores - np.median(scores))
    spread = NORMAL * np.median(distance)
    if not spread > 0:
        return ()
    return tuple(np.array(task.systems)[distance / spread > CUTOFF].tolist())


def without_outliers(task: MetricsTask) -> MetricsTask | None:
    """Task without outliers; None if there are none, or too few other systems."""
    names = outliers(task)
    if not names or len(task.systems) - len(names) < LEAST_SYSTEMS:
        return None
    rest = task.without(names, f"Without the outliers {', '.join(names)} (Mathur 2020).")
    return replace(rest, human=replace(rest.human, name=f"{task.human.name} without outliers"))
