"""Win counts: all that a count method needs to know of a campaign.

`wins[i, j]` is how often system i was ranked better than system j, `ties[i, j]` how often they
were ranked equal (symmetric, each tie once in either cell). An optional leading axis holds
replicates, so a method that is a function of the counts ranks a thousand bootstrap replicates
in one call.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.judgement_table import is_reference
from adjudge.data.votes.cells import Cells, Judged

Counts = NDArray[np.int64]

AT_ONCE = 1 << 15


@dataclass(frozen=True, eq=False)
class WinCounts:
    """How often each system beat and tied each other one."""

    systems: tuple[str, ...]
    wins: Counts
    ties: Counts

    @property
    def comparisons(self) -> Counts:
        """How many comparisons each pair of systems has."""
        return self.wins + np.swapaxes(self.wins, -1, -2) + self.ties

    def keep(self, systems: NDArray[np.bool_]) -> "WinCounts":
        """The counts among the systems in the mask."""
        kept = np.flatnonzero(systems)
        return WinCounts(
            tuple(self.systems[i] for i in kept),
            self.wins[..., kept[:, None], kept],
            self.ties[..., kept[:, None], kept],
        )

    def without_reference(self) -> "WinCounts":
        """The counts among the systems proper."""
        return self.keep(np.array([not is_reference(system) for system in self.systems], bool))


def count(comparisons: Judged) -> WinCounts:
    """Tally the comparisons."""
    n = len(comparisons.systems)
    if isinstance(comparisons, Cells):
        by_end = np.zeros((3, n, n), np.int64)
        kind = (comparisons.outcome, comparisons.first, comparisons.second)
        np.add.at(by_end, kind, comparisons.kinds)
        lost, tied, won = by_end
        return WinCounts(comparisons.systems, won + lost.T, tied + tied.T)
    tally = np.zeros(3 * n * n, np.int64)
    # A batch at a time, so that what is in between stays in the processor's cache.
    for first in range(0, len(comparisons), AT_ONCE):
        batch = slice(first, first + AT_ONCE)
        cell = comparisons.left[batch] * np.int64(3 * n)
        cell += comparisons.right[batch] * np.int64(3)
        cell += comparisons.outcome[batch] + np.int8(1)
        tally += np.bincount(cell, minlength=3 * n * n)
    by_outcome = tally.reshape(n, n, 3)
    wins = by_outcome[..., 2] + by_outcome[..., 0].T
    ties = by_outcome[..., 1] + by_outcome[..., 1].T
    return WinCounts(comparisons.systems, wins, ties)
