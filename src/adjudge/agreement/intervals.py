"""Intervals of coefficients: replicates over segments or over judges.

What a coefficient needs is summed per segment or judge (`statistics.replicates`). How many units
that is worth is counted by the pairs of labels they have to compare: a segment that one judge
saw says nothing of agreement.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from adjudge.agreement.chance import Floats
from adjudge.agreement.labels import Ints, Labels
from adjudge.core.errors import NotEnoughData
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.replicates import each_replicate, sums_by_row
from adjudge.stats.resampling import Resampling, Unit, Units, drawing, effective_number, units_of
from adjudge.stats.tests import Ends, ends

AGREEMENT_UNITS: tuple[Unit, ...] = ("segment", "judge")


def agreement_resampling(resampling: Resampling | None) -> Resampling:
    """What is drawn: segments or judges; `auto` is computed (`crossed`)."""
    asked = resampling or Resampling()
    return asked if asked.unit == "auto" else asked.among(AGREEMENT_UNITS)


def label_units(labels: Labels, resampling: Resampling) -> Ints:
    """The segment or judge of every label."""
    return labels.segment if resampling.unit == "segment" else labels.judge


def sum_intervals(
    columns: Any,
    code: Ints,
    sizes: ArrayLike,
    resampling: Resampling,
    function: Callable[[Floats], Floats],
) -> tuple[Floats, Floats]:
    """The intervals of what `function` makes of sums of columns (labels × columns).

    Columns are dense or sparse; what units add up to is dense.

    `code` is the unit of each label, `sizes` what each label has to compare, for all values or
    for each (labels × values). NaN where there is no interval.
    """

    def values(sums: Floats) -> Floats:
        return np.atleast_1d(function(sums))

    units = _units(code, resampling.unit)
    if units is None:
        nothing = np.full(values(np.asarray(columns.sum(axis=0), np.float64)).shape, np.nan)
        return nothing, nothing
    sums = sums_by_row(columns, units.code, units.number)
    numbers = sums.toarray() if sparse.issparse(sums) else sums
    each = Units(units.name, np.arange(units.number), units.size)
    drawn = bootstrap(numbers, values, (each,), resampling)
    number = _effective(units, sizes)
    return replace(drawn, effective_number=number, scale="share").interval()


def weight_intervals(
    code: Ints,
    sizes: ArrayLike,
    resampling: Resampling,
    function: Callable[[Floats], Floats],
    entries: int = 1,
) -> tuple[Floats, Floats]:
    """The same of what `function` makes of the weights of units (replicates × units).

    For what is no sum: labels by two judges weigh as often as both were drawn together. `entries`
    as in `each_replicate`.
    """
    present, unit = np.unique(code, return_inverse=True)
    estimate = function(np.ones((1, len(present))))[0]
    units = _units(unit, resampling.unit)
    if units is None:
        nothing = np.full(estimate.shape, np.nan)
        return nothing, nothing
    drawn = drawing((units,), resampling.seed, grouped=False)
    entries = max(entries, units.number)
    replicates = each_replicate(drawn, resampling.replicates, function, entries)
    number = _effective(units, sizes)
    return Bootstrapped(estimate, replicates, number, resampling.level, "share").interval()


def interval_ends(low: Floats, high: Floats) -> list[Ends]:
    """One interval a value; None where there is none."""
    return [ends(*both) for both in zip(low, high, strict=True)]


def _units(code: Ints, unit: Unit) -> Units | None:
    """None where there is only one, which says nothing of others."""
    try:
        return units_of(code, unit)
    except NotEnoughData:
        return None


def _effective(units: Units, sizes: ArrayLike) -> Floats:
    comparable = np.asarray(sizes, np.float64).reshape(len(units.code), -1)
    by_unit = [np.bincount(units.code, column, units.number) for column in comparable.T]
    return np.atleast_1d(effective_number(np.stack(by_unit, axis=1)))
