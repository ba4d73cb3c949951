"""The bootstrap of any statistic: from sufficient statistics per observation to an interval.

A statistic takes part by giving numbers that add up, for every observation, and a function from
their sums to its values. The function gets arrays of shape (…, statistics) and returns
(…, values), so that all replicates are one call. What is held fixed in the numbers (a mean rank,
a normalisation) is held as all observations give it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from adjudge.statistics.design_effects import Deviations
from adjudge.statistics.intervals import interval
from adjudge.statistics.replicates import Function, replicated
from adjudge.statistics.resampling import Resampling
from adjudge.statistics.units import Floats, Units


@dataclass(frozen=True, eq=False)
class Bootstrapped:
    """An estimate, its replicates, and all that the rule for intervals needs besides."""

    estimate: Floats  # (values,)
    replicates: Floats  # (replicates, values)
    effective_number: float | Floats  # of units, for all values or for each
    level: float

    def interval(self) -> tuple[Floats, Floats]:
        """Low and high end of every value."""
        return interval(self.estimate, self.replicates, self.effective_number, self.level)

    def contracted(self, contraction: ArrayLike) -> "Bootstrapped":
        """The replicates drawn in towards the estimate, where drawing spread them too far."""
        inward = np.asarray(contraction) * (self.replicates - self.estimate)
        return replace(self, replicates=self.estimate + inward)


def bootstrap(
    statistics: Any, function: Function, units: tuple[Units, ...], resampling: Resampling
) -> Bootstrapped:
    """The values of a statistic, and its replicates.

    `statistics` (observations × statistics, dense or sparse) add up; `function` makes values of
    their sums. `units` are what is drawn: one (`units.units_of`), two that are crossed, or none.
    """
    estimate = np.asarray(function(np.asarray(statistics.sum(axis=0))))
    if not units:
        return Bootstrapped(estimate, estimate[None], np.inf, resampling.level)
    drawn = Bootstrapped(
        estimate,
        replicated(statistics, units, resampling, function),
        min(kind.effective_number for kind in units),
        resampling.level,
    )
    if len(units) == 1:
        return drawn
    return drawn.contracted(Deviations(linearised(statistics, function)).contraction(units))


def linearised(statistics: Any, function: Function) -> Floats:
    """By how much each observation moves each value (observations × values).

    The slope of `function` at the sums, by central differences, times the observation's
    statistics: the infinitesimal jackknife.
    """
    total = np.asarray(statistics.sum(axis=0), np.float64)
    step = 1e-4 * np.maximum(np.abs(total), 1.0)
    moves = np.diag(step)
    rise = np.asarray(function(total + moves)) - np.asarray(function(total - moves))
    slope = np.nan_to_num(rise.reshape(len(total), -1) / (2 * step[:, None]))
    return np.asarray(statistics @ slope)
