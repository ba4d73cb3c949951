"""What the bootstrap draws of comparisons, and what methods are given in every replicate.

Every unit but the comparison itself is made of whole rankings, so observations are rankings.
Methods that count (`CountMethod`, `BlockMethod`) never see drawn comparisons: all they need is the
number of events in each of a few hundred cells (`counting.cells`). Methods that refit are given
how often each comparison counts.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.comparisons.comparisons import Comparisons
from adjudge.comparisons.counts import count
from adjudge.errors import NotEnoughData
from adjudge.ranking.counting.cells import Tally
from adjudge.statistics.design_effects import Deviations
from adjudge.statistics.drawing import Weights, generator, observation_weights
from adjudge.statistics.replicates import replicated_cells, replicated_counts
from adjudge.statistics.resampling import Resampling, Unit
from adjudge.statistics.units import Floats, Units, units_of

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


def ranking_units(comparisons: Comparisons, unit: Unit) -> tuple[Units, ...]:
    """The units of the rankings, two where two are joined; refuses what is not known."""
    size = np.bincount(comparisons.ranking, minlength=len(comparisons.rankings))
    return tuple(_units(comparisons, name, size) for name in unit.split("+"))


def _units(comparisons: Comparisons, name: str, size: NDArray[np.int64]) -> Units:
    if name == "ranking":
        label = np.arange(len(size), dtype=np.int32)
    else:
        label = np.full(len(size), -1, np.int32)
        label[comparisons.ranking] = getattr(comparisons, name)
    return units_of(label, name, size=size, about=comparisons.pair)


def possible_units(comparisons: Comparisons) -> dict[Unit, tuple[Units, ...]]:
    """The units larger than a comparison that can be drawn from these judgements."""
    possible: dict[Unit, tuple[Units, ...]] = {}
    for unit in RANKING_UNITS:
        if unit not in ("none", "comparison"):
            with suppress(NotEnoughData):
                possible[unit] = ranking_units(comparisons, unit)
    return possible


def effective_number(comparisons: Comparisons, unit: Unit) -> float:
    """How many units of equal size would say as much."""
    if unit == "none":
        return np.inf
    if unit == "comparison":
        return float(len(comparisons))
    return min(units.effective_number for units in ranking_units(comparisons, unit))


def comparison_weights(comparisons: Comparisons, resampling: Resampling, replicate: int) -> Weights:
    """How often each comparison counts in one replicate, for methods that refit."""
    if resampling.unit == "none":
        return np.ones(len(comparisons), np.int64)
    if resampling.unit == "comparison":
        number = len(comparisons)
        drawn = generator(resampling.seed, replicate).integers(0, number, number)
        return np.bincount(drawn, minlength=number)
    units = ranking_units(comparisons, resampling.unit)
    return observation_weights(units, resampling.seed, replicate)[comparisons.ranking]


def replicated(comparisons: Comparisons, tally: Tally[T], resampling: Resampling) -> Iterator[T]:
    """What a counting method takes, for all replicates, some of them at a time."""
    if resampling.unit == "comparison":
        drawn = replicated_counts(tally.counts, resampling, tally.entries)
    else:
        units = ranking_units(comparisons, resampling.unit)
        ranking, cell = tally.events()
        drawn = replicated_cells(units, ranking, cell, len(tally.counts), resampling, tally.entries)
    return map(tally.statistics, drawn)


class DesignEffects:
    """Design effects of the units of rankings.

    They are taken for the share of comparisons won, ties counting half, whatever method ranks:
    they are a property of the judgements. Independent is what single comparisons would be.
    """

    def __init__(self, comparisons: Comparisons) -> None:
        self._comparisons = comparisons
        counts = count(comparisons)
        won, lost, tied = (table.sum(axis=1) for table in (counts.wins, counts.wins.T, counts.ties))
        mean = (won + tied / 2) / (won + lost + tied)
        independent = won * (1 - mean) ** 2 + lost * mean**2 + tied * (0.5 - mean) ** 2
        self._deviations = Deviations(_by_ranking(comparisons, mean), independent)

    @cached_property
    def of_units(self) -> dict[Unit, float]:
        """The design effect of every unit these judgements allow."""
        effects: dict[Unit, float] = {"comparison": 1.0}
        for unit, units in possible_units(self._comparisons).items():
            effects[unit] = self._deviations.effect(units)
        return effects

    def of_rankings(self) -> float:
        """The design effect of rankings, 1 where there is only one."""
        try:
            return self._deviations.effect(ranking_units(self._comparisons, "ranking"))
        except NotEnoughData:
            return 1.0

    def contraction(self, unit: Unit) -> float:
        """By how much to draw the replicates of a bootstrap over `unit` in."""
        if "+" not in unit:
            return 1.0
        return self._deviations.contraction(ranking_units(self._comparisons, unit))


def _by_ranking(comparisons: Comparisons, mean: Floats) -> Floats | sparse.csr_array:
    """The summed deviations of every system in every ranking; sparse where most are none."""
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
