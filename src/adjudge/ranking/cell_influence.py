"""Influence of every judge × document cell on every score, summed over its events.

Events (comparisons, systems in blocks) are counted by ranking, some rankings at a time, and never
spread out over pairs of systems and cells at once. Units that make too many cells are put into
groups at random, as they are for drawing (`stats.resampling`). Votes are counted in their cells
already (`data.votes.cells`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.data.comparisons import Comparisons
from adjudge.data.votes.cells import Cells, Judged
from adjudge.ranking.counting.cells import Tally
from adjudge.ranking.counting.influence import Influence
from adjudge.ranking.resampling import ranking_units
from adjudge.stats.crossed import CellInfluence, SingleInfluence
from adjudge.stats.replicates import sums_by_row
from adjudge.stats.resampling import Codes, Drawing, Floats, Unit, crossed, drawing

AT_ONCE = 1 << 15  # rankings
GROUPS_SEED = 1


@dataclass(frozen=True, eq=False)
class Evidence:
    """Cells behind the scores, and the effective number of rankings behind each score."""

    cells: CellInfluence | SingleInfluence
    rankings: Floats  # (systems,)
    single: NDArray[np.bool_]  # (systems,): judged by a single unit of either kind


def crossing(comparisons: Comparisons, unit: Unit) -> Drawing:
    """Cells of two units; with a single unit, of that unit and single rankings."""
    known = ranking_units(comparisons, unit)
    if len(known) == 1 and unit != "ranking":
        known = (*known, *ranking_units(comparisons, "ranking"))
    return drawing(known, GROUPS_SEED)


def evidence(judged: Judged, tally: Tally[Any], influence: Influence, unit: Unit) -> Evidence:
    """Compute influence and weight of every cell, and the effective number of rankings of every
    score.
    """
    if isinstance(judged, Cells):
        return _of_votes(judged, tally, influence, unit)
    cells, squares = cell_influence(judged, tally, influence, unit)
    kinds = (cells.first, cells.second) if "+" in unit else (cells.first,)
    return Evidence(cells, _over(squares), _by_one_unit(cells.weight, kinds))


def cell_influence(
    comparisons: Comparisons, tally: Tally[Any], influence: Influence, unit: Unit
) -> tuple[CellInfluence, Floats]:
    """Compute influence and weight of every cell, and the sums of squared weights of rankings."""
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
    return CellInfluence(moves, weight, cells.units[0], cells.units[-1]), squares


def _of_votes(votes: Cells, tally: Tally[Any], influence: Influence, unit: Unit) -> Evidence:
    """Evidence of votes, which are rankings of one comparison."""
    events = _by_ranking(tally, len(votes.first))
    moves, weight = events @ influence.influence, events @ influence.weight
    times = votes.kinds.astype(np.float64)
    rankings = _over(times @ weight**2)
    if unit == "ranking":
        single = times @ (weight > 0) < 2
        return Evidence(SingleInfluence(moves, weight, times, None), rankings, single)
    crossing = votes.crossing(unit)
    known = ranking_units(votes, unit)
    if len(known) == 1:
        number = known[0].number
        of_units = [
            sums_by_row(crossing.times(x), known[0].code, number)
            for x in (moves, weight, weight**2)
        ]
        single = (of_units[1] > 0).sum(axis=0) < 2
        alike = SingleInfluence(moves, weight, times, (of_units[0], of_units[1], of_units[2]))
        return Evidence(alike, rankings, single)
    row, units = crossed(known)
    summed = [sums_by_row(crossing.times(x), row, len(units[0])) for x in (moves, weight)]
    cells = CellInfluence(summed[0], summed[1], units[0], units[1])
    return Evidence(cells, rankings, _by_one_unit(cells.weight, units))


def _over(squares: Floats) -> Floats:
    """Effective number 1 / Σ h², 0 without observations."""
    return np.divide(1, squares, out=np.zeros(len(squares)), where=squares > 0)


def _by_one_unit(weight: Floats, kinds: tuple[Codes, ...]) -> NDArray[np.bool_]:
    """Systems that only one unit of either kind judged."""
    single = np.zeros(weight.shape[1], bool)
    for code in kinds:
        weighs = weight > 0
        lowest = np.where(weighs, code[:, None], code.max() + 1).min(axis=0)
        highest = np.where(weighs, code[:, None], -1).max(axis=0)
        single |= lowest >= highest
    return single


def _by_ranking(tally: Tally[Any], rankings: int) -> sparse.csr_array:
    """Event counts of each cell of the tally in each ranking (rankings, cells of the tally)."""
    ranking, cell = tally.events()
    if (np.diff(ranking) < 0).any():
        order = np.argsort(ranking, kind="stable")
        ranking, cell = ranking[order], cell[order]
    starts = np.searchsorted(ranking, np.arange(rankings + 1))
    return sparse.csr_array((np.ones(len(cell)), cell, starts), shape=(rankings, len(tally.counts)))
