"""Votes as counts in cells: all that a ranking with its uncertainty needs to know of them.

A vote is a ranking of one comparison. Of two votes by the same judge on the same segment that
compare the same systems with the same outcome, nothing tells which is which: it is enough to know
how many there are. So votes are the numbers of every kind (two systems and an outcome) in every
cell (a judge and a segment), and no vote has a number of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import Codes, Comparisons

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

WORSE, EQUAL, BETTER = range(3)  # how a vote on two systems ended for the first
AT_ONCE = 1 << 21  # numbers of a dense table taken at a time
# Products of so few numbers are done by one thread: more cost more than they give, if a table is
# narrow. At least so many cells at a time must make one.
ALONE, FEWEST = 1 << 18, 16


@dataclass(frozen=True, eq=False)
class Crossing:
    """Cells of judges, of segments, or of both: how many votes of every kind each holds.

    Where there are too many units they are in groups by the hash of their names, and a group
    stands for a unit (`gathering`).
    """

    counts: Any  # (cells, kinds), dense or sparse
    units: Mapping[str, Codes]  # of each cell: the judge, the segment; −1 where it is unknown

    @cached_property
    def size(self) -> Numbers:
        """The votes in every cell."""
        return np.asarray(self.counts.sum(axis=1, dtype=np.int64)).ravel()

    def times(self, values: Floats) -> Floats:
        """(cells, columns): `values` (kinds, columns) added up over the votes of every cell."""
        if not isinstance(self.counts, np.ndarray):
            return np.asarray(self.counts @ values)
        return np.concatenate([part @ values for _, part in self._parts(values.size)])

    def weighed(self, weights: Floats) -> Floats:
        """(rows, kinds): the votes of all cells, which weigh as `weights` (rows, cells) says."""
        if not isinstance(self.counts, np.ndarray):
            return np.asarray(weights @ self.counts)
        parts = self._parts(weights.size)
        return np.asarray(sum(weights[:, cells] @ part for cells, part in parts))

    def _parts(self, by: int) -> Iterator[tuple[slice, Floats]]:
        """Some cells after the other, with their counts as floating-point numbers.

        They are to be multiplied by so many numbers.
        """
        cells, kinds = self.counts.shape
        alone = ALONE // max(by, 1)
        some = alone if alone >= FEWEST else max(1, AT_ONCE // max(kinds, 1))
        for begin in range(0, cells, some):
            part = slice(begin, begin + some)
            yield part, self.counts[part].astype(np.float64)

    def among(self, kinds: NDArray[np.bool_]) -> "Crossing":
        """The same without the votes of other kinds."""
        return Crossing(self.counts[:, np.flatnonzero(kinds)], self.units).held()

    def held(self) -> "Crossing":
        """The cells that hold any vote."""
        holds = np.flatnonzero(self.size)
        if len(holds) == len(self.size):
            return self
        units = {unit: codes[holds] for unit, codes in self.units.items()}
        return Crossing(self.counts[holds], units)


@dataclass(frozen=True, eq=False)
class Cells:
    """Votes of one language pair, as numbers of each kind in cells."""

    pair: str
    systems: tuple[str, ...]
    first: Codes  # (kinds,): the two systems that are compared, the first of lower code
    second: Codes
    outcome: Codes  # (kinds,): WORSE, EQUAL or BETTER, for the first
    crossings: Mapping[str, Crossing]  # by unit: "judge+segment", …
    numbers: Mapping[str, int]  # of units that are in groups: about how many there are

    @cached_property
    def kinds(self) -> Numbers:
        """How many votes there are of every kind."""
        crossing = next(iter(self.crossings.values()))
        return np.asarray(crossing.counts.sum(axis=0, dtype=np.int64)).ravel()

    def __len__(self) -> int:
        return int(self.kinds.sum())

    @property
    def widest(self) -> Crossing:
        """The cells that tell the most units apart."""
        return max(self.crossings.values(), key=lambda crossing: len(crossing.units))

    def crossing(self, unit: str) -> Crossing:
        """The cells of this unit, or such as tell it apart besides others."""
        taken = set(unit.split("+"))
        fitting = [c for c in self.crossings.values() if taken <= set(c.units)]
        return min(fitting, key=lambda crossing: len(crossing.units), default=self.widest)

    def among(self, kept: NDArray[np.bool_]) -> "Cells":
        """The votes among the systems kept, and these alone in the vocabulary."""
        if kept.all():
            return self
        part = self.of_kinds(kept[self.first] & kept[self.second])
        code = (np.cumsum(kept) - 1).astype(np.int32)
        names = tuple(s for s, keep in zip(self.systems, kept, strict=True) if keep)
        return replace(part, systems=names, first=code[part.first], second=code[part.second])

    def of_kinds(self, kinds: NDArray[np.bool_]) -> "Cells":
        """The votes of these kinds."""
        if kinds.all():
            return self
        return replace(
            self,
            first=self.first[kinds],
            second=self.second[kinds],
            outcome=self.outcome[kinds],
            crossings={unit: cells.among(kinds) for unit, cells in self.crossings.items()},
        )


Judged = Comparisons | Cells
