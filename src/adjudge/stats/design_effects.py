"""Design effects: loss of information because observations come in clusters.

The ten comparisons of one ranking share a segment, a judge and five outputs; the rankings of one
judge share that judge. The design effect of a unit is the variance of a value under sampling of
that unit, divided by the variance under independence: 4 means that a quarter as many independent
observations would be as informative, and that intervals are twice as wide. With e the deviation
that one observation adds to a value,

    V(unit) = n/(n−1) · Σ_units (Σ_{observations in unit} e)²        deff = V(unit) / V(independent)

averaged over values. Of two crossed units, what both share is in either's variance and is counted
once: V(judge) + V(segment) − V(judge and segment together) (Cameron, Gelbach and Miller 2011).
"""

from typing import Any

import numpy as np
from scipy import sparse

from adjudge.stats.replicates import sums_by_row
from adjudge.stats.resampling import Codes, Floats, Units, crossed

NO_SPREAD = 1e-9


class Deviations:
    """Deviation of each observation from the mean of each value (observations × values)."""

    def __init__(self, deviations: Any, independent: Floats | None = None) -> None:
        """Store deviations; `independent` overrides the variance of each value under
        independence.
        """
        self._deviations = deviations
        self._independent = _squares(deviations) if independent is None else independent

    def effect(self, units: tuple[Units, ...]) -> float:
        """Design effect of one unit, or of two crossed units."""
        return self._mean(_counted_once(*self._parts(units)))

    def contraction(self, units: tuple[Units, ...]) -> float:
        """Factor that shrinks the replicates of a bootstrap over these units.

        Weights that are products of two draws count the variance shared within cells three times
        instead of once (Owen 2007, "The pigeonhole bootstrap").
        """
        if len(units) == 1:
            return 1.0
        first, second, both = self._parts(units)
        drawn = self._mean(first + second + both)
        once = self._mean(_counted_once(first, second, both))
        return float(np.sqrt(once / drawn)) if drawn else 1.0

    def _parts(self, units: tuple[Units, ...]) -> tuple[Floats, Floats, Floats]:
        """Variances of the first unit, the second, and their cells."""
        first = self._variance(units[0].code, units[0].number)
        if len(units) == 1:
            return first, np.zeros_like(first), np.zeros_like(first)
        both, combinations = crossed(units)
        return (
            first,
            self._variance(units[1].code, units[1].number),
            self._variance(both, len(combinations[0])),
        )

    def _variance(self, code: Codes, number: int) -> Floats:
        sums = sums_by_row(self._deviations, code, number)
        return _squares(sums) * number / (number - 1)

    def _mean(self, variance: Floats) -> float:
        """Mean ratio to the variance under independence; values without spread are ignored."""
        varied = self._independent > NO_SPREAD
        if not varied.any():
            return 1.0
        return float((variance[varied] / self._independent[varied]).mean())


def widening(effect: float, other: float) -> float:
    """Ratio of interval widths if the design effect were `other`."""
    return float(np.sqrt(other / effect)) if effect else 1.0


def _squares(sums: Any) -> Floats:
    if sparse.issparse(sums):
        return np.asarray((sums * sums).sum(axis=0))
    return np.asarray(np.einsum("ij,ij->j", sums, sums))


def _counted_once(first: Floats, second: Floats, both: Floats) -> Floats:
    """Variance of two crossed units, bounded below by that of each unit against sampling noise."""
    return np.maximum(first + second - both, np.maximum(first, second))
