"""Drawing: how often each unit counts in each replicate.

A replicate draws as many units as there are, with replacement. With two crossed units, such as
judges and segments, it draws both, and an observation counts as often as the product of both
says (the pigeonhole bootstrap, Owen 2007). Every replicate has a random generator of its own,
made of the seed and the number of the replicate, so the numbers do not depend on how the work is
spread, and the first 100 of 1,000 replicates are those of a run with 100.

Where there are more than `MOST_UNITS`, units are first put into that many groups at random, and
groups are drawn: the spread stays the same on average, and is known to one part in
√(2 · MOST_UNITS), half a percent, far below the noise of a thousand replicates. With two units,
the more numerous are grouped, half as many at a time, until so many combinations remain.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.units import Codes, Floats, Units, crossed

Weights = NDArray[np.int64]

MOST_UNITS = 20_000
MOST_KEPT = 1 << 22  # drawn numbers kept for the next who asks for the same


@dataclass(frozen=True, eq=False)
class Drawing:
    """What is drawn: rows, one for every unit or for every combination of two that occurs."""

    row: Codes  # of each observation
    units: tuple[Codes, ...]  # of each row: the unit, or the first and the second
    numbers: tuple[int, ...]  # how many units there are of either kind
    seed: int

    @property
    def rows(self) -> int:
        """How many rows weights have."""
        return len(self.units[0])

    def weights(self, replicates: range) -> Floats:
        """How often each row counts in these replicates (replicates × rows)."""
        drawn = _drawn(self.numbers, self.seed, replicates)
        if len(drawn) == 1:
            return drawn[0]
        first, second = (weights[:, unit] for weights, unit in zip(drawn, self.units, strict=True))
        return first * second


def drawing(units: tuple[Units, ...], seed: int, *, grouped: bool = True) -> Drawing:
    """Draw these units, in groups where they are very many; never so if not `grouped`."""
    random = np.random.default_rng(seed)
    codes = [one.code for one in units]
    numbers = [one.number for one in units]
    row, of_rows = crossed(units)
    while grouped and len(of_rows[0]) > MOST_UNITS:
        largest = int(np.argmax(numbers))
        number = MOST_UNITS if len(units) == 1 else (numbers[largest] + 1) // 2
        group = (random.permutation(numbers[largest]) % number).astype(np.int32)
        codes[largest], numbers[largest] = group[codes[largest]], number
        groups = zip(units, codes, numbers, strict=True)
        row, of_rows = crossed(tuple(Units(one.name, c, np.ones(n)) for one, c, n in groups))
    return Drawing(row, of_rows, tuple(numbers), seed)


def generator(seed: int, replicate: int) -> np.random.Generator:
    """The random numbers of one replicate."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(replicate,)))


def draw(random: np.random.Generator, number: int) -> Weights:
    """How often each of `number` units is drawn when as many are drawn."""
    return np.bincount(random.integers(0, number, number), minlength=number)


def observation_weights(units: tuple[Units, ...], seed: int, replicate: int) -> Weights:
    """How often each observation counts in one replicate, no unit being grouped."""
    random = generator(seed, replicate)
    weights = np.ones(len(units[0].code), np.int64)
    for one in units:
        weights *= draw(random, one.number)[one.code]
    return weights


def _drawn(numbers: tuple[int, ...], seed: int, replicates: range) -> tuple[Floats, ...]:
    """For each kind of unit, how often every unit is drawn (replicates × units)."""
    if len(replicates) * sum(numbers) <= MOST_KEPT:
        return _kept(numbers, seed, replicates)
    return _draw_all(numbers, seed, replicates)


def _draw_all(numbers: tuple[int, ...], seed: int, replicates: range) -> tuple[Floats, ...]:
    weights = tuple(np.empty((len(replicates), number)) for number in numbers)
    for at, replicate in enumerate(replicates):
        random = generator(seed, replicate)
        for drawn, number in zip(weights, numbers, strict=True):
            drawn[at] = draw(random, number)
    return weights


@lru_cache(maxsize=2)  # one campaign is asked about several ways in a row
def _kept(numbers: tuple[int, ...], seed: int, replicates: range) -> tuple[Floats, ...]:
    weights = _draw_all(numbers, seed, replicates)
    for drawn in weights:
        drawn.flags.writeable = False
    return weights
