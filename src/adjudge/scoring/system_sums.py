"""What scores that come piece by piece add to systems, whatever is drawn."""

import numpy as np
from numpy.typing import NDArray

from adjudge.scoring.assessment import in_common
from adjudge.scoring.cells import Cells, segment_cells
from adjudge.scoring.gathered_scores import Piece
from adjudge.scoring.score_matrix import Values

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
        self.number, self.value, self.squared = np.zeros((3, systems))  # of scores: 1, y, y²
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
        self.value += np.bincount(kept.system, kept.value, self.systems)
        self.squared += np.bincount(kept.system, kept.value**2, self.systems)
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
    def deviations(self) -> float:
        """Σ (y − s)² over all scores, s being the score of the system."""
        s = self.scores
        return float((self.squared - 2 * s * self.value + self.number * s**2).sum())

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
