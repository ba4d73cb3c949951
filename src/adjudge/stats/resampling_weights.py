"""Drawing: how often each unit counts in each replicate.

A replicate draws as many units as there are, with replacement. With two crossed units, such as
judges and segments, it draws both, and an observation counts as often as the product of both
says (the pigeonhole bootstrap, Owen 2007). Every eight replicates (`BLOCK`) have a random generator
of their own, made of the seed and their number, and are always drawn together; so the numbers do
not depend on how the work is spread, and the first 100 of 1,000 replicates are those of a run
with 100. (One generator a replicate would take as long to make as most replicates to draw.)

Where there are more than `MOST_UNITS`, units are first put into that many groups at random, and
groups are drawn: the spread stays the same on average, and is known to one part in
√(2 · MOST_UNITS), half a percent, far below the noise of a thousand replicates. With two units,
the more numerous are grouped, half as many at a time, until so many combinations remain.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.units import Codes, Floats, Units, crossed

Weights = NDArray[np.int64]

BLOCK = 8  # replicates that share a generator
MOST_UNITS = 20_000
FIRST = 1 << 16  # observations that are looked at first
MOST_KEPT = 1 << 22  # numbers drawn for some replicates, kept for the next who asks for the same


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
    numbers = [kind.number for kind in units]
    groups = [np.arange(number, dtype=np.int32) for number in numbers]  # that each unit is put into
    while True:
        # Where there are too many rows anyway, mostly a few observations show it.
        if not grouped or (max(numbers) <= MOST_UNITS and _few(units, groups, numbers)):
            row, of_rows = _crossed_groups(units, groups, numbers)
            if not grouped or len(of_rows[0]) <= MOST_UNITS:
                return Drawing(row, of_rows, tuple(numbers), seed)
        largest = int(np.argmax(numbers))
        number = MOST_UNITS if len(units) == 1 else (numbers[largest] + 1) // 2
        group = (random.permutation(numbers[largest]) % number).astype(np.int32)
        groups[largest], numbers[largest] = group[groups[largest]], number


def _few(units: tuple[Units, ...], groups: list[NDArray[np.int32]], numbers: list[int]) -> bool:
    """May there be few enough combinations, as far as the first observations tell?"""
    if len(units) == 1 or len(units[0].code) <= FIRST:
        return True
    codes = (of[kind.code[:FIRST]] for kind, of in zip(units, groups, strict=True))
    return len(np.unique(np.ravel_multi_index(tuple(codes), tuple(numbers)))) <= MOST_UNITS


def _crossed_groups(
    units: tuple[Units, ...], groups: list[NDArray[np.int32]], numbers: list[int]
) -> tuple[Codes, tuple[Codes, ...]]:
    """The combinations of groups of units that occur."""
    grouped = zip(units, groups, numbers, strict=True)
    return crossed(
        tuple(
            kind if number == kind.number else Units(kind.name, of[kind.code], np.ones(number))
            for kind, of, number in grouped
        )
    )


def observation_weights(units: tuple[Units, ...], seed: int, replicate: int) -> Weights:
    """How often each observation counts in one replicate, no unit being grouped."""
    block, place = divmod(replicate, BLOCK)
    drawn = _last_block(tuple(kind.number for kind in units), seed, block)
    weights = np.ones(len(units[0].code), np.int64)
    for kind, counts in zip(units, drawn, strict=True):
        weights *= counts[place][kind.code]
    return weights


def generator(seed: int, number: int) -> np.random.Generator:
    """The random numbers of one block of replicates, or of whatever has a number."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))


def _drawn(numbers: tuple[int, ...], seed: int, replicates: range) -> tuple[Floats, ...]:
    """For each kind of unit, how often every unit is drawn (replicates × units)."""
    if len(replicates) * sum(numbers) <= MOST_KEPT:
        return _kept(numbers, seed, replicates)
    return _draw_all(numbers, seed, replicates)


def _draw_all(numbers: tuple[int, ...], seed: int, replicates: range) -> tuple[Floats, ...]:
    first = replicates.start // BLOCK
    blocks = range(first, -(-replicates.stop // BLOCK))
    weights = tuple(np.empty((BLOCK * len(blocks), number)) for number in numbers)
    for i, block in enumerate(blocks):
        for kind, counts in zip(weights, _draw_block(numbers, seed, block), strict=True):
            kind[BLOCK * i : BLOCK * (i + 1)] = counts
    these = slice(replicates.start - BLOCK * first, replicates.stop - BLOCK * first)
    return tuple(kind[these] for kind in weights)


@lru_cache(maxsize=2)  # one campaign is asked about several ways in a row
def _kept(numbers: tuple[int, ...], seed: int, replicates: range) -> tuple[Floats, ...]:
    weights = _draw_all(numbers, seed, replicates)
    for kind in weights:
        kind.flags.writeable = False
    return weights


def _draw_block(numbers: tuple[int, ...], seed: int, block: int) -> tuple[Weights, ...]:
    """How often each unit of each kind is drawn in one block (`BLOCK` × units)."""
    random = generator(seed, block)
    drawn = []
    for number in numbers:
        small = BLOCK * number < 2**31
        unit = random.integers(0, number, (BLOCK, number), np.int32 if small else np.int64)
        unit += np.arange(BLOCK, dtype=unit.dtype)[:, None] * unit.dtype.type(number)
        drawn.append(np.bincount(unit.ravel(), minlength=BLOCK * number).reshape(BLOCK, number))
    return tuple(drawn)


@lru_cache(maxsize=1)  # replicates are asked for in order
def _last_block(numbers: tuple[int, ...], seed: int, block: int) -> tuple[Weights, ...]:
    return _draw_block(numbers, seed, block)
