"""What scores that come piece by piece add to units, for the uncertainty of the systems' scores."""

from dataclasses import replace
from typing import Protocol

import numpy as np

from adjudge.scoring.cells import Cells, DrawnMeans, complete, drawn_units
from adjudge.scoring.gathered_scores import Piece
from adjudge.scoring.system_sums import SystemSums
from adjudge.scoring.unit_groups import Sizes, groups, in_groups
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.means import MeanUncertainty, Observed, Summed, assess_means
from adjudge.stats.resampling import Resampling
from adjudge.stats.units import Units

MOST_ENTRIES = 1 << 21  # numbers in a table

Found = MeanUncertainty | Bootstrapped


class Drawn(Protocol):
    """Takes pieces, and says in the end how sure scores are."""

    worth: float  # units of equal size

    def add(self, piece: Piece, cells: Cells) -> None:
        """Count the scores of a piece."""

    def found(self, sums: SystemSums) -> Found:
        """The scores of systems and how sure they are."""


class Nothing:
    """Nothing is drawn."""

    worth = np.inf

    def __init__(self, level: float) -> None:
        self._level = level

    def add(self, piece: Piece, cells: Cells) -> None:
        """Nothing to count."""

    def found(self, sums: SystemSums) -> Found:
        """The scores alone."""
        return Bootstrapped(sums.scores, sums.scores[None], np.inf, self._level)


class Crossed:
    """Judges × texts, or a unit × single scores: Σ g and Σ g y of every two and every system."""

    def __init__(self, sizes: tuple[Sizes, ...], resampling: Resampling, systems: int) -> None:
        self._resampling, self._systems = resampling, systems
        self.worth = min(own.worth for own in sizes)
        scores = int(sizes[0].known.sum()) + sizes[0].unknown
        numbers = [own.number + own.unknown for own in sizes] + [scores] * (2 - len(sizes))
        while numbers[0] * numbers[1] * systems > MOST_ENTRIES:
            largest = int(np.argmax(numbers))
            numbers[largest] = (numbers[largest] + 1) // 2
        self._groups = [groups(own, most) for own, most in zip(sizes, numbers, strict=False)]
        self._shape = (numbers[0], numbers[1], systems)
        self._weight, self._moved = np.zeros((2, numbers[0] * numbers[1] * systems))

    def add(self, piece: Piece, cells: Cells) -> None:
        """Add the weight of every score, and the score so weighed."""
        codes = [own.codes(piece) for own in self._groups]
        if len(codes) == 1:
            codes.append(in_groups(piece.hashes("row"), self._shape[1]))
        place = np.ravel_multi_index((codes[0], codes[1], piece.system), self._shape)
        weight = (1 / np.bincount(cells.of_score))[cells.of_score]
        np.add.at(self._weight, place, weight)
        np.add.at(self._moved, place, weight * piece.value)

    def found(self, sums: SystemSums) -> Found:
        """By variance components."""
        held = np.flatnonzero(self._weight)
        *codes, system = np.unravel_index(held, self._shape)
        sizes = [own.size for own in self._groups]
        names = self._resampling.unit.split("+")
        if len(sizes) == 1:
            sizes.append(np.ones(self._shape[1]))
            names.append("observation")
        units = [Units(*of) for of in zip(names, codes, sizes, strict=True)]
        observed = Observed(
            value=self._moved[held] / self._weight[held],
            weight=self._weight[held] / sums.segments[system],
            item=system,
            items=self._systems,
            units=tuple(units),
            summed=Summed(sums.inverse, sums.deviations, int(sums.number.sum())),
        )
        unit, level = self._resampling.unit, self._resampling.level
        return assess_means(observed, unit, "strength", level, sums.least_variance)


class WholeSegments:
    """Segments or documents are drawn: means of cells, and their number, of units and systems."""

    def __init__(self, sizes: Sizes, resampling: Resampling, systems: int, about: str) -> None:
        self.worth, self._about, self._resampling = sizes.worth, about, resampling
        self._groups = groups(sizes, MOST_ENTRIES // (2 * systems))
        self._sums = np.zeros((self._groups.number, 2 * systems))

    def add(self, piece: Piece, cells: Cells) -> None:
        """Add cells to the units that they are of."""
        first = np.unique(cells.of_score, return_index=True)[1]
        unit = self._groups.codes(piece)[first]
        np.add.at(self._sums, (unit, cells.system), cells.mean)
        np.add.at(self._sums, (unit, cells.systems + cells.system), 1.0)

    def found(self, sums: SystemSums) -> Found:
        """By a bootstrap."""
        each = self._groups.units(np.arange(self._groups.number))
        drawn = drawn_units(self._sums, each, self._resampling)
        return _complete(drawn, sums, self._resampling, self._about)


class Shared:
    """Judges, screens or items are drawn, which share segments."""

    def __init__(self, sizes: Sizes, resampling: Resampling, systems: int, about: str) -> None:
        self.worth, self._about, self._resampling = sizes.worth, about, resampling
        self._groups = groups(sizes)
        each = self._groups.units(np.arange(self._groups.number))
        self._means = DrawnMeans(each, resampling, systems)

    def add(self, piece: Piece, cells: Cells) -> None:
        """Add the means of cells in every replicate."""
        self._means.add(cells, piece.value, self._groups.codes(piece))

    def found(self, sums: SystemSums) -> Found:
        """By a bootstrap."""
        drawn = self._means.bootstrapped(sums.scores)
        return _complete(drawn, sums, self._resampling, self._about)


def _complete(
    drawn: Bootstrapped, sums: SystemSums, resampling: Resampling, about: str
) -> Bootstrapped:
    least = np.asarray(sums.inverse * sums.least_variance)
    return complete(replace(drawn, least=least), resampling.unit, about)
