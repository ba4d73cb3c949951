"""Resampling units, and the weight of each unit in each bootstrap replicate.

Units: groups of observations that a bootstrap draws as a whole.

An observation is whatever statistics are given for: a ranking, a score, a label. Its units come
as integer codes, −1 where the judge (document, …) is unknown; such an observation is a unit of
its own.

How a bootstrap is asked for: what is drawn, how often, from which seed, at which level.

One class for every analysis. An analysis says which units it can draw, its own default first;
`Resampling.among` puts that default in the place of `auto` and refuses the others.

Drawing: how often each unit counts in each replicate.

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

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from numbers import Integral, Real
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjudge.core.codes import distinct
from adjudge.core.errors import BadParameter, NotEnoughData, one_of, within

Codes = NDArray[np.integer]
Floats = NDArray[np.float64]

FEW_UNITS = 10  # an interval from fewer is rough


@dataclass(frozen=True, eq=False)
class Units:
    """Unit of every observation, counted from 0, and the size of each unit."""

    name: str
    code: Codes  # of each observation; any unit's where the observation holds nothing
    size: Floats  # of each unit

    @property
    def number(self) -> int:
        """Number of units."""
        return len(self.size)

    @property
    def effective_number(self) -> float:
        """Effective number of units."""
        return float(effective_number(self.size))


def units_of(
    label: Codes,
    name: str,
    *,
    size: ArrayLike | None = None,
    alone: Codes | None = None,
    about: str = "",
) -> Units:
    """Group observations by the codes of one label; refuse a label with a single value.

    `size` is the weight of each observation (default 1); one of weight 0 belongs to no unit.
    Observations without a label are a unit each, or one unit per value of `alone`. `about` is the
    prefix of an error message.
    """
    where = f"{about}: " if about else ""
    if (label < 0).all():
        raise NotEnoughData(f'{where}no {name} is known; choose another `unit` than "{name}"')
    holds = np.ones(len(label)) if size is None else np.asarray(size, np.float64)
    code = label
    if label.min() < 0:
        own = np.arange(len(label), dtype=np.int64) if alone is None else alone
        code = np.where(label < 0, label.max() + np.int64(1) + own, label)
    present = np.bincount(code[holds > 0]) > 0
    number = int(present.sum())
    if number < 2:
        raise NotEnoughData(
            f"{where}only one {name}, and nothing can be learnt from drawing it again; "
            "choose another `unit`"
        )
    renumber = np.zeros(int(code.max()) + 1, np.int32)
    renumber[: len(present)] = np.maximum(np.cumsum(present) - 1, 0)
    unit = renumber[code]
    return Units(name, unit, np.bincount(unit, holds, number).astype(np.float64))


def crossed(units: tuple[Units, ...]) -> tuple[Codes, tuple[Codes, ...]]:
    """Combinations of units that occur: the index of each observation's, and its units."""
    if len(units) == 1:
        return units[0].code, (np.arange(units[0].number),)
    numbers = tuple(kind.number for kind in units)
    key = np.ravel_multi_index(tuple(kind.code for kind in units), numbers)
    combinations, of_observation = distinct(key, prod(numbers))
    return of_observation, np.unravel_index(combinations, numbers)


def effective_number(size: Floats) -> Floats:
    """Effective number of units, (Σ size)² / Σ size² over the first axis (Kish 1965).

    Ten judges of whom one made nine tenths of the comparisons are hardly more than one. It is 1 if
    all sizes are zero.
    """
    squares = (size**2).sum(axis=0)
    total = size.sum(axis=0)
    return np.asarray(np.divide(total**2, squares, out=np.ones_like(total), where=squares > 0))


# What is drawn with replacement. Two units joined by + are drawn independently of each other, and
# an observation counts as often as its one and its other together say.
Unit = Literal[
    "auto",  # what the analysis draws by default
    "none",  # nothing
    "comparison",
    "ranking",
    "item",  # what one score is of
    "row",  # one review of one edit
    "hit",
    "segment",
    "document",
    "system",
    "judge",
    "editor",
    "reviewer",
    "judge+segment",
    "judge+document",
    "editor+segment",
    "editor+document",
    "reviewer+segment",
    "reviewer+document",
]
UNITS: tuple[Unit, ...] = get_args(Unit)


