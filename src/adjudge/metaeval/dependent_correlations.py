"""Two metrics correlate with the same people: how far apart are their r, and how sure is that?

r₁, r₂ are the correlations of the two metrics with people, r₁₂ that between the metrics, n the
number of systems. Both methods take systems as drawn at random from a bivariate normal population.

Zou 2007 gives an interval of r₁ − r₂, as Graham and Liu 2016 used it, from the intervals l, u of
either r (Fisher's z) and the correlation c of the two r:

    c = [(r₁₂ − r₁ r₂/2)(1 − r₁² − r₂² − r₁₂²) + r₁₂³] / [(1 − r₁²)(1 − r₂²)]
    lower = r₁ − r₂ − √[(r₁ − l₁)² + (u₂ − r₂)² − 2 c (r₁ − l₁)(u₂ − r₂)],  upper mirrored

Williams's test (Graham and Baldwin 2014) is Student's t with n − 3 degrees of freedom:

    t = (r₁ − r₂) √[(n − 1)(1 + r₁₂)] / √[2 K (n − 1)/(n − 3) + (r₁ + r₂)²/4 · (1 − r₁₂)³]
    K = 1 − r₁² − r₂² − r₁₂² + 2 r₁ r₂ r₁₂
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtr

from adjudge.metaeval.correlations import pearson
from adjudge.stats.units import Codes, Floats

_ONE = 1 - 1e-15  # Fisher's z of 1 is infinite


@dataclass(frozen=True, eq=False)
class CorrelationGaps:
    """Every two metrics (row × column): r of the row less that of the column."""

    low: Floats  # Zou's interval
    high: Floats
    p: Floats  # Williams's test that the row's r is higher

    def in_order(self, order: Codes) -> "CorrelationGaps":
        """The same with the metrics in another order."""
        place = np.ix_(order, order)
        return CorrelationGaps(self.low[place], self.high[place], self.p[place])


def correlation_gaps(r: Floats, scores: Floats, level: float) -> CorrelationGaps:
    """Of metrics with correlations r and scores (metrics × systems); NaN where r is."""
    systems = scores.shape[1]
    between = pearson(scores[:, None], scores[None])
    first, second = np.broadcast_arrays(r[:, None], r[None])
    low, high = zou_interval(first, second, between, systems, level)
    return CorrelationGaps(low, high, williams(first, second, between, systems))


def zou_interval(
    first: Floats, second: Floats, between: Floats, systems: int, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Low and high end of r₁ − r₂; NaN with three systems or fewer."""
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
    """One-sided p: how likely r₁ exceeds r₂ by so much if neither is higher."""
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
