"""The one rule for intervals: from an estimate and its replicates to a low and a high end.

Percentile intervals from few units are too narrow: their spread is that of n units instead of
n − 1, and it is itself uncertain. The expanded percentile interval (Hesterberg 2015) leaves out
Φ(−√(n/(n−1)) t) of the replicates at either end instead of (1 − level)/2, t being Student's
quantile with n − 1 degrees of freedom. With many units the two are the same. n is the effective
number of units (`units.effective_number`).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, stdtrit

from adjudge.stats.units import Floats

Ends = tuple[float | None, float | None]

ENOUGH = 0.95  # of the replicates must have a value
MANY = 1e5  # units, from which on nothing is widened


def expanded_tail(level: float, number: ArrayLike) -> Floats:
    """The share of replicates to leave out at either end."""
    tail = (1 - level) / 2
    units = np.asarray(number, np.float64)
    degrees = np.clip(units - 1, 1.0, MANY)
    few = ndtr(np.sqrt(np.clip(units, 1.0, MANY) / degrees) * stdtrit(degrees, tail))
    return np.where(units > MANY, tail, few)


def student(level: float, number: ArrayLike) -> Floats:
    """Student's quantile for an interval from so many units."""
    degrees = np.clip(np.asarray(number, np.float64) - 1, 1.0, MANY)
    return np.asarray(stdtrit(degrees, (1 + level) / 2))


def interval(
    estimate: Floats, replicates: Floats, number: ArrayLike, level: float
) -> tuple[Floats, Floats]:
    """Low and high end for every value (last axis); NaN where too few replicates have one.

    `number` is the effective number of units, of all values or of each.
    """
    drawn = np.sort(replicates, axis=0)  # what has no value comes last
    known = np.isfinite(drawn).sum(axis=0)
    tail = np.broadcast_to(expanded_tail(level, number), np.shape(estimate))
    enough = known >= max(1.0, ENOUGH * len(drawn))
    low, high = (_percentile(drawn, share, known) for share in (tail, 1 - tail))
    return np.where(enough, low, np.nan), np.where(enough, high, np.nan)


def _percentile(drawn: Floats, share: Floats, known: NDArray[np.int64]) -> Floats:
    """Percentiles of the first `known` of sorted values, linear between two of them."""
    last = np.maximum(known - 1, 0)
    place = share * last
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, last)
    low, high = (np.take_along_axis(drawn, index[None], axis=0)[0] for index in (below, above))
    return np.asarray(low + (high - low) * (place - below))


def ends(low: Floats | float, high: Floats | float) -> Ends:
    """An interval of one number; None where it cannot be said."""
    return (None, None) if np.isnan(low) else (float(low), float(high))
