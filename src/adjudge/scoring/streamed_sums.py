"""Sums over scores that arrive in pieces: by system, and by unit for their uncertainty.

Units of scores that come piece by piece: how large they are, and the groups they are drawn in.

Judges and documents are told apart however many they are, segments, screens and items as long as
they are at most `MOST_UNITS`; more of them are in as many groups by the hashes of their names
(`gathering`). What one unit does stays in one group, so that the spread over units stays the same
on average (`statistics.drawing`).

What scores that come piece by piece add to systems, whatever is drawn.

What scores that come piece by piece add to units, for the uncertainty of the systems' scores.
"""

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.data.votes.hashed_names import Hashes
from adjudge.scoring.adjusted_scores import CellSums, adjusted
from adjudge.scoring.assessment import in_common
from adjudge.scoring.cells import Cells, DrawnMeans, complete, drawn_units, segment_cells
from adjudge.scoring.gathered_scores import Gathered, Piece
from adjudge.scoring.score_matrix import Values
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.means import GROUPS_SEED, MeanUncertainty
from adjudge.stats.resampling import (
    MOST_UNITS,
    Codes,
    Floats,
    Resampling,
    Units,
    effective_number,
    units_of,
)


@dataclass
class Sizes:
    """How many scores the units of one kind hold."""

    unit: str
    gathered: Gathered
    known: Floats = field(default_factory=lambda: np.zeros(0))  # of every code
    unknown: int = 0  # scores that name no unit

    def add(self, piece: Piece) -> None:
        """Count these scores."""
        codes = self.codes(piece)
        named = codes[codes >= 0]
        self.unknown += len(codes) - len(named)
        counted = np.bincount(named, minlength=len(self.known)).astype(np.float64)
        counted[: len(self.known)] += self.known
        self.known = counted

    def codes(self, piece: Piece) -> Codes:
        """The code of every score, −1 where it is unknown."""
        gathering = self.gathered.gathering
        match self.unit:
            case "judge":
                return piece.judge
            case "document":
                return piece.document
            case "segment":
                return gathering.segments.codes(piece.hashes("segment"))
            case "hit" if not gathering.knows_hits:
                return np.full(len(piece), -1, np.int32)
            case "hit":
                return gathering.hits.codes(piece.hashes("hit"))
            case _:
                return gathering.items.codes(piece.hashes("item"))

    def codes_with_unknown(self, piece: Piece) -> Codes:
        """The same, with a code by hash for every score whose unit is unknown."""
        code = self.codes(piece)
        return np.where(code < 0, len(self.known) + self.alone(piece, MOST_UNITS), code)

    def alone(self, piece: Piece, number: int) -> NDArray[np.int32]:
        """Groups for scores of unknown units: an unknown judge is one for every score; a segment
        whose document is unknown is drawn as a whole."""
        return in_groups(piece.hashes("segment" if self.unit == "document" else "row"), number)

    def require(self, about: str) -> None:
        """Refuse units that tell nothing apart."""
        some = [np.arange(min(self.number, 2)), np.full(min(self.unknown, 2), -1)]
        units_of(np.concatenate(some), self.unit, about=about)

    @property
    def number(self) -> int:
        """How many units are known."""
        return int(np.count_nonzero(self.known))

    @property
    def worth(self) -> float:
        """How many units of equal size would say as much; 0 where there are no two."""
        if not self.number or self.number + self.unknown < 2:
            return 0.0
        return float(effective_number(np.append(self.known, np.ones(self.unknown))))


@dataclass(frozen=True, eq=False)
class Groups:
    """What is drawn: units, or `number` groups of them."""

    sizes: Sizes
    number: int
    group: NDArray[np.int32]  # of every code
    size: Floats  # of every group

    def codes(self, piece: Piece) -> Codes:
        """The group of every score."""
        code = self.sizes.codes(piece)
        if not self.sizes.unknown:
            return self.group[code]
        return np.where(code < 0, self.sizes.alone(piece, self.number), self.group[code])

    def units(self, code: Codes) -> Units:
        """As units of observations that are of these groups."""
        return Units(self.sizes.unit, code, self.size)


def groups(sizes: Sizes, most: int | None = None) -> Groups:
    """The units in at most so many groups; each by itself, if they are no more and all known."""
    present = np.flatnonzero(sizes.known)
    every = len(present) + sizes.unknown
    number = min(every, most or (MOST_UNITS if sizes.unknown else every))
    place = np.arange(len(present))
    if number < every:
        place = np.random.default_rng(GROUPS_SEED).permutation(len(present)) % number
    group = np.zeros(len(sizes.known), np.int32)
    group[present] = place
    size = np.bincount(place, sizes.known[present], number) + sizes.unknown / number
    return Groups(sizes, number, group, size.astype(np.float64))


def in_groups(hashes: Hashes, number: int) -> NDArray[np.int32]:
    """The group of each by its hash."""
    return (hashes % np.uint64(number)).astype(np.int32)


MOST_MEANS = 1 << 20  # of cells that are kept as they are
MOST_VALUES = 1 << 20  # different scores that are told apart
STEPS = 1 << 12  # in a standard deviation, that means are rounded to where there are more


