"""Votes of files a batch at a time, as codes and hashes.

A row says something of a language pair, two systems and an outcome, of which there are few, and
names a judge and a segment, of whom there may be very many. The first is coded (`Said`), the others
are hashed. A row that names no judge or no segment has one of its own.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.files.batches import in_batches
from adjudge.core.files.checked_table import READ_ERRORS
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.parquet import quietly
from adjudge.data.formats import Format
from adjudge.data.outputs import systems_among
from adjudge.data.selection import Selection, kept_outputs, require_systems
from adjudge.data.table_files import Path, recognise
from adjudge.data.votes.count_wins import chosen_rows, sound_names
from adjudge.data.votes.hashed_names import Hashes, Lookup, mixed

T = TypeVar("T")

BATCH = 1 << 18  # votes
MOST_SAID = 1 << 21
_OWN = "hash of "
_UNITS = ("judge", "segment")


class NotSoundError(Exception):
    """Something in the file needs a closer look, which reading it whole takes."""


@dataclass(frozen=True)
class Statement:
    """What votes say: of which systems, by the names that a selection leaves them."""

    pair: str
    left: str | None  # None: not chosen
    right: str | None
    outcome: int  # +1: left is better, −1: right is, 0: a tie
    given: tuple[tuple[int, str | None], ...]  # rank and label of either

    @property
    def kept(self) -> tuple[str, ...]:
        """The systems that were chosen."""
        return tuple(name for name in (self.left, self.right) if name is not None)


class Said:
    """All that rows say, coded in the order in which it was first met."""

    def __init__(self, selection: Selection) -> None:
        self.statements: list[Statement] = []
        self.pairs: list[str] = []
        self.pair: NDArray[np.int32] = np.zeros(0, np.int32)  # of each statement
        self.chosen: NDArray[np.bool_] = np.zeros(0, bool)  # is one of its systems kept?
        self.compares: NDArray[np.bool_] = np.zeros(0, bool)  # are both?
        self._selection = selection
        self._lookup = Lookup()
        self._names: set[str] = set()

    def codes(self, batch: pl.DataFrame, columns: Sequence[str], chosen: Format) -> Any:
        """What every row of a batch says in these columns."""
        hashes = mixed(*(batch[_OWN + name].to_numpy() for name in columns))
        found = self._lookup.codes(hashes, MOST_SAID)
        if found is None:
            raise NotSoundError
        codes, new = found
        if len(new):
            self._meet(batch[new].select(columns), chosen)
        return codes

    def _meet(self, votes: pl.DataFrame, chosen: Format) -> None:
        assert chosen.rankings is not None
        rows = votes.select("pair", "left", "right", outcome=chosen.outcome)
        if sum(rows.null_count().row(0)) or (rows["left"] == rows["right"]).any():
            raise NotSoundError
        given = chosen.rankings(votes).select("rank", pl.col("label").cast(pl.String)).rows()
        of_votes = zip(given[::2], given[1::2], strict=True)
        for (pair, left, right, outcome), both in zip(rows.iter_rows(), of_votes, strict=True):
            self._names |= {left, right}
            kept = kept_outputs((left, right), self._selection)
            self.statements.append(Statement(pair, kept[left], kept[right], outcome, both))
            if pair not in self.pairs:
                self.pairs.append(pair)
        self.pair = np.array([self.pairs.index(said.pair) for said in self.statements], np.int32)
        number = np.array([len(said.kept) for said in self.statements])
        self.chosen, self.compares = number > 0, number == 2

    def check(self) -> None:
        """Once all is read: can systems be called so, and are those there that were chosen?"""
        if not self._names or not sound_names(pl.Series(sorted(self._names))):
            raise NotSoundError
        require_systems(self._selection, systems_among(self._names))


@dataclass(frozen=True, eq=False)
class Batch:
    """Some votes, each of which says something of a system that was chosen."""

    frame: pl.DataFrame  # pair, judge, segment, time as far as they are known, left, right, …
    said: NDArray[np.int32]
    row: Hashes  # that no other vote has

    def unit(self, name: str) -> Hashes:
        """The hash of every vote's judge or segment; a vote that names none has its own."""
        if not self.names(name):
            return self.row
        hashes = self.frame[_OWN + name].to_numpy()
        if not self.frame[name].null_count():
            return hashes
        return np.where(self.named(name), hashes, self.row)

    def names(self, name: str) -> bool:
        """Do any votes say this?"""
        return name in self.frame.columns

    def named(self, name: str) -> NDArray[np.bool_]:
        """Which votes say it?"""
        if not self.names(name):
            return np.zeros(len(self.frame), bool)
        return self.frame[name].is_not_null().to_numpy()

    @cached_property
    def plain(self) -> pl.DataFrame:
        """The votes as the file has them."""
        return self.frame.select(name for name in self.frame.columns if not name.startswith(_OWN))

    def where(self, mask: NDArray[np.bool_]) -> "Batch":
        """Some of the votes."""
        if mask.all():
            return self
        return Batch(self.frame.filter(mask), self.said[mask], self.row[mask])

    def by_pair(self, said: Said) -> "Iterator[tuple[str, Batch]]":
        """The votes of every language pair."""
        pair = said.pair[self.said]
        for place in np.flatnonzero(np.bincount(pair)):
            yield said.pairs[place], self.where(pair == place)


def read_batches(
    paths: Sequence[Path], selection: Selection, make: Callable[[Said, Iterator[Batch]], T]
) -> T | None:
    """What `make` makes of the votes of files; None where these must be read whole."""
    said = Said(selection)
    try:
        made = make(said, _batches(paths, selection, said))
        said.check()
    except NotSoundError:
        return None
    return made


def _batches(paths: Sequence[Path], selection: Selection, said: Said) -> Iterator[Batch]:
    for number, path in enumerate(paths):
        file = InputFile(path)
        with quietly(file):
            try:
                yield from _of_file(file, number, selection, said)
            except READ_ERRORS:
                raise NotSoundError from None


def _of_file(file: InputFile, number: int, selection: Selection, said: Said) -> Iterator[Batch]:
    chosen = recognise(file)
    assert chosen.votes is not None
    query = chosen_rows(chosen.votes(file), selection)
    columns = query.collect_schema().names()
    stated = [name for name in columns if name not in (*_UNITS, "time")]
    hashed = query.with_columns(pl.exclude("time").hash().name.prefix(_OWN))
    first = 0
    for frame in in_batches(hashed, BATCH):
        row = np.arange(first, first + len(frame), dtype=np.uint64)
        row = mixed(row, np.full_like(row, number + 1))
        first += len(frame)
        codes = said.codes(frame, stated, chosen)
        yield Batch(frame, codes, row).where(said.chosen[codes])
