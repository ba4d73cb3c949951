"""The share of acceptable rows of every system, and how sure it is.

With `unit="auto"` it is to hold for other people and other texts: editors and documents, or
reviewers and documents, whichever of the two makes the shares vary more (`statistics.means`); rank
ranges hold for all systems at once. WMT13 §4.3 took a thousand samples of the data, of the same
size and with repetition, in which the number of rows of a system varies: `unit="row"`. All rows of
a segment, document, editor or reviewer can be drawn together too.
"""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.stats import population as populations
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.means import MeanUncertainty, Observed, assess_means
from adjudge.stats.resampling import Resampling, Unit, Units, units_of
from adjudge.stats.standings import (
    FEW_EFFECTIVE,
    Standings,
    assessed_standings,
    resampling_notes,
    standings,
    unplaced_note,
    with_unplaced,
)

EDIT_UNITS: tuple[Unit, ...] = ("row", "segment", "document", "editor", "reviewer")
PEOPLE: tuple[Unit, ...] = ("editor", "reviewer")
LEAST_ROWS = 10  # that it takes to place a system

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """Data rows, one for every system that produced the output."""

    credited: pl.DataFrame
    systems: tuple[str, ...]
    system: Ints  # of each row
    accepted: NDArray[np.bool_]
    machines: NDArray[np.bool_]  # of the systems: which are not the reference

    @property
    def numbers(self) -> Ints:
        """How many rows each system has."""
        return np.bincount(self.system, minlength=len(self.systems))

    @property
    def placed(self) -> NDArray[np.bool_]:
        """Which systems have enough rows to be placed; all of them, if no two others have."""
        enough = self.numbers >= LEAST_ROWS
        return enough if enough.sum() > 1 else np.ones_like(enough)

    def labels(self, *people: Unit) -> dict[Unit, Ints]:
        """The people and texts of every row, −1 where unknown."""
        return {unit: self._label(unit) for unit in (*people, *populations.TEXTS)}

    def units(self, unit: Unit) -> Units:
        """The unit of every row; what nobody known did is a unit by itself."""
        row = self.credited["row"].to_numpy().astype(np.int64)
        return units_of(row if unit == "row" else self._label(unit), unit, alone=row)

    def _label(self, unit: Unit) -> Ints:
        columns = ["document", "segment"] if unit == "segment" else [unit]
        known = pl.struct(columns).rank("dense").cast(pl.Int64)
        label = pl.when(pl.col(columns[-1]).is_null()).then(-1).otherwise(known)
        return self.credited.select(label).to_series().to_numpy()


@dataclass(frozen=True, eq=False)
class Shares:
    """Systems from best to worst by their shares, and how that was found."""

    standing: Standings
    placed: NDArray[np.bool_]  # in the order of the systems as given
    average: tuple[float, float, float]  # of the machines, with its interval; NaN: there are none
    resampling: Resampling  # with the unit that was taken
    holds_for: str
    drawn: bool
    notes: tuple[str, ...]


def shares(rows: Rows, resampling: Resampling) -> Shares:
    """Order the systems; those with too few rows come last."""
    if resampling.unit == "auto":
        return _assessed(rows, resampling)
    return _resampled(rows, resampling.among(EDIT_UNITS))


def _assessed(rows: Rows, resampling: Resampling) -> Shares:
    unit, whole = max(
        ((unit, _assess(rows, unit, resampling.level)) for unit in _candidates(rows)),
        key=lambda candidate: float(np.trace(candidate[1].covariance)),
    )
    resampling = replace(resampling, unit=unit)
    placed = rows.placed
    standing = assessed_standings(
        whole.among(placed), "simultaneous", resampling.replicates, resampling.seed
    )
    if not placed.all():
        ends = whole.interval()
        standing = with_unplaced(standing, placed, whole.estimate, ends, whole.better())
    number = min(units.effective_number for units in _units(rows, unit))
    few = resampling_notes(unit, number) if number < FEW_EFFECTIVE else []
    average = _assessed_average(rows, whole.estimate, unit, resampling.level)
    return _shares(rows, standing, average, resampling, False, few)


def _candidates(rows: Rows) -> list[Unit]:
    """Editors or reviewers, with documents or segments, as far as they are known."""
    units = [populations.auto_unit(rows.labels(who), otherwise="row") for who in PEOPLE]
    with_people = [unit for unit in units if unit.split("+")[0] in PEOPLE]
    return list(dict.fromkeys(with_people or units))