class CellMeans:
    """The means of segments of every system; rounded, and counted, where they are very many.

    Steps are so fine that the tests which compare the means change in no digit that is shown.
    """

    def __init__(self, systems: int) -> None:
        self._kept: list[list[Values]] = [[] for _ in range(systems)]
        self._times: list[list[NDArray[np.int64]]] = [[] for _ in range(systems)]
        self._number = 0
        self._step = 0.0

    def add(self, cells: Cells) -> None:
        """The means of these cells, too."""
        for system, values in enumerate(cells.samples()):
            self._kept[system].append(values)
            self._times[system].append(np.ones(len(values), np.int64))
            self._number += len(values)
        if self._number > MOST_MEANS:
            self._round()

    def _round(self) -> None:
        if not self._step:
            spread = np.std(np.concatenate([values for kept in self._kept for values in kept]))
            self._step = max(float(spread), 1e-9) / STEPS
        self._number = 0
        for system, (values, times) in enumerate(zip(self._kept, self._times, strict=True)):
            step = np.rint(np.concatenate(values) / self._step)
            different, place = np.unique(step, return_inverse=True)
            again = np.bincount(place, np.concatenate(times)).astype(np.int64)
            self._kept[system], self._times[system] = [different * self._step], [again]
            self._number += len(different)

    def samples(self) -> tuple[list[Values], list[NDArray[np.int64]]]:
        """The means of every system, and how often each is there."""
        return [np.concatenate(v) for v in self._kept], [np.concatenate(t) for t in self._times]


class SystemSums:
    """Sums over the scores of every system."""

    def __init__(self, systems: int, judges: int) -> None:
        self.systems = systems
        self.segments, self.mean, self.squares = np.zeros((3, systems))  # of cells: 1, mean, 1/n
        self.number = np.zeros(systems)  # of scores
        self.raw_segments, self.raw_mean = np.zeros((2, systems))
        self.all_segments = 0
        self.means = CellMeans(systems)
        self.in_segments = np.zeros((systems, systems), bool)
        self._by_judge = np.zeros((systems, judges), bool)
        self._different: Values | None = np.zeros(0)

    def add(self, kept: Piece, piece: Piece) -> Cells:
        """The scores of a piece, normalised and as given; what is returned are the cells."""
        names = ("",) * self.systems
        scored = kept.scored(names)
        cells = segment_cells(scored)
        size = np.bincount(cells.of_score)
        self.all_segments += int(scored.segment.max(initial=-1)) + 1
        self.segments += np.bincount(cells.system, minlength=self.systems)
        self.mean += np.bincount(cells.system, cells.mean, self.systems)
        self.squares += np.bincount(cells.system, 1 / size, self.systems)
        self.number += np.bincount(kept.system, minlength=self.systems)
        given = cells
        if len(kept) < len(piece):
            given = segment_cells(piece.scored(names))
        raw = np.bincount(given.of_score, piece.value) / np.bincount(given.of_score)
        self.raw_segments += np.bincount(given.system, minlength=self.systems)
        self.raw_mean += np.bincount(given.system, raw, self.systems)
        self.means.add(cells)
        if not self.in_segments.all():
            self.in_segments |= in_common(cells.system, cells.segment, self.systems)
        known = kept.judge >= 0
        self._by_judge[kept.system[known], kept.judge[known]] = True
        if self._different is not None:
            self._different = np.union1d(self._different, kept.value)
            if len(self._different) > MOST_VALUES:
                self._different = None
        return cells

    @property
    def scores(self) -> Values:
        """The score of every system."""
        return np.asarray(self.mean / self.segments)

    @property
    def raw(self) -> Values:
        """The same from the scores as given."""
        return np.asarray(self.raw_mean / self.raw_segments)

    @property
    def inverse(self) -> Values:
        """Σ h²: one over the effective number of scores of every system."""
        return np.asarray(self.squares / self.segments**2)

    @property
    def by_judges(self) -> NDArray[np.bool_]:
        """[i, j]: have two systems a judge in common?"""
        system, judge = np.nonzero(self._by_judge)
        return in_common(system, judge, self.systems)

    @property
    def least_variance(self) -> float:
        """As `cells.least_variance`; nothing where very many different scores were given."""
        if self._different is None:
            return 0.0
        return float(np.diff(self._different).min(initial=1.0) ** 2) / 12


MOST_ENTRIES = 1 << 21  # numbers in a table of means

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


class Adjusted:
    """Sums of scores by judge, text and system, for the mixed model."""

    def __init__(self, sizes: tuple[Sizes, ...], resampling: Resampling, systems: int) -> None:
        self._resampling, self._sizes = resampling, sizes
        self.worth = min(own.worth for own in sizes)
        numbers = [len(own.known) + MOST_UNITS for own in sizes]  # unknown units come last
        self._sums = CellSums(resampling.unit, (*numbers, MOST_UNITS)[:2], systems)

    def add(self, piece: Piece, cells: Cells) -> None:
        """Add the scores of a piece."""
        codes = [own.codes_with_unknown(piece) for own in self._sizes]
        single = in_groups(piece.hashes("row"), MOST_UNITS)
        self._sums.add(piece.system, [*codes, single][:2], piece.value)

    def found(self, sums: SystemSums) -> Found:
        """By the mixed model."""
        unit, level = self._resampling.unit, self._resampling.level
        return adjusted(self._sums.cells(), unit, level, sums.least_variance)


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
