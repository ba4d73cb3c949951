"""Scores of systems as means of segments, and the same in every replicate of a bootstrap.

A system's score is the mean over segments of the mean of its scores in a segment. Where segments
or documents are drawn, a segment counts as often as it was drawn; where judges, hits or items
are drawn, a score does within its segment, and a segment of which no score was drawn is absent.
Normalisation is held as all scores give it. Replicates in which some system has no score say
nothing about an order and are left out.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from adjudge.codes import distinct
from adjudge.errors import NotEnoughData
from adjudge.scoring.scored import Scored, Values
from adjudge.statistics.bootstrap import Bootstrapped, bootstrap
from adjudge.statistics.replicates import Function
from adjudge.statistics.resampling import Resampling, Unit
from adjudge.statistics.units import Codes, Units, units_of

SCORE_UNITS: tuple[Unit, ...] = ("none", "item", "hit", "segment", "document", "judge")


@dataclass(frozen=True, eq=False)
class Cells:
    """The scores of one system in one segment, each such cell once, system by system."""

    of_score: Codes  # the cell of each score
    system: Codes  # of each cell
    segment: Codes
    mean: Values
    systems: int

    def scores(self) -> Values:
        """The score of every system: the mean of its cells."""
        total = np.bincount(self.system, self.mean, self.systems)
        return np.asarray(total / np.bincount(self.system, minlength=self.systems))

    def weights(self) -> Values:
        """What every score weighs in that of its system: 1 / (segments · scores in the cell)."""
        scores, segments = np.bincount(self.of_score), np.bincount(self.system)
        return np.asarray((1 / (scores * segments[self.system]))[self.of_score])

    def samples(self) -> list[Values]:
        """The means of the segments of every system."""
        return np.split(self.mean, np.searchsorted(self.system, np.arange(1, self.systems)))


def segment_cells(scored: Scored) -> Cells:
    """Scores averaged by system and segment."""
    segments = int(scored.segment.max(initial=0)) + 1
    key = scored.system.astype(np.int64) * segments + scored.segment
    keys, of_score = distinct(key, len(scored.systems) * segments)
    system, segment = np.divmod(keys, segments)
    mean = np.bincount(of_score, scored.value) / np.bincount(of_score)
    return Cells(of_score, system, segment, mean, len(scored.systems))


def score_units(scored: Scored, unit: Unit) -> Units:
    """The units of the scores; a segment whose document is unknown is still drawn as a whole."""
    alone = scored.segment if unit == "document" else None
    about = f"{scored.pair}, {scored.scale}"
    return units_of(getattr(scored, unit), unit, alone=alone, about=about)


def least_variance(scored: Scored) -> float:
    """Of a single score, where all are the same: what rounding to steps hides, step² / 12.

    The step is the smallest difference of two scores, or 1.
    """
    steps = np.diff(np.unique(scored.value))
    return float(steps.min(initial=1.0) ** 2) / 12


def bootstrapped(scored: Scored, cells: Cells, resampling: Resampling) -> Bootstrapped:
    """The scores of the systems, and in every replicate that has them all."""
    if resampling.unit == "none":
        return bootstrap(*_by_unit(cells, np.arange(len(cells.mean))), (), resampling)
    units = score_units(scored, resampling.unit)
    each = Units(units.name, np.arange(units.number), units.size)
    if resampling.unit in ("segment", "document"):
        first = np.unique(cells.of_score, return_index=True)[1]
        drawn = bootstrap(*_by_unit(cells, units.code[first]), (each,), resampling)
    else:
        drawn = bootstrap(*_by_cell(scored, cells, units), (each,), resampling)
    squares = np.bincount(scored.system, cells.weights() ** 2, cells.systems)
    drawn = replace(drawn, least=np.asarray(squares * least_variance(scored)))
    complete = np.isfinite(drawn.replicates).all(axis=1)
    if not complete.any():
        raise NotEnoughData(
            f"{scored.pair}, {scored.scale}: every replicate lacks some system, because so few "
            f"{resampling.unit}s scored it; choose another `unit`"
        )
    return replace(drawn, replicates=drawn.replicates[complete])


def _by_unit(cells: Cells, unit: Codes) -> tuple[Values, Function]:
    """Units of whole segments add means of cells, and their number, to systems."""
    number = int(unit.max()) + 1
    key = unit * np.int64(cells.systems) + cells.system
    sums = [
        np.bincount(key, value, number * cells.systems).reshape(number, cells.systems)
        for value in (cells.mean, np.ones(len(key)))
    ]

    def means(totals: Values) -> Values:
        total, times = np.split(totals, 2, axis=-1)
        return _ratio(total, times)

    return np.concatenate(sums, axis=1), means


def _by_cell(scored: Scored, cells: Cells, units: Units) -> tuple[Any, Function]:
    """Units that share segments add scores, and their number, to cells."""
    number = len(cells.mean)
    column = np.concatenate([cells.of_score, cells.of_score + number])
    value = np.concatenate([scored.value, np.ones(len(scored))])
    shape = (units.number, 2 * number)
    sums = sparse.csr_array((value, (np.tile(units.code, 2), column)), shape=shape)
    starts = np.searchsorted(cells.system, np.arange(cells.systems))

    def means(totals: Values) -> Values:
        total, times = totals[..., :number], totals[..., number:]
        present = times > 0
        mean = np.divide(total, times, out=np.zeros_like(total), where=present)
        segments = np.add.reduceat(present, starts, axis=-1, dtype=np.float64)
        return _ratio(np.add.reduceat(mean, starts, axis=-1), segments)

    return sums, means


def _ratio(total: Values, number: Values) -> Values:
    """NaN where there is nothing to divide by."""
    nothing = np.full(total.shape, np.nan)
    return np.asarray(np.divide(total, number, out=nothing, where=number > 0))
