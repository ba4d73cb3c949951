"""System scores adjusted for judges and texts: the estimate of `unit="auto"`.

The scores of one system by one judge on one text are averaged to a cell. A linear mixed model
(`stats.mixed_model`) of the cells gives the score that the system would have if judges and texts
like these were the same for all systems. A unit that a result cannot hold for (a single judge,
anonymous judges) is not in the model.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np

from adjudge.scoring.cells import score_units
from adjudge.scoring.score_matrix import Scored
from adjudge.stats.means import MeanUncertainty
from adjudge.stats.mixed_model import MixedFit, ScoreCells, fit_mixed_model
from adjudge.stats.population import PEOPLE
from adjudge.stats.resampling import Codes, Floats, Unit
from adjudge.stats.uncertainty import Uncertainty

MOST_CELLS = 1 << 21


class CellSums:
    """Number and sum of the scores in every cell, collected piece by piece."""

    def __init__(self, unit: Unit, numbers: Sequence[int], systems: int) -> None:
        """`numbers` is how many units there are of either kind; where `unit` names only one kind,
        the second tells single scores apart."""
        self._unit, self._systems = unit, systems
        self._numbers = list(numbers)
        self._clear()

    def _clear(self) -> None:
        self._keys, self._sums = np.zeros(0, np.int64), np.zeros((2, 0))

    def add(self, system: Codes, codes: Sequence[Codes], value: Floats) -> None:
        """Count scores of these systems and units."""
        self._merge(codes, system, np.ones(len(value)), value)
        while len(self._keys) > MOST_CELLS:  # keep half as many groups of the more numerous kind
            *known, system = np.unravel_index(self._keys, (*self._numbers, self._systems))
            number, total = self._sums
            self._clear()
            most = int(np.argmax(self._numbers))
            self._numbers[most] = (self._numbers[most] + 1) // 2
            self._merge(known, system, number, total)

    def _merge(self, codes: Sequence[Codes], system: Codes, number: Floats, total: Floats) -> None:
        groups = [code % n for code, n in zip(codes, self._numbers, strict=True)]
        keys = np.ravel_multi_index((*groups, system), (*self._numbers, self._systems))
        every = np.concatenate([self._keys, keys])
        self._keys, place = np.unique(every, return_inverse=True)
        added = zip(self._sums, (number, total), strict=True)
        self._sums = np.array([np.bincount(place, np.append(*both)) for both in added])

    def cells(self) -> ScoreCells:
        """The mean of every cell, with the units that are in the model."""
        first, second, system = np.unravel_index(self._keys, (*self._numbers, self._systems))
        named = self._unit.split("+")
        people = named[0] in PEOPLE
        number, total = self._sums
        return ScoreCells(
            mean=total / number,
            number=number,
            item=system,
            items=self._systems,
            judge=first if people else None,
            text=(second if len(named) > 1 else None) if people else first,
        )


def adjusted(cells: ScoreCells, unit: Unit, level: float, least: float) -> MeanUncertainty:
    """The adjusted scores of the systems; `least` is the least variance of a single score."""
    fit = fit_mixed_model(cells, max(least, 1e-12))
    between = fit.degrees[np.triu_indices(cells.items, 1)] if cells.items > 1 else fit.degrees
    degrees = np.full(cells.items, 1 / np.mean(1 / between))  # one number for all differences
    compared = Uncertainty(
        fit.estimate, fit.estimate, fit.covariance, degrees, degrees, "strength", level
    )
    return MeanUncertainty(
        estimate=fit.estimate,
        centre=fit.estimate,
        covariance=fit.covariance,
        degrees=np.diag(fit.degrees),
        test_degrees=degrees,
        scale="strength",
        level=level,
        contrasts=compared,
        parts=_by_source(fit, unit),
    )


def memory_cells(scored: Scored, unit: Unit) -> ScoreCells:
    """The cells of scores that are held in memory."""
    units = [score_units(scored, cast(Unit, name)) for name in unit.split("+")]
    codes = [each.code for each in units]
    numbers = [each.number for each in units]
    if len(codes) == 1:
        codes.append(np.arange(len(scored), dtype=np.int32))
        numbers.append(len(scored))
    sums = CellSums(unit, numbers, len(scored.systems))
    sums.add(scored.system, codes, scored.value)
    return sums.cells()


def _by_source(fit: MixedFit, unit: Unit) -> dict[str, Floats]:
    """The variance of every score by the units of the result; all else is the rest."""
    parts = dict(fit.parts)
    found = {}
    for name in unit.split("+"):
        kind = "judge" if name in PEOPLE else "text"
        found[name] = parts[kind] + parts[f"{kind}:item"]
    return {**found, "rest": parts["rest"]}
