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

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.data.votes.cells import Crossing
from adjudge.data.votes.hashed_names import ALL, Codes, Distinct, Hashes, Lookup, mixed
from adjudge.data.votes.tallies import Tallies, memory

MOST_CELLS = 20_000  # as many as `statistics.drawing` keeps
MOST_GROUPED = 1 << 14
ALL_MET = 10  # votes in every cell, with which hardly any cell is still to come


@dataclass
class UnitNames:
    """The units of one kind: how many, and the names of those that are kept apart."""

    distinct: Distinct = field(default_factory=Distinct)
    unnamed: int = 0  # votes whose unit is not known
    mask: np.uint64 = ALL  # the bits that tell units, or groups of them, apart
    names: dict[int, str | None] = field(default_factory=dict)

    @property
    def in_groups(self) -> bool:
        """Are units no longer told apart?"""
        return bool(self.mask != ALL)

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
        self._votes = Tallies(MOST_CELLS if units else 1)

    def add(self, kind: Codes, hashes: Sequence[Hashes], names: Sequence[pl.Series]) -> None:
        """Count votes of these kinds; `hashes` and `names` are of their judges, segments, …"""
        for unit, own, named in zip(self.units.values(), hashes, names, strict=True):
            unit.distinct.add(own)
            unit.unnamed += named.null_count()
        row = self._row(hashes, names) if self.units else np.zeros(len(kind), np.int32)
        self._votes.add(row, kind)

    def merge(self, other: "CellCounts", kinds: Codes) -> None:
        """Count what `other` has counted; `kinds` are our codes of its kinds."""
        for mine, theirs in zip(self.units.values(), other.units.values(), strict=True):
            mine.distinct.merge(theirs.distinct)
            mine.unnamed += theirs.unnamed
            mine.names.update(theirs.names)
        self.grouped |= other.grouped
        row = self._row(other._hashes, None) if self.units else np.zeros(1, np.int32)
        self._votes.merge(other._votes, row, kinds)

    def memory(self, counted: int, votes: int, kinds: int) -> int:
        """Bytes that so many `votes` will take, of which some were `counted`."""
        all_met = len(self._rows) * ALL_MET <= counted
        return memory(len(self._rows) if all_met else MOST_CELLS, kinds, votes)

    def crossing(self, kinds: NDArray[np.int64], known: int) -> Crossing:
        """The cells, with these kinds in this order, of all that are known."""
        counts = self._votes.counts(len(self._rows) if self.units else 1, known)
        if not np.array_equal(kinds, np.arange(known)):  # no copy where all are kept as they are
            counts = counts[:, kinds]
        units = {
            name: _codes(unit, own)
            for (name, unit), own in zip(self.units.items(), self._hashes, strict=True)
        }
        return Crossing(counts, units).held()

    def _row(self, hashes: Sequence[Hashes], names: Sequence[pl.Series] | None) -> Codes:
        """The row of every vote; units are put into groups where rows would be too many."""
        if self.grouped:
            self._group()
        while True:
            masks = [unit.mask for unit in self.units.values()]
            found = self._rows.codes(mixed(*hashes, masks=masks), MOST_CELLS)
            if found is not None:
                break
            self.grouped = True
            self._group()
        row, new = found
        for place, unit in enumerate(self.units.values()):
            fresh = hashes[place][new] & unit.mask
            self._hashes[place] = np.append(self._hashes[place], fresh)
            if len(new) and not unit.in_groups and names is not None:
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
            mask = ALL if number <= 1 << level else np.uint64((1 << level) - 1)
            if mask < unit.mask:
                unit.mask, changed = mask, True
                unit.names.clear()
        if changed:
            self._join()

    def _join(self) -> None:
        """Put rows together that are one row now."""
        masks = [unit.mask for unit in self.units.values()]
        self._rows = Lookup()
        found = self._rows.codes(mixed(*self._hashes, masks=masks), MOST_CELLS)
        assert found is not None  # there were no more rows before
        row, first = found
        self._hashes = [h[first] & mask for h, mask in zip(self._hashes, masks, strict=True)]
        self._votes.join(row)


def _codes(unit: UnitNames, hashes: Hashes) -> NDArray[np.int32]:
    """The unit of every row, counted from 0 in the order of names; −1 where it is not known."""
    if unit.in_groups:
        return hashes.astype(np.int32)
    named = sorted((name, key) for key, name in unit.names.items() if name is not None)
    code = {key: place for place, (_, key) in enumerate(named)}
    return np.array([code.get(key, -1) for key in hashes.tolist()], np.int32)
