"""What every judge said of every pair of systems, counted: all that `judge-aware` needs to know.

A cell is one judge and one pair of systems: three counts. The cost of a fit depends on the number
of cells, not of judgements.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import Comparisons
from adjudge.ranking.models.paired_comparison import Floats, Outcomes

Indices = NDArray[np.int64]

AT_ONCE = 1 << 18  # numbers in the blocks of the judges taken at a time


@dataclass(frozen=True, eq=False)
class Cells:
    """Distinct (judge, pair of systems); outcomes are those of `first`."""

    systems: int
    judges: int
    first: Indices
    second: Indices
    judge: Indices
    of_comparison: Indices  # 3 × cell + outcome
    worth: float  # what one comparison counts
    outcomes: Outcomes  # (cells,) each

    @property
    def shared(self) -> int:
        """How many parameters the judges share."""
        return self.systems + 1

    @property
    def of_judges(self) -> Floats:
        """How much each judge's comparisons count."""
        counts = sum(self.outcomes, np.zeros(len(self.first)))
        return np.asarray(np.bincount(self.judge, counts, self.judges), np.float64)

    def parts(self) -> Iterator[tuple[slice, "Cells"]]:
        """Some judges at a time, with their cells, which are in the order of judges."""
        some = max(1, AT_ONCE // (2 + self.systems) ** 2)
        for begin in range(0, self.judges, some):
            judges = slice(begin, min(begin + some, self.judges))
            here = slice(*np.searchsorted(self.judge, (judges.start, judges.stop)))
            yield judges, self._of(judges, here, self.judge[here] - begin)

    def every(self, nth: int) -> "Cells":
        """One judge in so many."""
        here = self.judge % nth == 0
        return self._of(slice(0, -(-self.judges // nth)), here, self.judge[here] // nth)

    def _of(self, judges: slice, here: slice | NDArray[np.bool_], judge: Indices) -> "Cells":
        return replace(
            self,
            judges=judges.stop - judges.start,
            first=self.first[here],
            second=self.second[here],
            judge=judge,
            of_comparison=self.of_comparison[:0],  # comparisons are weighted before
            outcomes=Outcomes(*(counts[here] for counts in self.outcomes)),
        )

    def weighted(self, weights: NDArray[np.int64]) -> "Cells":
        """The same cells when every comparison counts `weights` times."""
        number = len(self.first)
        tally = np.bincount(self.of_comparison, weights, 3 * number).reshape(number, 3)
        return replace(self, outcomes=Outcomes(*(self.worth * tally.T)))


def cells(comparisons: Comparisons, judge: Indices, worth: float) -> Cells:
    """The cells of all comparisons, by `judge`; every comparison counts `worth`."""
    n = len(comparisons.systems)
    left, right = comparisons.left.astype(np.int64), comparisons.right.astype(np.int64)
    swapped = left > right
    first, second = np.where(swapped, right, left), np.where(swapped, left, right)
    outcome = np.where(swapped, -comparisons.outcome, comparisons.outcome)
    distinct, cell = np.unique((judge * n + first) * n + second, return_inverse=True)
    of_comparison = 3 * cell + np.array([1, 2, 0])[outcome + 1]  # worse, tied, better
    empty = Cells(
        systems=n,
        judges=int(judge.max()) + 1,
        first=distinct // n % n,
        second=distinct % n,
        judge=distinct // n**2,
        of_comparison=of_comparison,
        worth=worth,
        outcomes=Outcomes(*np.zeros((3, len(distinct)))),
    )
    return empty.weighted(np.ones(len(left), np.int64))
