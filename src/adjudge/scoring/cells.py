"""System scores as means of segments, also in every replicate of a bootstrap.

Compiled: means of cells where units that share segments are drawn, many replicates at once.

Scores of systems as means of segments, and the same in every replicate of a bootstrap.

A system's score is the mean over segments of the mean of its scores in a segment. Where segments
or documents are drawn, a segment counts as often as it was drawn; where judges, hits or items
are drawn, a score does within its segment, and a segment of which no score was drawn is absent.
Normalisation is held as all scores give it. Replicates in which some system has no score say
nothing about an order and are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numba
import numpy as np
from numpy.typing import NDArray

from adjudge.core.codes import distinct
from adjudge.core.errors import NotEnoughData
from adjudge.scoring.score_matrix import Scored, Values
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.replicates import Function
from adjudge.stats.resampling import Codes, Resampling, Unit, Units, drawing, units_of


@numba.njit(cache=True, nogil=True)
def add_drawn_means(
    starts: NDArray[np.int64],
    system: NDArray[np.int32],
    unit: NDArray[np.int32],
    value: NDArray[np.float64],
    weights: NDArray[np.float32],
    sums: NDArray[np.float64],
) -> None:
    """Add the means of cells, and how many cells have one, to `sums` (systems × 2 × replicates).

    Scores are sorted by their cell (`starts` has one entry more than there are cells); `system` is
    of every cell, `unit` of every score, `weights` (units × replicates) how often units are drawn.
    """
    replicates = weights.shape[1]
    total, times = np.zeros(replicates), np.zeros(replicates)
    for cell in range(len(starts) - 1):
        total[:], times[:] = 0.0, 0.0
        for i in range(starts[cell], starts[cell + 1]):
            weight, v = weights[unit[i]], value[i]
            for r in range(replicates):
                w = np.float64(weight[r])
                total[r] += w * v
                times[r] += w
        mean, number = sums[system[cell], 0], sums[system[cell], 1]
        for r in range(replicates):
            drawn = times[r] > 0
            mean[r] += total[r] / (times[r] if drawn else 1.0)
            number[r] += 1.0 if drawn else 0.0


SCORE_UNITS: tuple[Unit, ...] = ("none", "item", "hit", "segment", "document", "judge")
AT_ONCE = 128  # replicates: their sums stay in the nearest cache


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
        return bootstrap(*_means_of(unit_sums(cells, cells.segment, 0)), (), resampling)
    units = score_units(scored, resampling.unit)
    each = Units(units.name, np.arange(units.number), units.size)
    if resampling.unit in ("segment", "document"):
        first = np.unique(cells.of_score, return_index=True)[1]
        drawn = drawn_units(unit_sums(cells, units.code[first], units.number), each, resampling)
    else:
        means = DrawnMeans(each, resampling, cells.systems)
        means.add(cells, scored.value, units.code)
        drawn = means.bootstrapped(cells.scores())
    squares = np.bincount(scored.system, cells.weights() ** 2, cells.systems)
    least = np.asarray(squares * least_variance(scored))
    return complete(replace(drawn, least=least), resampling.unit, f"{scored.pair}, {scored.scale}")


def complete(drawn: Bootstrapped, unit: Unit, about: str) -> Bootstrapped:
    """Without the replicates that lack some system."""
    has_all = np.isfinite(drawn.replicates).all(axis=1)
    if not has_all.any():
        raise NotEnoughData(
            f"{about}: every replicate lacks some system, because so few {unit}s scored it; choose "
            "another `unit`"
        )
    return replace(drawn, replicates=drawn.replicates[has_all])


def unit_sums(cells: Cells, unit: Codes, units: int) -> Values:
    """What units of whole segments add to systems: means of cells, then their number.

    `unit` is of every cell; the sums are (units, 2 · systems).
    """
    number = max(units, int(unit.max(initial=-1)) + 1)
    key = unit * np.int64(cells.systems) + cells.system
    sums = [
        np.bincount(key, value, number * cells.systems).reshape(number, cells.systems)
        for value in (cells.mean, np.ones(len(key)))
    ]
    return np.concatenate(sums, axis=1)


def drawn_units(sums: Values, units: Units, resampling: Resampling) -> Bootstrapped:
    """The scores of the systems, and of every replicate, where units of whole segments are drawn.

    `sums` are those of `unit_sums`.
    """
    return bootstrap(*_means_of(sums), (units,), resampling)


def _means_of(sums: Values) -> tuple[Values, Function]:
    def means(totals: Values) -> Values:
        total, times = np.split(totals, 2, axis=-1)
        return _ratio(total, times)

    return sums, means


class DrawnMeans:
    """The scores of systems in every replicate, where units that share segments are drawn.

    Cells are added some at a time, all scores of a cell at once.
    """

    def __init__(self, units: Units, resampling: Resampling, systems: int) -> None:
        drawn = drawing((units,), resampling.seed)
        self._row = drawn.row.astype(np.int32)  # of every unit
        self._weights = [
            np.ascontiguousarray(drawn.weights(some).T, np.float32)
            for some in _some(resampling.replicates)
        ]
        self._sums = [np.zeros((systems, 2, w.shape[1])) for w in self._weights]
        self._number, self._level = units.effective_number, resampling.level

    def add(self, cells: Cells, value: Values, unit: Codes) -> None:
        """Add cells; `value` and `unit` are of every score."""
        from adjudge.scoring.cells import add_drawn_means

        order = np.argsort(cells.of_score)
        starts = np.append(0, np.cumsum(np.bincount(cells.of_score)))
        system = cells.system.astype(np.int32)
        given = (starts, system, self._row[unit[order]], value[order])
        for weights, sums in zip(self._weights, self._sums, strict=True):
            add_drawn_means(*given, weights, sums)

    def bootstrapped(self, estimate: Values) -> Bootstrapped:
        """With the scores that all units give."""
        sums = np.concatenate(self._sums, axis=2)
        replicates = _ratio(sums[:, 0], sums[:, 1]).T
        return Bootstrapped(estimate, replicates, self._number, self._level)


def _some(replicates: int) -> Iterator[range]:
    for first in range(0, replicates, AT_ONCE):
        yield range(first, min(first + AT_ONCE, replicates))


def _ratio(total: Values, number: Values) -> Values:
    """NaN where there is nothing to divide by."""
    nothing = np.full(total.shape, np.nan)
    return np.asarray(np.divide(total, number, out=nothing, where=number > 0))
