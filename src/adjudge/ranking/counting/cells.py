"""Event counts by cell, and shares computed from them.

Shares, with a default for empty denominators.

Counting methods count events, each in one cell.

A comparison of systems i < j is an event in one of the three cells of that pair: i better, equal,
j better. A system's part in a block is an event in one of the three cells of that system: beaten,
shared the top, alone at the top. The number of events in each cell is all a counting method
needs, so a bootstrap replicate is one row of cell counts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import Codes
from adjudge.data.votes.cells import BETTER, EQUAL, WORSE, Cells, Judged
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.counting.blocks import SHARED, SOLE, BlockCounts, block_results

Scores = NDArray[np.float64]  # (…, systems)


def share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> Scores:
    """Divide `part` by `whole` for every system (last axis).

    A system with an empty denominator (all its comparisons are ties, or a replicate drew none of
    them) takes the mean of the others, so that it is neither helped nor hurt; if all are empty, all
    take 1/2.
    """
    known = whole > 0
    shares = np.divide(part, whole, out=np.zeros(whole.shape), where=known)
    if known.all():
        return shares
    others = known.sum(axis=-1, keepdims=True)
    mean = np.divide(
        shares.sum(axis=-1, keepdims=True), others, out=np.full(others.shape, 0.5), where=others > 0
    )
    return np.where(known, shares, mean)


def win_ratio(counts: WinCounts) -> Scores:
    """Win ratio, wins / (wins + losses), the initial order of several methods."""
    wins = counts.wins.sum(axis=-1)
    return share(wins, wins + counts.wins.sum(axis=-2))


T = TypeVar("T")
CellCounts = NDArray[np.int64]  # (…, cells)


@dataclass(frozen=True, eq=False)
class Tally(Generic[T]):
    """Counted events, and the function from cell counts to a method's input."""

    counts: CellCounts
    statistics: Callable[[CellCounts], T]
    entries: int  # numbers in what a method takes, for one replicate
    # The ranking (of votes in cells: the kind of vote) and the cell of every event: only made
    # where units are drawn.
    events: Callable[[], tuple[Codes, Codes]]
    # What each cell stands for: two systems and the outcome, or a system and how a block ended.
    labels: tuple[NDArray[np.integer], ...]


def tally_wins(comparisons: Judged) -> Tally[WinCounts]:
    """Comparisons as events in the cells of the pairs of systems that met."""
    n = len(comparisons.systems)
    counted = count(comparisons)
    i, j = np.triu_indices(n, 1)
    of_pair = np.stack([counted.wins[j, i], counted.ties[i, j], counted.wins[i, j]], axis=-1)
    pair, outcome = np.nonzero(of_pair)  # the cells in which anything happened
    first, second = i[pair], j[pair]

    def statistics(counts: CellCounts) -> WinCounts:
        wins = np.zeros((*counts.shape[:-1], n, n), counts.dtype)
        ties = np.zeros_like(wins)
        for code, table, row, column in (
            (BETTER, wins, first, second),
            (WORSE, wins, second, first),
            (EQUAL, ties, first, second),
            (EQUAL, ties, second, first),
        ):
            given = outcome == code
            table[..., row[given], column[given]] = counts[..., given]
        return WinCounts(comparisons.systems, wins, ties)

    def events() -> tuple[Codes, Codes]:
        cell = np.zeros((n, n, 3), np.int32)
        cell[first, second, outcome] = np.arange(len(pair))
        cell[second, first, 2 - outcome] = np.arange(len(pair))  # shown the other way round
        if isinstance(comparisons, Cells):
            kind = np.arange(len(comparisons.first), dtype=np.int32)
            return kind, cell[comparisons.first, comparisons.second, comparisons.outcome]
        shown = comparisons.left * np.int32(3 * n)
        shown += comparisons.right * np.int32(3)
        shown += comparisons.outcome + np.int8(1)
        return comparisons.ranking, cell.ravel()[shown]

    return Tally(of_pair[pair, outcome], statistics, 2 * n * n, events, (first, second, outcome))


def tally_blocks(comparisons: Judged) -> Tally[BlockCounts]:
    """Systems in blocks as events in the three cells of each system."""
    n = len(comparisons.systems)
    times: NDArray[np.int64] | None = None
    if isinstance(comparisons, Cells):  # a vote is a block of two
        block = np.tile(np.arange(len(comparisons.first), dtype=np.int32), 2)
        system = np.concatenate([comparisons.first, comparisons.second])
        # How a vote ended for a system is how its block did: beaten, shared, sole.
        result = np.concatenate([comparisons.outcome, 2 - comparisons.outcome])
        times = np.tile(comparisons.kinds, 2)
    else:
        block, system, result = block_results(comparisons)

    def statistics(counts: CellCounts) -> BlockCounts:
        by_result = counts.reshape(*counts.shape[:-1], n, 3)
        sole = by_result[..., SOLE]
        return BlockCounts(
            comparisons.systems, by_result.sum(axis=-1), by_result[..., SHARED] + sole, sole
        )

    cell = system * np.int32(3) + result
    return Tally(
        np.bincount(cell, times, 3 * n).astype(np.int64),
        statistics,
        3 * n,
        lambda: (block, cell),
        np.divmod(np.arange(3 * n), 3),
    )