def _units(rows: Rows, unit: Unit) -> tuple[Units, ...]:
    return tuple(rows.units(cast(Unit, name)) for name in unit.split("+"))


def _assess(rows: Rows, unit: Unit, level: float) -> MeanUncertainty:
    weight = 1 / rows.numbers[rows.system]
    systems = len(rows.systems)
    value = rows.accepted.astype(np.float64)
    observed = Observed(value, weight, rows.system, systems, _units(rows, unit))
    return assess_means(observed, unit, "share", level)


def _assessed_average(
    rows: Rows, share: Floats, unit: Unit, level: float
) -> tuple[float, float, float]:
    """The mean of the machines' shares: every machine weighs the same, and its rows alike."""
    if not rows.machines.any():
        return (np.nan, np.nan, np.nan)
    average = float(share[rows.machines].mean())
    machine = rows.machines[rows.system]
    system = rows.system[machine]
    # How far a row lies from the share of its system, around the average of all.
    value = rows.accepted[machine] - share[system] + average
    weight = 1 / (rows.numbers[system] * rows.machines.sum())
    units = tuple(
        units_of(kind.code[machine], kind.name) if (~machine).any() else kind
        for kind in _units(rows, unit)
    )
    only = Observed(value, weight, np.zeros(len(value), np.int64), 1, units)
    low, high = assess_means(only, unit, "share", level).interval()
    return average, float(low[0]), float(high[0])


def _resampled(rows: Rows, resampling: Resampling) -> Shares:
    drawn = _drawn(rows, resampling)
    low, high = drawn.interval()
    average = (float(drawn.estimate[-1]), float(low[-1]), float(high[-1]))
    of_systems = drawn.among(np.append(np.ones(len(rows.systems), bool), [False]))
    placed = rows.placed
    standing = standings(of_systems.among(placed))
    if not placed.all():
        every = standings(of_systems)
        better = np.empty_like(every.better)
        better[np.ix_(every.order, every.order)] = every.better
        ends = of_systems.interval()
        standing = with_unplaced(standing, placed, of_systems.estimate, ends, better)
    notes = resampling_notes(resampling.unit, drawn.effective_number)
    return _shares(rows, standing, average, resampling, True, notes)


def _shares(
    rows: Rows,
    standing: Standings,
    average: tuple[float, float, float],
    resampling: Resampling,
    drawn: bool,
    notes: list[str],
) -> Shares:
    placed = rows.placed
    thin = [name for name, has in zip(rows.systems, placed, strict=True) if not has]
    return Shares(
        standing,
        placed,
        average,
        resampling,
        populations.population(rows.labels(*PEOPLE), resampling.unit),
        drawn,
        (*unplaced_note(thin, rows.numbers[~placed].tolist(), "row"), *notes),
    )


def _drawn(rows: Rows, resampling: Resampling) -> Bootstrapped:
    """The share of every system, and last their average without the reference."""
    units = rows.units(resampling.unit)
    machines, system, accepted = rows.machines, rows.system, rows.accepted
    shape = (units.number, len(machines))
    code = units.code.astype(np.int64)
    acceptable = table_of(code[accepted], system[accepted], shape)
    statistics = np.concatenate([acceptable, table_of(code, system, shape)], axis=1).astype(float)
    share = np.divide(*np.split(statistics.sum(axis=0), 2))

    def of_sums(sums: Floats) -> Floats:
        good, every = np.split(sums, 2, axis=-1)
        # A sample without any row of a system says nothing of it: the share stays what it is.
        drawn = np.divide(
            good, every, out=np.broadcast_to(share, good.shape).copy(), where=every > 0
        )
        average = drawn[..., machines].mean(axis=-1, keepdims=True) if machines.any() else np.nan
        return np.concatenate([drawn, np.broadcast_to(average, (*drawn.shape[:-1], 1))], axis=-1)

    each = Units(units.name, np.arange(units.number), units.size)
    drawn = bootstrap(statistics, of_sums, (each,), resampling)
    number = np.append(np.minimum(units.effective_number, rows.numbers), [units.effective_number])
    return replace(drawn, scale="share", effective_number=number)


def table_of(row: Ints, column: Ints, shape: tuple[int, int]) -> Ints:
    """How often each row goes with each column."""
    return np.bincount(row * shape[1] + column, minlength=shape[0] * shape[1]).reshape(shape)
