"""Bootstrap of any statistic, from its sufficient statistics per observation.

A statistic is given by additive sufficient statistics per observation and a function from their
sums to its values. The function gets arrays of shape (…, statistics) and returns (…, values), so
that all replicates are one call. Constants in the sufficient statistics (a mean rank, a
normalisation) keep their values from all observations.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjudge.stats.design_effects import Deviations
from adjudge.stats.replicates import Function, replicated
from adjudge.stats.resampling import Floats, Resampling, Units
from adjudge.stats.tests import interval, student
from adjudge.stats.uncertainty import Scale, wilson

STILL = 1e-12  # an interval is nothing if it is no wider
LITTLE = 0.01  # of the least variance: replicates that vary less are uninformative


@dataclass(frozen=True, eq=False)
class Bootstrapped:
    """Estimate, its replicates, and the inputs of its confidence interval."""

    estimate: Floats  # (values,)
    replicates: Floats  # (replicates, values)
    effective_number: float | Floats  # of units, for all values or for each
    level: float
    scale: Scale = "strength"
    least: float | Floats = 0.0  # variance of a strength that no replicate moves

    def interval(self) -> tuple[Floats, Floats]:
        """Confidence limits of every value; NaN without replicates and without variance.

        If all units agree, a value does not vary, or hardly, between replicates, although other
        units might disagree: a share then has Wilson's interval with the effective number of units,
        a strength the variance `least`. No interval has zero width.
        """
        low, high = interval(self.estimate, self.replicates, self.effective_number, self.level)
        still = (high - low < STILL) | (np.var(self.replicates, axis=0) < LITTLE * self.least)
        if not still.any():
            return low, high
        number = np.broadcast_to(np.asarray(self.effective_number, np.float64), low.shape)
        drawn = np.isfinite(number)
        units = np.where(drawn, number, 2)
        t = student(self.level, units)
        if self.scale == "share":
            share = np.clip(self.estimate, 0, 1)
            ends = wilson(share, units, t)
            ends = (ends[0] + np.minimum(self.estimate, 0), ends[1])  # a κ may lie below 0
        else:
            reach = t * np.sqrt(np.broadcast_to(self.least, low.shape))
            ends = (self.estimate - reach, self.estimate + reach)
        low, high = (
            np.where(still, np.where(drawn, end, np.nan), known)
            for end, known in zip(ends, (low, high), strict=True)
        )
        return low, high

    def among(self, kept: NDArray[np.bool_]) -> "Bootstrapped":
        """Restrict the result to the values in `kept`."""
        number, least = (
            np.broadcast_to(value, self.estimate.shape)[kept]
            for value in (self.effective_number, self.least)
        )
        return replace(
            self,
            estimate=self.estimate[kept],
            replicates=self.replicates[:, kept],
            effective_number=number,
            least=least,
        )

    def contracted(self, contraction: ArrayLike) -> "Bootstrapped":
        """Shrink the replicates towards the estimate to correct an overdispersed drawing."""
        inward = np.asarray(contraction) * (self.replicates - self.estimate)
        return replace(self, replicates=self.estimate + inward)


def bootstrap(
    statistics: Any, function: Function, units: tuple[Units, ...], resampling: Resampling
) -> Bootstrapped:
    """Bootstrap a function of summed statistics.

    `statistics` (observations × statistics, dense or sparse) add up; `function` maps their sums to
    values. `units` are the resampling units: one (`units.units_of`), two crossed ones, or none.
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
    """Influence of each observation on each value (observations × values).

    The slope of `function` at the sums, by central differences, times the observation's statistics:
    the infinitesimal jackknife.
    """
    return np.asarray(statistics @ slopes(np.asarray(statistics.sum(axis=0), np.float64), function))


def slopes(total: Floats, function: Function) -> Floats:
    """Numerical derivative of each value by each statistic (statistics × values)."""
    step = 1e-4 * np.maximum(np.abs(total), 1.0)
    moves = np.diag(step)
    rise = np.asarray(function(total + moves)) - np.asarray(function(total - moves))
    return np.asarray(np.nan_to_num(rise.reshape(len(total), -1) / (2 * step[:, None])))
