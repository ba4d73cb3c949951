"""Bootstrap of comparisons: resampling units and the input of methods in every replicate.

Every unit but the comparison itself is made of whole rankings, so observations are rankings.
Counting methods (`CountMethod`, `BlockMethod`) never see drawn comparisons: they take the number of
events in each of a few hundred cells (`counting.cells`). Refitted methods take a weight per
comparison.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.core.errors import NotEnoughData
from adjudge.data.comparisons import Comparisons
from adjudge.data.votes.cells import Cells, Crossing, Judged
from adjudge.data.win_counts import count
from adjudge.ranking.counting.cells import Tally
from adjudge.stats.design_effects import Deviations
from adjudge.stats.replicates import (
    replicated_cells,
    replicated_counts,
    replicated_sums,
)
from adjudge.stats.resampling import (
    Floats,
    Resampling,
    Unit,
    Units,
    Weights,
    crossed,
    generator,
    observation_weights,
    units_of,
)

T = TypeVar("T")

# The first is the default.
RANKING_UNITS: tuple[Unit, ...] = (
    "ranking",
    "none",
    "comparison",
    "hit",
    "segment",
    "document",
    "judge",
    "judge+segment",
    "judge+document",
)
SMALLEST: tuple[Unit, ...] = ("none", "comparison")


def ranking_units(comparisons: Judged, unit: Unit) -> tuple[Units, ...]:
    """Resampling units of the rankings, two for a joint unit; refuse unknown units.

    For votes in cells, the units of every cell.
    """
    if isinstance(comparisons, Cells):
        return _cell_units(comparisons, comparisons.crossing(unit), unit)
    size = np.bincount(comparisons.ranking, minlength=len(comparisons.rankings))
    return tuple(_units(comparisons, name, size) for name in unit.split("+"))


def _cell_units(votes: Cells, cells: Crossing, unit: Unit) -> tuple[Units, ...]:
    """Units of cells; a cell itself is called a HIT, which is resampled in the same way."""
    if unit == "hit":
        number, _ = crossed(_cell_units(votes, cells, cast(Unit, "+".join(cells.units))))
        return (units_of(number, unit, size=cells.size, about=votes.pair),)
    unknown = np.full(len(cells.size), -1, np.int32)
    return tuple(
        units_of(cells.units.get(name, unknown), name, size=cells.size, about=votes.pair)
        for name in unit.split("+")
    )


def _units(comparisons: Comparisons, name: str, size: NDArray[np.int64]) -> Units:
    if name == "ranking":
        label = np.arange(len(size), dtype=np.int32)
    else:
        label = np.full(len(size), -1, np.int32)
        label[comparisons.ranking] = getattr(comparisons, name)
    return units_of(label, name, size=size, about=comparisons.pair)


def possible_units(comparisons: Judged) -> dict[Unit, tuple[Units, ...]]:
    """Units larger than a comparison that can be resampled with these judgements.

    For votes in cells, units larger than a vote, taken from the most detailed cells.
    """
    possible: dict[Unit, tuple[Units, ...]] = {}
    for unit in RANKING_UNITS:
        with suppress(NotEnoughData):
            if isinstance(comparisons, Cells) and unit not in (*SMALLEST, "ranking", "hit"):
                possible[unit] = _cell_units(comparisons, comparisons.widest, unit)
            elif not isinstance(comparisons, Cells) and unit not in SMALLEST:
                possible[unit] = ranking_units(comparisons, unit)
    return possible


def effective_number(comparisons: Judged, unit: Unit) -> float:
    """Effective number of units."""
    if unit == "none":
        return np.inf
    if unit == "comparison" or (isinstance(comparisons, Cells) and unit == "ranking"):
        return float(len(comparisons))
    return min(units.effective_number for units in ranking_units(comparisons, unit))


def comparison_weights(comparisons: Comparisons, resampling: Resampling, replicate: int) -> Weights:
    """Weight of each comparison in one replicate, for refitted methods."""
    if resampling.unit == "none":
        return np.ones(len(comparisons), np.int64)
    if resampling.unit == "comparison":
        number = len(comparisons)
        drawn = generator(resampling.seed, replicate).integers(0, number, number)
        return np.bincount(drawn, minlength=number)
    units = ranking_units(comparisons, resampling.unit)
    return observation_weights(units, resampling.seed, replicate)[comparisons.ranking]


def replicated(comparisons: Judged, tally: Tally[T], resampling: Resampling) -> Iterator[T]:
    """Input of a counting method for all replicates, in blocks."""
    if isinstance(comparisons, Cells):
        drawn = _replicated_votes(comparisons, tally, resampling)
    elif resampling.unit == "comparison":
        drawn = replicated_counts(tally.counts, resampling, tally.entries)
    else:
        units = ranking_units(comparisons, resampling.unit)
        ranking, cell = tally.events()
        drawn = replicated_cells(units, ranking, cell, len(tally.counts), resampling, tally.entries)
    return map(tally.statistics, drawn)


def _replicated_votes(
    votes: Cells, tally: Tally[T], resampling: Resampling
) -> Iterator[NDArray[np.int64]]:
    """Event counts in replicates that draw votes, or units of votes."""
    kind, cell = tally.events()
    shape = (len(votes.first), len(tally.counts))
    events = sparse.csr_array((np.ones(len(kind), np.int64), (kind, cell)), shape=shape)
    if resampling.unit in ("comparison", "ranking"):
        order = np.lexsort((votes.outcome, votes.second, votes.first))  # as comparisons are drawn
        for counts in replicated_counts(votes.kinds[order], resampling, tally.entries):
            yield np.asarray(counts @ events[order])
        return
    units = ranking_units(votes, resampling.unit)
    crossing = votes.crossing(resampling.unit)

    def weighed(weights: Floats) -> Floats:
        return np.asarray(crossing.weighed(weights) @ events)

    yield from replicated_sums(units, weighed, resampling, tally.entries)


class DesignEffects:
    """Design effects of the units of rankings.

    They are computed for the share of comparisons won, ties counting half, whatever the ranking
    method: they are a property of the judgements. The baseline is independent single comparisons.
    """

    def __init__(self, comparisons: Judged) -> None:
        self._comparisons = comparisons
        counts = count(comparisons)
        won, lost, tied = (table.sum(axis=1) for table in (counts.wins, counts.wins.T, counts.ties))
        mean = (won + tied / 2) / (won + lost + tied)
        independent = won * (1 - mean) ** 2 + lost * mean**2 + tied * (0.5 - mean) ** 2
        self._mean, self._independent = mean, independent

    @cached_property
    def _deviations(self) -> Deviations:
        """Deviations of every ranking; for votes, of every cell."""
        judged = self._comparisons
        if isinstance(judged, Cells):
            return Deviations(_by_cell(judged, self._mean), self._independent)
        return Deviations(_by_ranking(judged, self._mean), self._independent)

    @cached_property
    def of_units(self) -> dict[Unit, float]:
        """Design effect of every unit these judgements allow."""
        effects: dict[Unit, float] = {"comparison": 1.0}
        if isinstance(self._comparisons, Cells):
            effects["ranking"] = self.of_rankings()
        for unit, units in possible_units(self._comparisons).items():
            effects[unit] = self._deviations.effect(units)
        return effects

    def of_rankings(self) -> float:
        """Design effect of rankings, 1 for a single ranking."""
        if isinstance(self._comparisons, Cells):  # n/(n − 1): votes are independent
            return len(self._comparisons) / max(len(self._comparisons) - 1, 1)
        try:
            return self._deviations.effect(ranking_units(self._comparisons, "ranking"))
        except NotEnoughData:
            return 1.0

    def contraction(self, unit: Unit) -> float:
        """Factor that shrinks the replicates of a bootstrap over `unit`."""
        if "+" not in unit:
            return 1.0
        return self._deviations.contraction(ranking_units(self._comparisons, unit))


def _by_ranking(comparisons: Comparisons, mean: Floats) -> Floats | sparse.csr_array:
    """Summed deviations of every system in every ranking; sparse if most are zero."""
    systems, rankings = len(mean), len(comparisons.rankings)
    left = comparisons.outcome / 2 + 0.5 - mean[comparisons.left]
    right = 0.5 - comparisons.outcome / 2 - mean[comparisons.right]
    if rankings * systems > 8 * len(comparisons):
        place = (
            np.tile(comparisons.ranking, 2),
            np.concatenate([comparisons.left, comparisons.right]),
        )
        shape = (rankings, systems)
        return sparse.csr_array((np.concatenate([left, right]), place), shape=shape)
    start = comparisons.ranking * np.int64(systems)
    sums = np.bincount(start + comparisons.left, left, rankings * systems)
    sums += np.bincount(start + comparisons.right, right, rankings * systems)
    return sums.reshape(rankings, systems)


def _by_cell(votes: Cells, mean: Floats) -> Floats:
    """Summed deviations of every system in every cell."""
    kind = np.arange(len(votes.first))
    won = votes.outcome / 2
    deviation = np.zeros((len(kind), len(mean)))
    deviation[kind, votes.first] = won - mean[votes.first]
    deviation[kind, votes.second] = 1 - won - mean[votes.second]
    return votes.widest.times(deviation)
