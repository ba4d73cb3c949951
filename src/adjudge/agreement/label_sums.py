"""Agreement from streamed sums over labels, a few segments at a time.

The sufficient statistics of a coefficient and its interval are sums of the labels' columns (agree,
comparable, tie, counted: `conventions.Evidence.columns`) c and of the number w of labels each can
be compared with. With Σ c over a unit c_u and Σ w over it w_u, the moments of `stats.crossed`
are

    Q = ∇fᵀ (Σ_u c_u c_uᵀ) ∇f        H_k = Σ_u w_u^k / (Σ w)^k

for segments, for cells (a judge and a segment) and for single labels, where nothing but these sums
is kept, and for judges, whose labels lie on many segments: of each of them the sums are kept.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.chance import Floats
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.crossed_variance import ENDS, LEAST_JUDGES, variance_of
from adjudge.agreement.labels import UNKNOWN, Ints, dense
from adjudge.stats import population as populations
from adjudge.stats.bootstrap import slopes
from adjudge.stats.crossed import POWERS, Moments, UnitMoments, power_sums
from adjudge.stats.resampling import Unit

Keys = NDArray[np.uint64]

COLUMNS = 4
COMPARABLE = 1  # the column that is w
MOST_JUDGES = 1 << 18  # kept apart; more are in so many groups by the hash of their names
MOST_WAITING = 1 << 12  # sums to be added up, or as many as there are judges
_CELL, _MET, _LABEL = range(COLUMNS, COLUMNS + 3)  # of a judge: Σ w_c², Σ w_c w_d, Σ w_l²


class JudgeSums:
    """Sums over the labels of every judge, keyed by the hash of the name."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._keys: list[Keys] = [np.zeros(0, np.uint64)]
        self._sums: list[Floats] = [np.zeros((0, COLUMNS + 3))]
        self._mask = np.uint64(2**64 - 1)
        self._waiting = 0

    def add(self, keys: Keys, sums: Floats) -> None:
        """Add sums of labels of these judges, each judge occurring once."""
        self._keys.append(keys)
        self._sums.append(sums)
        self._waiting += len(keys)
        if self._waiting > max(len(self._keys[0]), MOST_WAITING):
            self.sums()

    def sums(self) -> Floats:
        """Sums per judge or group of judges (judges, sums)."""
        keys, every = np.concatenate(self._keys) & self._mask, np.concatenate(self._sums)
        known, code = np.unique(keys, return_inverse=True)
        if len(known) > self._most:
            self._mask = np.uint64(self._most - 1)
            known, code = np.unique(keys & self._mask, return_inverse=True)
        summed = _summed(every, code, len(known))
        self._keys, self._sums, self._waiting = [known], [summed], 0
        return summed


@dataclass(eq=False)
class UnitSums:
    """Moments of sums over units that do not recur: segments, cells or labels."""

    squares: Floats = field(default_factory=lambda: np.zeros((COLUMNS, COLUMNS)))  # Σ c cᵀ
    powers: Floats = field(default_factory=lambda: np.zeros(len(POWERS)))  # Σ w², …, Σ w⁵
    number: int = 0  # that have something to compare

    def add(self, columns: Floats) -> None:
        """Add units with these column sums (units × columns)."""
        weight = columns[:, COMPARABLE]
        self.squares += columns.T @ columns
        self.powers += power_sums(weight[:, None], 1)[0]
        self.number += int(np.count_nonzero(weight))


