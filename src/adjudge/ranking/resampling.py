"""The bootstrap: campaigns as they might have come out, drawn with replacement.

A replicate draws as many units as there are, with replacement; every comparison counts as often
as its unit was drawn (with two units, such as judge+segment, as often as the product of both).
Replicates are drawn in order from the seed, larger units with a random generator for each
replicate, so the numbers do not depend on how the work is spread.

Methods that count (`CountMethod`, `BlockMethod`) never see drawn comparisons. All they need is
the number of events in each of a few hundred cells, so

* single comparisons are drawn as one multinomial over the cells;
* larger units are drawn as weights (replicates × units), multiplied with the events of each unit
  (units × cells).

Where there are more than `MOST_UNITS`, they are first put into that many groups at random, and
groups are drawn: the spread stays the same on average, and is known to one part in
√(2 · MOST_UNITS), half a percent, far below the noise of a thousand replicates. With two units,
the more numerous are grouped, half as many at a time, until so many combinations remain.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.comparisons.comparisons import Codes, Comparisons
from adjudge.ranking.cells import CellCounts, Tally
from adjudge.ranking.method import Resampling
from adjudge.ranking.units import Units, units

T = TypeVar("T")
Weights = NDArray[np.int64]
Draw = Callable[[range], CellCounts]  # the cells of some replicates

MOST_UNITS = 20_000
MOST_ENTRIES = 20_000_000  # numbers in an array that is held for speed only


def generator(seed: int, replicate: int) -> np.random.Generator:
    """The random numbers of one replicate."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(replicate,)))


def comparison_weights(comparisons: Comparisons, resampling: Resampling, replicate: int) -> Weights:
    """How often each comparison counts in one replicate, for methods that refit."""
    if resampling.unit == "none":
        return np.ones(len(comparisons), np.int64)
    random = generator(resampling.seed, replicate)
    if resampling.unit == "comparison":
        return _draw(random, len(comparisons))
    weights = np.ones(len(comparisons.rankings), np.int64)
    for one in units(comparisons, resampling.unit):
        weights *= _draw(random, one.number)[one.of_ranking]
    return weights[comparisons.ranking]


def replicated(comparisons: Comparisons, tally: Tally[T], resampling: Resampling) -> Iterator[T]:
    """What a counting method takes, for all replicates, some of them at a time."""
    if resampling.unit == "comparison":
        draw = _draw_comparisons(tally, resampling.seed)
    else:
        draw = _draw_units(units(comparisons, resampling.unit), tally, resampling.seed)
    at_once = max(1, min(200, MOST_ENTRIES // (8 * tally.entries)))
    for first in range(0, resampling.replicates, at_once):
        yield tally.statistics(draw(range(first, min(first + at_once, resampling.replicates))))


def _draw(random: np.random.Generator, number: int) -> Weights:
    return np.bincount(random.integers(0, number, number), minlength=number)


def _draw_comparisons(tally: Tally[T], seed: int) -> Draw:
    total = tally.counts.sum()
    shares = tally.counts / total
    # One generator for all replicates, which are always drawn in order: making one takes as long
    # as drawing a replicate.
    random = np.random.default_rng(seed)

    def draw(replicates: range) -> CellCounts:
        return random.multinomial(total, shares, size=len(replicates))

    return draw


def _draw_units(drawn: tuple[Units, ...], tally: Tally[T], seed: int) -> Draw:
    ranking, cell = tally.events()
    drawn, rows = _few_enough(drawn, np.flatnonzero(np.bincount(ranking)), seed)
    number = len(rows.units[0])
    events = _events(rows.of_ranking[ranking], cell, (number, len(tally.counts)))

    def draw(replicates: range) -> CellCounts:
        weights = np.ones((len(replicates), number))
        for row, replicate in zip(weights, replicates, strict=True):
            random = generator(seed, replicate)
            for one, units_of_rows in zip(drawn, rows.units, strict=True):
                row *= _draw(random, one.number)[units_of_rows]
        return np.asarray(np.rint(weights @ events), np.int64)

    return draw


class _Rows(NamedTuple):
    """One row for every unit, or for every combination of two that occurs."""

    of_ranking: NDArray[np.integer]
    units: tuple[NDArray[np.integer], ...]  # those of each row


def _rows(drawn: tuple[Units, ...], judged: NDArray[np.int64]) -> _Rows:
    if len(drawn) == 1:
        return _Rows(drawn[0].of_ranking, (np.arange(drawn[0].number),))
    numbers = tuple(one.number for one in drawn)
    codes = np.ravel_multi_index(tuple(one.of_ranking[judged] for one in drawn), numbers)
    combinations, of_judged = np.unique(codes, return_inverse=True)
    of_ranking = np.zeros(len(drawn[0].of_ranking), np.int64)
    of_ranking[judged] = of_judged
    return _Rows(of_ranking, np.unravel_index(combinations, numbers))


def _few_enough(
    drawn: tuple[Units, ...], judged: NDArray[np.int64], seed: int
) -> tuple[tuple[Units, ...], _Rows]:
    """The units, grouped at random where they make more than `MOST_UNITS` rows."""
    random = np.random.default_rng(seed)
    rows = _rows(drawn, judged)
    while len(rows.units[0]) > MOST_UNITS:
        largest = max(drawn, key=lambda one: one.number)
        number = MOST_UNITS if len(drawn) == 1 else (largest.number + 1) // 2
        group = (random.permutation(largest.number) % number).astype(np.int32)
        grouped = replace(largest, of_ranking=group[largest.of_ranking], number=number)
        drawn = tuple(grouped if one is largest else one for one in drawn)
        rows = _rows(drawn, judged)
    return drawn, rows


def _events(row: NDArray[np.integer], cell: Codes, shape: tuple[int, int]) -> Any:
    """How many events of each cell every row holds; sparse where most would be none."""
    if shape[0] * shape[1] <= MOST_ENTRIES:
        at = row * np.int64(shape[1])
        at += cell
        return np.bincount(at, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
    return sparse.csr_array((np.ones(len(row)), (row, cell)), shape=shape)
