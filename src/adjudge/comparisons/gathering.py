"""Counting votes in cells while they stream by, in memory that does not grow with them.

Votes come in batches, as hashes of their names. A vote is counted in its cell, a judge and a
segment. Up to `MOST_CELLS` cells are kept apart. Where there are more, judges and segments are put
into groups by the last bits of their hashes, 2^ℓ groups of each, with the largest ℓ that makes at
most `MOST_GROUPED` cells; units that are no more than 2^ℓ are not grouped. What one judge or
segment does stays in one group, so that variances between units stay the same on average
(`statistics.drawing`). Groups of ℓ bits are unions of groups of more: nothing has to be read twice,
and parts that were counted elsewhere can be put together in any order with the same result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from adjudge.comparisons.cells import Crossing
from adjudge.comparisons.hashed import Distinct, Hashes, Lookup, mixed

MOST_CELLS = 20_000  # as many as `statistics.drawing` keeps
MOST_GROUPED = 1 << 14
MOST_LISTED = 1 << 20  # votes that are listed before they are counted in a table
_ALL = np.uint64(2**64 - 1)
_LOW = 0xFFFFFFFF


@dataclass
class UnitNames:
    """The units of one kind: how many, and the names of those that are kept apart."""

    distinct: Distinct = field(default_factory=Distinct)
    unnamed: int = 0  # votes whose unit is not known
    mask: np.uint64 = _ALL  # the bits that tell units, or groups of them, apart
    names: dict[int, str | None] = field(default_factory=dict)

    @property
    def in_groups(self) -> bool:
        """Are units no longer told apart?"""
        return bool(self.mask != _ALL)

    @property
    def number(self) -> int:
        """How many units there are, besides those of votes that do not name one."""
        return max(self.distinct.number - self.unnamed, 0)


class CellCounts:
    """The votes of one language pair, counted in cells of these units."""

    def __init__(self, units: Sequence[str]) -> None:
        self.units = {unit: UnitNames() for unit in units}
        self.grouped = False
        self._rows = Lookup()
        self._hashes: list[Hashes] = [np.zeros(0, np.uint64) for _ in units]  # of every row
        self._listed: list[NDArray[np.int64]] = []  # row · 2³² + kind of single votes
        self._table: NDArray[np.int32] | None = None

    def add(
        self,
        kind: NDArray[np.int32],
        hashes: Sequence[Hashes],
        names: Sequence[pl.Series],
    ) -> None:
        """Count votes of these kinds; `hashes` and `names` are of their judges, segments, …"""
        for unit, own, named in zip(self.units.values(), hashes, names, strict=True):
            unit.distinct.add(own)
            unit.unnamed += named.null_count()
        row = self._row(hashes, names) if self.units else np.zeros(len(kind), np.int64)
        self._count(row, kind)

    def merge(self, other: "CellCounts", kinds: NDArray[np.int32]) -> None:
        """Count what `other` has counted; `kinds` are our codes of its kinds."""
        for mine, theirs in zip(self.units.values(), other.units.values(), strict=True):
            mine.distinct.add(theirs.distinct.kept, theirs.distinct.many)
            mine.unnamed += theirs.unnamed
            mine.names.update(theirs.names)
        self.grouped |= other.grouped
        row = self._row(other._hashes, None) if self.units else np.zeros(1, np.int64)
        if other._table is None:
            key = np.concatenate([np.zeros(0, np.int64), *other._listed])
            self._count(row[key >> 32], kinds[key & _LOW])
            return
        self._count(*(np.zeros(0, np.int64),) * 2, at_once=True)
        self._widen(int(kinds.max(initial=-1)) + 1)
        assert self._table is not None
        for place, counted in zip(row, other._table, strict=False):
            self._table[place, kinds] += counted[: len(kinds)]

    def counts(self, kinds: int) -> sparse.csr_array:
        """(cells, kinds): how many votes."""
        shape = (self._number, kinds)
        if self._table is not None:
            return sparse.csr_array(self._table[: shape[0], : shape[1]])
        key = np.concatenate([np.zeros(0, np.int64), *self._listed])
        times = np.ones(len(key), np.int32)
        place = (key >> 32, key & _LOW)
        table = sparse.csr_array((times, place), shape=shape)
        table.sum_duplicates()
        return table

    def crossing(self, kinds: NDArray[np.int64], known: int) -> Crossing:
        """The cells, with these kinds in this order, of all that are known."""
        counts: Any = self._table
        if counts is None:
            counts = self.counts(known)[:, kinds]
        else:  # no copy where all are kept as they are
            same = np.array_equal(kinds, np.arange(len(kinds)))
            counts = counts[: self._number, slice(len(kinds)) if same else kinds]
        units = {
            name: _codes(unit, own)
            for (name, unit), own in zip(self.units.items(), self._hashes, strict=True)
        }
        return Crossing(counts, units).held()

    def __getstate__(self) -> dict[str, Any]:
        """For another process: of the table, most of which may be empty, what is not."""
        state = dict(self.__dict__)
        if self._table is not None:
            held = np.flatnonzero(self._table)
            state["_table"] = (self._table.shape, held, self._table.ravel()[held])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._table is not None:
            shape, held, numbers = state["_table"]
            self._table = np.zeros(shape, np.int32)
            self._table.ravel()[held] = numbers

    @property
    def _number(self) -> int:
        """How many cells there are."""
        return len(self._rows) if self.units else 1

    def _row(self, hashes: Sequence[Hashes], names: Sequence[pl.Series] | None) -> Any:
        """The row of every vote; units are put into groups where rows would be too many."""
        if self.grouped:
            self._group()
        while True:
            own = [h & u.mask for h, u in zip(hashes, self.units.values(), strict=True)]
            found = self._rows.codes(mixed(*own), MOST_CELLS)
            if found is not None:
                break
            self.grouped = True
            self._group()
        row, new = found
        for place, unit in enumerate(self.units.values()):
            fresh = own[place][new]
            self._hashes[place] = np.append(self._hashes[place], fresh)
            if not unit.in_groups and names is not None:
                named = names[place].gather(new).cast(pl.String).to_list()
                unit.names.update(zip(fresh.tolist(), named, strict=True))
        return row

    def _group(self) -> None:
        """Put units into groups, as few as the units met so far make necessary."""
        numbers = [unit.distinct.number for unit in self.units.values()]
        level = next(
            bits
            for bits in range(MOST_GROUPED.bit_length() - 1, -1, -1)
            if np.prod([min(n, 1 << bits) for n in numbers], dtype=float) <= MOST_GROUPED
        )
        changed = False
        for unit, number in zip(self.units.values(), numbers, strict=True):
            mask = _ALL if number <= 1 << level else np.uint64((1 << level) - 1)
            if mask < unit.mask:
                unit.mask, changed = mask, True
                unit.names.clear()
        if changed:
            self._join()

    def _join(self) -> None:
        """Put rows together that are one row now."""
        own = [h & u.mask for h, u in zip(self._hashes, self.units.values(), strict=True)]
        self._rows = Lookup()
        found = self._rows.codes(mixed(*own), MOST_CELLS)
        assert found is not None  # there were no more rows before
        row, first = found
        self._hashes = [h[first] for h in own]
        joined = row.astype(np.int64) << 32
        self._listed = [joined[key >> 32] | (key & _LOW) for key in self._listed]
        if self._table is not None:
            table = np.zeros_like(self._table)
            for old, new in enumerate(row):
                table[new] += self._table[old]
            self._table = table

    def _count(self, row: Any, kind: Any, at_once: bool = False) -> None:
        """Add votes to the list; to the table, once there are many."""
        if self._table is None:
            self._listed.append((row.astype(np.int64) << 32) | kind)
            if not at_once and sum(map(len, self._listed)) <= MOST_LISTED:
                return
            key = np.concatenate(self._listed)
            row, kind = key >> 32, key & _LOW
            self._listed = []
        self._widen(int(kind.max(initial=0)) + 1)
        assert self._table is not None
        place = row * np.int64(self._table.shape[1])
        place += kind
        np.add.at(self._table.ravel(), place, np.int32(1))

    def _widen(self, kinds: int) -> None:
        """Make the table wide enough; rows that nobody has written to take no memory."""
        known = 0 if self._table is None else self._table.shape[1]
        if kinds <= known:
            return
        wider = np.zeros((MOST_CELLS if self.units else 1, max(kinds, known * 5 // 4)), np.int32)
        if self._table is not None:
            wider[: self._number, :known] = self._table[: self._number]
        self._table = wider


def _codes(unit: UnitNames, hashes: Hashes) -> NDArray[np.int32]:
    """The unit of every row, counted from 0 in the order of names; −1 where it is not known."""
    if unit.in_groups:
        return hashes.astype(np.int32)
    named = sorted((name, key) for key, name in unit.names.items() if name is not None)
    code = {key: place for place, (_, key) in enumerate(named)}
    return np.array([code.get(key, -1) for key in hashes.tolist()], np.int32)