class LabelSums:
    """Sufficient statistics of one kind of agreement, under one convention."""

    def __init__(self, across: bool, most_judges: int | None = None) -> None:
        self.across = across
        self.total = np.zeros(COLUMNS)
        self.segments, self.cells, self.labels = UnitSums(), UnitSums(), UnitSums()
        self.judges = JudgeSums(most_judges or MOST_JUDGES)
        self._nobody = np.zeros((COLUMNS, COLUMNS))  # Σ c cᵀ of labels whose judge is unknown
        self._cell_on_segment = self._label_on_segment = 0.0  # Σ w_c² w_d, Σ w_l² w_d
        self._segments = 0

    def add(self, evidence: Evidence, keys: Keys) -> None:
        """Add the labels of whole segments; `keys` are the hashes of their judges' names."""
        labels, columns = evidence.labels, evidence.columns.astype(np.float64)
        segment, judge = dense(labels.segment), labels.judge
        unknown = np.array([name == UNKNOWN for name in labels.judges], bool)[judge]
        # Everyone who is not known is somebody else.
        own = dense(np.where(unknown, len(labels.judges) + np.arange(len(judge)), judge))
        cell = dense(segment * (int(own.max(initial=0)) + 1) + own)
        by_segment, by_cell = _summed(columns, segment), _summed(columns, cell)
        self.total += columns.sum(axis=0)
        self.segments.add(by_segment)
        self.cells.add(by_cell)
        self.labels.add(columns)
        self._nobody += columns[unknown].T @ columns[unknown]
        self._segments += len(by_segment)
        of_cell = np.zeros((len(by_cell), 2), np.int64)  # its segment, its judge
        of_cell[cell, 0], of_cell[cell, 1] = segment, np.where(unknown, -1, judge)
        weight, on = by_cell[:, COMPARABLE], by_segment[of_cell[:, 0], COMPARABLE]
        single = columns[:, COMPARABLE]
        self._cell_on_segment += float((weight**2 * on).sum())
        self._label_on_segment += float((single**2 * by_segment[segment, COMPARABLE]).sum())
        known = of_cell[:, 1] >= 0
        code, number = of_cell[known, 1], len(keys)
        squares = np.bincount(cell, single**2, len(by_cell))
        beside = np.column_stack([weight**2, weight * on, squares])
        every = np.column_stack([by_cell, beside])
        self.judges.add(keys, _summed(every[known], code, number))

    def add_single(
        self, tied: NDArray[np.bool_], judge: Ints, keys: Keys, counted: bool = True
    ) -> None:
        """Add labels that are alone on their segments: each has c = (0, 0, tie, 1), or 0 if not
        `counted`.

        `judge` is −1 if unknown, else an index into `keys`.
        """
        self._segments += len(tied)
        if not counted:
            return
        known = judge >= 0
        self.total += np.array([0, 0, np.count_nonzero(tied), len(tied)])
        squares = _squares_of_singles(tied)
        for units in (self.segments, self.cells, self.labels):
            units.squares += squares
        self._nobody += _squares_of_singles(tied[~known])
        sums = np.zeros((len(keys), COLUMNS + 3))
        for column, weights in ((2, tied[known]), (3, None)):
            sums[:, column] = np.bincount(judge[known], weights, len(keys))
        self.judges.add(keys, sums)

    @property
    def unit(self) -> Unit:
        """Unit chosen by `auto`: judges and segments, as far as comparable labels allow."""
        least = {"judge": LEAST_JUDGES, "segment": populations.LEAST_EFFECTIVE}
        by_judge = self.judges.sums()[:, COMPARABLE]
        squares = {"judge": (by_judge**2).sum(), "segment": self.segments.powers[0]}
        total = self.total[COMPARABLE] ** 2
        taken = [name for name in least if total >= (least[name] - 1e-9) * max(squares[name], 1)]
        return cast(Unit, "+".join(taken) or "segment")

    def holds_for(self, unit: Unit) -> str:
        """Population for which intervals by this unit hold."""
        judges = int(np.count_nonzero(self.judges.sums()[:, COMPARABLE]))
        numbers: dict[Unit, int] = {"judge": judges, "segment": self.segments.number, "document": 0}
        return populations.population_of(numbers, unit)

    def spread(
        self, function: Callable[[Floats], Floats], unit: Unit
    ) -> tuple[float, float] | None:
        """Variance of a function of the sums, and its degrees of freedom.

        The streaming equivalent of `crossed_variance.coefficient_spreads`. None if the labels have
        no known units.
        """
        judges = int(self.judges.sums().any(axis=1).sum()) + int(self._nobody.any())
        number = {"judge": judges, "segment": self._segments}
        if not self.total[COMPARABLE] or any(number[name] < 2 for name in unit.split("+")):
            return None
        between = self.across and "judge" in unit
        slope = slopes(self.total, lambda sums: np.atleast_1d(function(sums)))[:, 0]
        of_ends = slope.copy()
        of_ends[2:] /= 2 if between else 1
        moments = self._moments(unit, slope, of_ends)
        return variance_of(moments, ENDS if between else 1.0)[:2]

    def _moments(self, unit: Unit, slope: Floats, ends: Floats) -> Moments:
        weight = self.total[COMPARABLE]
        first, *second = unit.split("+")
        judges = self.judges.sums()
        own = judges[:, COMPARABLE]
        if first == "judge":
            squares = judges[:, :COLUMNS].T @ judges[:, :COLUMNS] + self._nobody
            powers = power_sums(own[:, None], 1)[0]
            number = int(np.count_nonzero(own))
        else:
            squares, powers = self.segments.squares, self.segments.powers
            number = self.segments.number
        cells = self.cells if second else self.labels
        if second:
            shared, leaked = float(own @ judges[:, _CELL]), float(own @ judges[:, _MET])
        else:
            on_segment = self._label_on_segment
            shared = float(own @ judges[:, _LABEL]) if first == "judge" else on_segment
            leaked = shared
        single = _moments_of(cells.squares, cells.powers, cells.number, slope, weight)
        cell = _overlapping(single, single, float(single.powers[0, 1]))
        one = _moments_of(squares, powers, number, ends, weight)
        other = cell
        if second:
            other = _moments_of(
                self.segments.squares, self.segments.powers, self.segments.number, slope, weight
            )
            other = _overlapping(other, cell, self._cell_on_segment / weight**3)
        leak = cell.squares - 2 * leaked / weight**3 + one.squares * other.squares
        return Moments(_overlapping(one, cell, shared / weight**3), other, cell, leak)


def _moments_of(
    squares: Floats, powers: Floats, number: int, slope: Floats, weight: float
) -> UnitMoments:
    """Moments of units; `_overlapping` adds their overlap with cells."""
    shares = powers / weight ** np.array(POWERS)
    product = np.array([[slope @ squares @ slope]])
    return UnitMoments(product, shares[None], np.zeros(1), np.array([float(number)]))


def _overlapping(unit: UnitMoments, cell: UnitMoments, shared: float) -> UnitMoments:
    """Add the overlap term K = Σ_c h_c² (1 − 2 h_u(c) + H2), where `shared` is Σ_c h_c² h_u(c)."""
    overlap = cell.squares * (1 + unit.squares) - 2 * shared
    return UnitMoments(unit.product, unit.powers, overlap, unit.number)


def _squares_of_singles(tied: NDArray[np.bool_]) -> Floats:
    """Sum of outer products Σ c cᵀ of c = (0, 0, tie, 1)."""
    squares = np.zeros((COLUMNS, COLUMNS))
    squares[2:, 2:] = np.count_nonzero(tied)
    squares[3, 3] = len(tied)
    return squares


def _summed(columns: Floats, code: Ints, number: int | None = None) -> Floats:
    size = int(code.max(initial=-1)) + 1 if number is None else number
    return np.stack([np.bincount(code, column, size) for column in columns.T], axis=1)
