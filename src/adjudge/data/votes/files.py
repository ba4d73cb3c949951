"""Files of votes counted into cells in one pass, in memory that does not grow with the file.

Files of votes are gone through in a process of its own, whatever is wanted of them.

What ends that process, a damaged Parquet or too little memory, does not end ours, and no other has
to read the file before (`files.apart`). It is set up to hold little at a time.

Files of votes into cells, in one pass and in memory that does not grow with the votes.

What is streamed is checked as far as counting needs. Where something is wrong nothing is given:
reading the file the careful way says what.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import polars as pl

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.batches import in_batches
from adjudge.core.files.checked_table import READ_ERRORS
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.memory import require_memory
from adjudge.core.files.parquet import (
    is_parquet,
    lazy_parquet,
    parquet_columns,
    parquet_rows,
    quietly,
)
from adjudge.core.files.subprocess_call import Ended, apart
from adjudge.core.parallel import Engine
from adjudge.data.formats import Format
from adjudge.data.outputs import systems_among
from adjudge.data.selection import Selection, kept_outputs, require_systems
from adjudge.data.table_files import Path, recognise
from adjudge.data.votes.cells import Cells
from adjudge.data.votes.count_cells import CellCounts
from adjudge.data.votes.count_wins import by_name_only, chosen_rows, sound_names
from adjudge.data.votes.hashed_names import Codes, Hashes, Lookup, mixed
from adjudge.data.votes.tallies import MOST_LISTED

P = ParamSpec("P")
R = TypeVar("R")

# More threads would read faster than one counts, and hold more; memory that is taken again and
# again is not given back in between.
_READER = {
    "POLARS_MAX_THREADS": "2" if (os.cpu_count() or 1) >= 4 else "1",
    "OPENBLAS_NUM_THREADS": "1",
    "_RJEM_MALLOC_CONF": "dirty_decay_ms:-1",
}
# Polars would map JSON lines into memory, and so hold all of them in the end.
_OF_TEXT = {"POLARS_FORCE_ASYNC": "1"}


def read_apart(
    function: Callable[Concatenate[Sequence[Path], P], R],
    paths: Sequence[Path],
    *args: P.args,
    **kwargs: P.kwargs,
) -> R:
    """What a function of files gives in that process."""
    files = [InputFile(path) for path in paths]
    text = not all(map(is_parquet, files))
    try:
        return apart({**_READER, **(_OF_TEXT if text else {})}, function, paths, *args, **kwargs)
    except Ended:
        for file in filter(is_parquet, files):
            lazy_parquet(file, parquet_columns(file))  # refuses one that is damaged
        raise AdjudgeError(
            f"{', '.join(map(str, paths))}: memory ran out while votes were counted; free some"
        ) from None


UNITS = ("judge", "segment")
BATCH = 1 << 16  # votes
_MOST_KINDS = 1 << 21
_OWN = "hash of "
HELD_TWICE = 2  # while they go from the process that counts to ours
PACKED = 8  # times that votes are smaller when compressed, about

Kind = tuple[str, str, int]  # two systems in the order of their names, and how it ended


class _NotSound(Exception):
    pass


class Gathering:
    """The votes of files, counted in the cells of every language pair."""

    def __init__(self, outcome: pl.Expr, crossings: Sequence[tuple[str, ...]]) -> None:
        self._outcome = outcome
        self._crossings = crossings
        self._rows = Lookup()  # what a row says of systems and outcome
        self._pair: Codes = np.zeros(0, np.int32)  # of each of them
        self._kind: Codes = np.zeros(0, np.int32)  # in its language pair
        self._kinds: dict[str, dict[Kind, int]] = {}
        self._cells: dict[str, list[CellCounts]] = {}

    def add(self, batch: pl.DataFrame, said: Sequence[str], units: dict[str, Hashes]) -> None:
        """Count the votes of a batch: `said` are the columns of systems and outcome."""
        found = self._rows.codes(mixed(*(_hashes(batch, name) for name in said)), _MOST_KINDS)
        if found is None:
            raise _NotSound
        row, new = found
        if len(new):
            self._meet(batch[new].select("pair", "left", "right", outcome=self._outcome))
        kind = self._kind[row]
        for pair, own in self._by_pair(row):
            for cells in pair:
                names = [batch[unit][own] for unit in cells.units]
                cells.add(kind[own], [units[unit][own] for unit in cells.units], names)

    def _by_pair(self, row: Codes) -> Iterator[tuple[list[CellCounts], Any]]:
        """The cells of every language pair among the rows of a batch, and where its votes are."""
        pairs = list(self._cells.values())
        if len(pairs) == 1:
            yield pairs[0], slice(None)
            return
        of_pair = self._pair[row]
        order = np.argsort(of_pair, kind="stable")
        ends = np.cumsum(np.bincount(of_pair, minlength=len(pairs)))
        for cells, own in zip(pairs, np.split(order, ends[:-1]), strict=True):
            if len(own):
                yield cells, own

    def _meet(self, votes: pl.DataFrame) -> None:
        """Rows that say something new."""
        if sum(votes.null_count().row(0)) or (votes["left"] == votes["right"]).any():
            raise _NotSound
        of_pair, kinds = [], []
        for pair, left, right, outcome in votes.iter_rows():
            if pair not in self._kinds:
                self._kinds[pair] = {}
                self._cells[pair] = [CellCounts(units) for units in self._crossings]
            known = self._kinds[pair]
            kind = (left, right, outcome) if left < right else (right, left, -outcome)
            of_pair.append(list(self._kinds).index(pair))
            kinds.append(known.setdefault(kind, len(known)))
        self._pair = np.append(self._pair, np.array(of_pair, np.int32))
        self._kind = np.append(self._kind, np.array(kinds, np.int32))

    def counts_like(self, other: "Gathering") -> bool:
        """Are cells of the same units counted?"""
        return list(self._crossings) == list(other._crossings)

    def merge(self, other: "Gathering") -> "Gathering":
        """Count what `other` has counted, too."""
        for pair, theirs in other._kinds.items():
            known = self._kinds.setdefault(pair, {})
            kinds = np.array([known.setdefault(kind, len(known)) for kind in theirs], np.int32)
            cells = self._cells.setdefault(pair, [CellCounts(units) for units in self._crossings])
            for mine, counted in zip(cells, other._cells[pair], strict=True):
                mine.merge(counted, kinds)
        return self

    def require_memory(self, name: str, votes: int, counted: int, unit: str) -> None:
        """Refuse `votes` whose counts would not fit, once the systems of some are known."""
        if votes <= MOST_LISTED:
            return
        needed, most = 0, 0
        for pair, kinds in self._kinds.items():
            systems = len({name for kind in kinds for name in kind[:2]})
            every = 3 * systems * (systems - 1) // 2
            needed += sum(cells.memory(counted, votes, every) for cells in self._cells[pair])
            most = max(most, systems)
        units = " and of ".join("+".join(units) or "no unit" for units in self._crossings)
        require_memory(
            HELD_TWICE * needed,
            f"{name}: the counts of {votes:,} votes on {most} systems in cells of {units} "
            f"(`unit={unit!r}`) need",
            "choose some of them (`pair`, `judge`), or free memory",
        )

    def finished(self, selection: Selection) -> dict[str, Cells] | None:
        """The cells of every language pair; None where a name needs a closer look."""
        names = {name for kinds in self._kinds.values() for kind in kinds for name in kind[:2]}
        if not names or not sound_names(pl.Series(sorted(names))):
            return None
        require_systems(selection, systems_among(names))
        kept = kept_outputs(names, selection)
        cells = {pair: self._of_pair(pair, kept) for pair in sorted(self._kinds)}
        return {pair: votes for pair, votes in cells.items() if votes.systems}

    def _of_pair(self, pair: str, kept: dict[str, str | None]) -> Cells:
        kinds = self._kinds[pair]
        known = {kept[name] for kind in kinds for name in kind[:2]}
        systems = tuple(sorted(name for name in known if name is not None))
        code = {name: place for place, name in enumerate(systems)}
        rows = []
        for (a, b, outcome), place in kinds.items():
            first, second = kept[a], kept[b]
            if first is not None and second is not None:
                low, high = sorted((code[first], code[second]))
                rows.append((low, high, 1 + (outcome if low == code[first] else -outcome), place))
        taken = np.array(rows, np.int64).reshape(-1, 4)
        first, second, outcome = taken[:, :3].T.astype(np.int32)
        of_pair = self._cells[pair]
        widest = max(of_pair, key=lambda counts: len(counts.units))
        return Cells(
            pair,
            systems,
            first,
            second,
            outcome,
            {"+".join(c.units): c.crossing(taken[:, 3], len(kinds)) for c in of_pair},
            {name: unit.number for name, unit in widest.units.items() if unit.in_groups},
        )


def _hashes(batch: pl.DataFrame, column: str) -> Hashes:
    return batch[_OWN + column].to_numpy()


def cells_from_files(
    paths: Sequence[Path], selection: Selection, unit: str = "auto", engine: Engine | None = None
) -> dict[str, Cells] | None:
    """The votes of files in the cells that `unit` needs; None where they must be read whole.

    On a cluster, or several processes, every file is read where there is room, and what was
    counted is put together there.
    """
    where = engine or Engine()
    pieces = [(path, place, selection, unit) for place, path in enumerate(paths)]
    whole: Gathering | None = None
    if where.spreads and len(pieces) > 1:
        whole = where.reduce(gather, pieces, put_together, "Counting votes")
    else:
        for piece in pieces:  # into the same counts, one file after the other
            whole = gather(*piece, whole)
            if whole is None:
                break
    return None if whole is None else whole.finished(selection)


def counted_apart(
    paths: Sequence[Path], selection: Selection, unit: str = "auto", engine: Engine | None = None
) -> dict[str, Cells] | None:
    """The same, counted in a process of its own unless an engine spreads the work."""
    if engine is not None and engine.spreads:
        return cells_from_files(paths, selection, unit, engine)
    return read_apart(cells_from_files, paths, selection, unit)


def put_together(one: Gathering | None, other: Gathering | None) -> Gathering | None:
    """What both have counted; neither is changed."""
    if one is None or other is None or not one.counts_like(other):
        return None
    return deepcopy(one).merge(other)


def can_stream(path: Path, selection: Selection) -> bool:
    """Is this a file of votes that can be chosen while they stream by?"""
    unknown = selection.group or selection.protocol
    return by_name_only(selection) and not unknown and recognise(InputFile(path)).each_a_ranking


def about_votes(path: Path | InputFile) -> int:
    """How many votes a file holds; about, if it is text."""
    file = path if isinstance(path, InputFile) else InputFile(path)
    if is_parquet(file):
        return parquet_rows(file)
    line = len(file.head) / max(file.head.count(b"\n"), 1)
    return round(file.stored_size * (1 if file.compression is None else PACKED) / line)


def gather(
    path: Path, number: int, selection: Selection, unit: str, counted: Gathering | None = None
) -> Gathering | None:
    """The votes of one file, which is the `number`-th; None where they need a closer look.

    They are added to those that were `counted` before.
    """
    file = InputFile(path)
    chosen = recognise(file)
    with quietly(file):
        try:
            return _gathered(file, chosen, number, selection, unit, counted)
        except (*READ_ERRORS, _NotSound):
            return None


def _gathered(
    file: InputFile,
    chosen: Format,
    number: int,
    selection: Selection,
    unit: str,
    counted: Gathering | None,
) -> Gathering:
    assert chosen.votes is not None
    assert chosen.outcome is not None
    query = chosen_rows(chosen.votes(file), selection).drop("time", strict=False)
    columns = query.collect_schema().names()
    said = [name for name in columns if name not in UNITS]
    present = tuple(name for name in UNITS if name in columns)
    wanted = tuple(name for name in present if name in unit.split("+"))
    own = Gathering(chosen.outcome, [present] if wanted in ((), present) else [wanted, present])
    gathering = own if counted is None else counted
    if not gathering.counts_like(own):
        raise _NotSound  # files that say different things are put together by reading them
    first = 0
    for batch in _batches(query):
        units = {name: _units(batch, name, first, number) for name in present}
        gathering.add(batch, said, units)
        if not first:
            gathering.require_memory(file.name, about_votes(file), len(batch), unit)
        first += len(batch)
    return gathering


def _batches(query: pl.LazyFrame) -> Iterator[pl.DataFrame]:
    mixed(np.zeros(1, np.uint64))  # loads what is compiled: meanwhile nothing must be read ahead
    yield from in_batches(query.with_columns(pl.all().hash().name.prefix(_OWN)), BATCH)


def _units(batch: pl.DataFrame, name: str, first: int, file: int) -> Hashes:
    """The hash of every vote's unit; a vote that names none is a unit of its own.

    Votes are told apart by their number, from `first` on, and that of their file.
    """
    hashes = _hashes(batch, name)
    if not batch[name].null_count():
        return hashes
    unnamed = batch[name].is_null().to_numpy()
    row = np.arange(first, first + len(batch), dtype=np.uint64)
    return np.where(unnamed, mixed(row, np.full_like(row, file + 1)), hashes)
