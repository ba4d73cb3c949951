"""What every judge × document cell adds to every score: sums of the influence of its events.

Events (comparisons, systems in blocks) are counted by ranking, some rankings at a time, and never
spread out over pairs of systems and cells at once. Units that make too many cells are put into
groups at random, as they are for drawing (`statistics.drawing`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from adjudge.comparisons.comparisons import Comparisons
from adjudge.ranking.counting.cells import Tally
from adjudge.ranking.counting.influence import Influence
from adjudge.ranking.resampling import ranking_units
from adjudge.statistics.crossed import CellInfluence
from adjudge.statistics.drawing import Drawing, drawing
from adjudge.statistics.resampling import Unit
from adjudge.statistics.units import Floats

AT_ONCE = 1 << 15  # rankings
GROUPS_SEED = 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """The cells behind the scores, and how many rankings of equal weight each score rests on."""

    cells: CellInfluence
    rankings: Floats  # (systems,)


def crossing(comparisons: Comparisons, unit: Unit) -> Drawing:
    """The cells of two units; where one is known, of that unit and single rankings."""
    known = ranking_units(comparisons, unit)
    if len(known) == 1 and unit != "ranking":
        known = (*known, *ranking_units(comparisons, "ranking"))
    return drawing(known, GROUPS_SEED)


def evidence(
    comparisons: Comparisons, tally: Tally[Any], influence: Influence, unit: Unit
) -> Evidence:
    """Influence and weight of every cell, and the effective number of rankings of every score."""
    cells = crossing(comparisons, unit)
    events = _by_ranking(tally, len(comparisons.rankings))
    systems = influence.weight.shape[1]
    moves, weight = np.zeros((cells.rows, systems)), np.zeros((cells.rows, systems))
    squares = np.zeros(systems)
    for begin in range(0, events.shape[0], AT_ONCE):
        piece = slice(begin, begin + AT_ONCE)
        row = cells.row[piece]
        into = sparse.csr_array(
            (np.ones(len(row)), (row, np.arange(len(row)))), shape=(cells.rows, len(row))
        )
        weights = events[piece] @ influence.weight
        moves += into @ (events[piece] @ influence.influence)
        weight += into @ weights
        squares += (weights**2).sum(axis=0)
    number = np.divide(1, squares, out=np.zeros(systems), where=squares > 0)
    return Evidence(CellInfluence(moves, weight, cells.units[0], cells.units[-1]), number)


def _by_ranking(tally: Tally[Any], rankings: int) -> sparse.csr_array:
    """(rankings, cells of the tally): how many events of each cell a ranking has."""
    ranking, cell = tally.events()
    if (np.diff(ranking) < 0).any():
        order = np.argsort(ranking, kind="stable")
        ranking, cell = ranking[order], cell[order]
    starts = np.searchsorted(ranking, np.arange(rankings + 1))
    return sparse.csr_array((np.ones(len(cell)), cell, starts), shape=(rankings, len(tally.counts)))
