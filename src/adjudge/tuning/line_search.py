"""Exact line search in a pool along several lines (Och 2003)."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from adjudge.core.errors import one_of, within
from adjudge.tuning import kernels
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.pool import Pool
from adjudge.tuning.weights import Limits

Neighbours = Literal["none", "average", "minimum"]
_HOW = {"none": kernels.NONE, "average": kernels.AVERAGE, "minimum": kernels.MINIMUM}


@dataclass(frozen=True)
class Regularisation:
    """Regularisation against sharp optima: scores are combined with `window` neighbours on either
    side.

    `average` takes the mean of their scores, `minimum` the lowest (Cer, Jurafsky and Manning 2008).
    """

    neighbours: Neighbours = "none"
    window: int = 3

    def __post_init__(self) -> None:
        one_of(self.neighbours, get_args(Neighbours), "neighbours")
        within(self.window, "window", 1)


@dataclass(frozen=True, eq=False)
class Lines:
    """Directions with precomputed data of a pool for line searches from any point."""

    directions: Floats  # lines × features
    slopes: Floats  # lines × candidates
    orderings: Numbers  # lines × candidates: each sentence's candidates by slope


def axes(pool: Pool, limits: Limits) -> Lines:
    """Lines along the axes of all free weights; their sorting is cached per pool."""
    directions = np.eye(len(pool.names))
    if not limits.frozen.any():
        return Lines(directions, pool.columns, pool.orderings)
    free = limits.free
    return Lines(directions[free], pool.columns[free], pool.orderings[free])


def lines_along(pool: Pool, directions: Floats) -> Lines:
    """Lines in arbitrary directions."""
    slopes = np.ascontiguousarray(directions @ pool.columns)
    orderings = [kernels.sorted_by_slope(slope, pool.starts) for slope in slopes]
    return Lines(directions, slopes, np.stack(orderings))


def search_lines(
    pool: Pool, weights: Floats, lines: Lines, limits: Limits, regularisation: Regularisation
) -> tuple[Floats, Floats]:
    """Best gain over `weights` along every line, and its γ."""
    intercept = pool.features @ weights
    low, high = limits.on_lines(weights, lines.directions)
    how, window = _HOW[regularisation.neighbours], regularisation.window
    compiled = pool.objective.compiled
    if compiled is not None:
        return kernels.search_lines(
            lines.slopes,
            lines.orderings,
            intercept,
            pool.starts,
            pool.statistics,
            compiled.kinds,
            compiled.firsts,
            compiled.orders,
            compiled.shares,
            low,
            high,
            how,
            window,
        )
    gain, gamma = np.empty(len(low)), np.empty(len(low))
    for k, (slope, ordering) in enumerate(zip(lines.slopes, lines.orderings, strict=True)):
        edges, scores = _traced(pool, slope, ordering, intercept)
        seen = kernels.regularised(scores, len(scores), how, window)
        best, gamma[k] = kernels.best_place(edges, seen, len(seen), low[k], high[k])
        gain[k] = best - kernels.score_at_zero(edges, seen, len(seen))
    return gain, gamma


def scores_along(pool: Pool, weights: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """Trace all intervals of a line: their edges, the outermost infinite, and the objective in
    each.
    """
    lines = lines_along(pool, np.asarray(direction, np.float64)[None])
    return _traced(pool, lines.slopes[0], lines.orderings[0], pool.features @ weights)


def _traced(
    pool: Pool, slope: Floats, ordering: Numbers, intercept: Floats
) -> tuple[Floats, Floats]:
    edges, sums = kernels.trace_line(slope, ordering, intercept, pool.starts, pool.statistics)
    return edges, pool.objective.values(sums)
