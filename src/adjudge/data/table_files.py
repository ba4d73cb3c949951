"""Reading and writing tables of every kind, the format found by looking at the file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path as FilePath
from typing import cast

import polars as pl

from adjudge.core.errors import AdjudgeError, BadParameter, InputError, one_of
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile, open_output, uncompressed_name
from adjudge.data.any_table import TABLE, table_format
from adjudge.data.column_names import Columns
from adjudge.data.formats import FORMATS, Format
from adjudge.data.kinds import KINDS, KindName, kind_of
from adjudge.data.repeats import duplicates_note, without_repeats
from adjudge.data.scores_as_rankings import implied_rankings

Path = str | PathLike[str]


@dataclass(frozen=True)
class Source:
    """A file that was read: its path, its format, and the hash of it as stored.

    `beside` has path and hash of the files that belong to it and were read with it, `left_out`
    the numbers of rows that the reader left out, by reason.
    """

    path: str
    format: str
    sha256: str
    beside: tuple[tuple[str, str], ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table, which of the three kinds it is, and the files it came from.

    `also` are the kinds of tables that the files hold beside it. `notes` say how the columns of
    files in no known format were read, and what was left out.
    """

    kind: KindName
    frame: pl.DataFrame
    sources: tuple[Source, ...]
    also: tuple[KindName, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def left_out(self) -> str:
        """The rows that readers left out, as a sentence; empty where there are none."""
        return left_out_note([source.left_out for source in self.sources])


def left_out_note(counts: Iterable[Mapping[str, int]]) -> str:
    """Numbers of rows by reason as a sentence; those of several files are added."""
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    listed = ", ".join(f"{number:,} {reason}" for reason, number in total.items())
    return f"Left out: {listed}." if listed else ""


def recognise(file: InputFile, columns: Columns | None = None) -> Format:
    """The format of a file by its content; by its columns where no format claims it.

    A file whose `columns` the caller names is read by these.
    """
    if columns:
        return table_format(file, columns)
    claimed = [candidate for candidate in FORMATS.values() if candidate.recognise(file)]
    if len(claimed) == 1:
        return claimed[0]
    if claimed:
        names = " and of ".join(chosen.name for chosen in claimed)
        raise InputError(
            f"has the marks of {names}; remove what belongs to only one of them", file=file.name
        )
    return table_format(file)


def is_known(file: InputFile) -> bool:
    """Is it in one of our formats?"""
    return any(candidate.recognise(file) for candidate in FORMATS.values())


def kinds_in(chosen: Format, file: InputFile) -> tuple[KindName, ...]:
    """The kinds of tables that a file in this format holds, the format's own first."""
    if not chosen.also:
        return (chosen.kind,)
    kinds = (kind for kind, read in chosen.readers.items() if len(read(file)))
    return tuple(kinds) or (chosen.kind,)


def _first_of(kinds: tuple[KindName, ...], wanted: KindName | None) -> KindName:
    """The wanted kind where it is among those that a file holds, else the first."""
    return wanted if wanted in kinds else kinds[0]


def read_any(*paths: Path, kind: KindName | None = None, columns: Columns | None = None) -> Loaded:
    """The table of one or more files of the same kind, whichever kind that is.

    Of files that hold tables of several kinds it is the one of the `kind` asked for; `columns`
    names the columns of files in no known format.

    Raises
    ------
    InputError
        A file is bad, or not of the kind of the first one.
    """
    files = [InputFile(path) for path in paths]
    formats = [recognise(file, columns) for file in files]
    holds = [kinds_in(chosen, file) for file, chosen in zip(files, formats, strict=True)]
    kinds = [_first_of(held, kind) for held in holds]
    for file, held in zip(files, kinds, strict=True):
        if held != kinds[0]:
            raise InputError(
                f"holds {held}, but {files[0].name} holds {kinds[0]}; read them one after the "
                "other",
                file=file.name,
            )
    tables = [read_in(chosen, file, kinds[0]) for file, chosen in zip(files, formats, strict=True)]
    sources = (
        Source(
            file.name,
            chosen.name,
            file.sha256,
            tuple((other.name, other.sha256) for other in file.read_beside),
            file.left_out,
        )
        for file, chosen in zip(files, formats, strict=True)
    )
    held = kinds[0] if kinds else "judgements"
    table = join_tables(tables, KINDS[held].numbers)
    also = tuple(other for other in KINDS if other != held and any(other in h for h in holds))
    notes = list(dict.fromkeys(one.description for one in formats if one.name == TABLE))
    if notes:
        table, repeats = without_repeats(table)
        notes += repeats
    else:
        notes = duplicates_note(table)
    return Loaded(held, table, tuple(sources), also, tuple(notes))


def read(*paths: Path) -> pl.DataFrame:
    """The judgements of one or more files, rankings renumbered where files repeat numbers.

    Scores are read as the rankings they imply.
    """
    return _read_kind(paths, "judgements")


def read_scores(*paths: Path) -> pl.DataFrame:
    """The scores of one or more files, items renumbered where files repeat numbers."""
    return _read_kind(paths, "scores")


def read_edits(*paths: Path) -> pl.DataFrame:
    """The edits and reviews of one or more files, renumbered where files repeat numbers."""
    return _read_kind(paths, "edits")


def _read_kind(paths: Iterable[Path], kind: KindName) -> pl.DataFrame:
    tables = (read_as(kind, InputFile(path)) for path in paths)
    return join_tables(tables, KINDS[kind].numbers)


def read_tables(file: InputFile) -> list[pl.DataFrame]:
    """The tables of one file, of whichever kinds they are."""
    chosen = recognise(file)
    return [read_in(chosen, file, kind) for kind in kinds_in(chosen, file)]


def read_as(kind: KindName, file: InputFile, chosen: Format | None = None) -> pl.DataFrame:
    """The table of one file, which must be of that kind (`chosen`: its format, if it is known)."""
    chosen = recognise(file) if chosen is None else chosen
    held = _first_of(kinds_in(chosen, file), kind)
    if held == kind:
        return read_in(chosen, file, kind)
    if (kind, held) == ("judgements", "scores"):
        return implied_rankings(read_in(chosen, file, held))
    raise InputError(f"holds {held}, not {kind}; give it to {KINDS[held].taken_by}", file=file.name)


def read_in(chosen: Format, file: InputFile, kind: KindName) -> pl.DataFrame:
    """The table of that kind of a file in that format."""
    table = chosen.readers[kind](file)
    if not len(table) and file.left_out:
        note = left_out_note([file.left_out]).removeprefix("Left out: ").removesuffix(".")
        raise InputError(
            f"holds no {kind} but those that are left out ({note}); give a file with other rows",
            file=file.name,
        )
    if not len(table):
        raise InputError(f"holds no {kind}, only a header; add rows", file=file.name)
    return table


def join_tables(tables: Iterable[pl.DataFrame], numbers: Sequence[str]) -> pl.DataFrame:
    """Tables one after another; `numbers` are shifted where tables repeat those of the first."""
    parts: list[pl.DataFrame] = []
    next_number = 0
    for table in tables:
        own = table[numbers[0]]
        lowest, highest = cast(int, own.min()), cast(int, own.max())
        shift = max(next_number - lowest, 0) if parts else 0
        parts.append(table.with_columns(pl.col(numbers) + shift) if shift else table)
        next_number = max(next_number, highest + shift + 1)
    if not parts:
        raise BadParameter("`files` are none; name at least one")
    return pl.concat(parts)


def format_for(path: Path, to: str | None = None, kind: KindName = "judgements") -> Format:
    """The format to write a table to `path` in: the one named, or the one its ending means."""
    formats = {name: chosen for name, chosen in FORMATS.items() if chosen.kind == kind}
    if to is not None:
        chosen = formats[one_of(to, formats, "to")]
        if chosen.write is None:
            raise AdjudgeError(
                f"the format {chosen.name} can only be read; choose another format (`to`)"
            )
        return chosen
    stem = uncompressed_name(fspath(path))
    endings = {f.suffix: f for f in formats.values() if f.write and stem.endswith(f.suffix)}
    if not endings:
        known = ", ".join(f.suffix for f in formats.values() if f.write)
        raise AdjudgeError(
            f"{path}: its ending names no format; choose one with `to`, or end it with one of "
            f"{known}"
        )
    return endings[max(endings, key=len)]


def not_carried(table: pl.DataFrame, chosen: Format) -> list[str]:
    """What of this table the format has no place for."""
    kind = KINDS[chosen.kind]
    given = [name for name in kind.schema if table[name].null_count() < len(table)]
    lost = [name for name in given if name not in (chosen.carries | {kind.number})]
    if not chosen.skipped and table["output"].null_count():
        lost.append(f"skipped {kind.number}s")
    if chosen.votes is not None:  # made of comparisons
        shown = table.drop_nulls("output").group_by(kind.number).len()
        if (shown["len"] == 1).any():
            lost.append("rankings of a single output")
    return lost


def write(table: pl.DataFrame, path: Path, to: str | None = None) -> None:
    """Write a table of any kind whole or not at all, compressed as the path's ending says."""
    chosen = format_for(path, to, kind_of(table.columns).name)
    assert chosen.write is not None
    target = fspath(path)
    with ExitStack() as opened:
        chosen.write(table, OutputFile(target, opened.enter_context(open_output(target))))
        for name, write_table in chosen.beside.items():
            place = _beside(target, name)
            write_table(table, OutputFile(place, opened.enter_context(open_output(place))))


def _beside(path: str, name: str) -> str:
    """Where another table of the same format goes; never over a file that is there."""
    if path == "-":
        raise AdjudgeError(f"this format has several tables ({name}); name a file, not -")
    place = str(FilePath(path).with_name(name)) + path.removeprefix(uncompressed_name(path))
    if FilePath(place).exists():
        raise AdjudgeError(f"{place}: is there already; choose an empty folder for the tables")
    return place