@dataclass(frozen=True)
class Resampling:
    """Resampling unit, number of replicates, seed and confidence level."""

    unit: Unit = "auto"
    replicates: int = 1000
    seed: int = 1
    level: float = 0.95

    def __post_init__(self) -> None:
        one_of(self.unit, UNITS, "unit")
        for parameter, least in (("replicates", 1), ("seed", 0)):
            value = getattr(self, parameter)
            if not isinstance(value, Integral):
                raise BadParameter(f"`{parameter}` is a whole number, not {value!r}")
            within(int(value), parameter, least)
        if not isinstance(self.level, Real):
            raise BadParameter(f"`level` is a number between 0 and 1, not {self.level!r}")
        within(self.level, "level", 0, 1, open_ends=True)

    def among(self, units: Iterable[Unit]) -> "Resampling":
        """Replace `auto` by the first of the possible units."""
        possible = tuple(units)
        if self.unit == "auto":
            return replace(self, unit=possible[0])
        return replace(self, unit=cast(Unit, one_of(self.unit, possible, "unit")))


def plural(unit: Unit) -> str:
    """Plural of a unit name: `judge+segment` becomes `judges and segments`."""
    return " and ".join(f"{part}s" for part in unit.split("+"))


Weights = NDArray[np.int64]

BLOCK = 8  # replicates that share a generator
MOST_UNITS = 20_000
FIRST = 1 << 16  # observations that are looked at first
MOST_KEPT = 1 << 22  # numbers drawn for some replicates, kept for the next who asks for the same


@dataclass(frozen=True, eq=False)
class Drawing:
    """Drawing plan with one row for every unit, or for every combination of two that occurs."""

    row: Codes  # of each observation
    units: tuple[Codes, ...]  # of each row: the unit, or the first and the second
    numbers: tuple[int, ...]  # how many units there are of either kind
    seed: int

    @property
    def rows(self) -> int:
        """Number of rows of weights."""
        return len(self.units[0])

    def weights(self, replicates: range) -> Floats:
        """Weight of each row in these replicates (replicates × rows)."""
        drawn = _drawn(self.numbers, self.seed, replicates)
        if len(drawn) == 1:
            return drawn[0]
        first, second = (weights[:, unit] for weights, unit in zip(drawn, self.units, strict=True))
        return first * second


def drawing(units: tuple[Units, ...], seed: int, *, grouped: bool = True) -> Drawing:
    """Plan the drawing of these units, merged into random groups if there are very many and
    `grouped`.
    """
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
    """Test on the first observations whether the number of combinations is small enough."""
    if len(units) == 1 or len(units[0].code) <= FIRST:
        return True
    codes = (of[kind.code[:FIRST]] for kind, of in zip(units, groups, strict=True))
    return len(np.unique(np.ravel_multi_index(tuple(codes), tuple(numbers)))) <= MOST_UNITS


def _crossed_groups(
    units: tuple[Units, ...], groups: list[NDArray[np.int32]], numbers: list[int]
) -> tuple[Codes, tuple[Codes, ...]]:
    """Combinations of groups of units that occur."""
    grouped = zip(units, groups, numbers, strict=True)
    return crossed(
        tuple(
            kind if number == kind.number else Units(kind.name, of[kind.code], np.ones(number))
            for kind, of, number in grouped
        )
    )


def observation_weights(units: tuple[Units, ...], seed: int, replicate: int) -> Weights:
    """Weight of each observation in one replicate, without grouping of units."""
    block, place = divmod(replicate, BLOCK)
    drawn = _last_block(tuple(kind.number for kind in units), seed, block)
    weights = np.ones(len(units[0].code), np.int64)
    for kind, counts in zip(units, drawn, strict=True):
        weights *= counts[place][kind.code]
    return weights


def generator(seed: int, number: int) -> np.random.Generator:
    """Random generator of one block of replicates, or of any numbered task."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))


def _drawn(numbers: tuple[int, ...], seed: int, replicates: range) -> tuple[Floats, ...]:
    """Multiplicity of every unit of each kind (replicates × units)."""
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
    """Multiplicity of each unit of each kind in one block (`BLOCK` × units)."""
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
