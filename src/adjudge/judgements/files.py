"""Reading and writing judgements, the format found by looking at the file."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import cast

import polars as pl

from adjudge.errors import AdjudgeError, InputError
from adjudge.files.input_file import InputFile
from adjudge.files.output import open_output, uncompressed_name
from adjudge.judgements.formats import FORMATS, Format
from adjudge.judgements.judgement_table import SCHEMA


def is_known(file: InputFile) -> bool:
    """Is it in one of our formats?"""
    return any(candidate.recognise(file) for candidate in FORMATS.values())


def recognise(file: InputFile) -> Format:
    """The format of a file, by its content."""
    for candidate in FORMATS.values():
        if candidate.recognise(file):
            return candidate
    file.text  # noqa: B018  (says so where it is empty, or no text)
    raise InputError(
        f"is in no known format; known are {', '.join(FORMATS)} (docs/formats.md)",
        file=file.name,
        line=1,
    )


def read_file(file: InputFile) -> pl.DataFrame:
    """The judgements of one file."""
    table = recognise(file).read(file)
    if not len(table):
        raise InputError("holds no judgements, only a header; add rows", file=file.name)
    return table


def read(*paths: str) -> pl.DataFrame:
    """The judgements of one or more files, rankings renumbered where files repeat numbers."""
    return joined(read_file(InputFile(path)) for path in paths)


def joined(tables: Iterable[pl.DataFrame], numbers: Sequence[str] = ("ranking",)) -> pl.DataFrame:
    """Tables one after another; `numbers`, of rankings, shifted where tables repeat them."""
    parts: list[pl.DataFrame] = []
    next_number = 0
    for table in tables:
        lowest, highest = cast(int, table["ranking"].min()), cast(int, table["ranking"].max())
        shift = max(next_number - lowest, 0) if parts else 0
        parts.append(table.with_columns(pl.col(numbers) + shift) if shift else table)
        next_number = max(next_number, highest + shift + 1)
    return pl.concat(parts)


def format_for(path: str, name: str | None = None) -> Format:
    """The format to write `path` in: the one named, or the one its ending stands for."""
    if name is not None:
        if name not in FORMATS:
            raise AdjudgeError(f"no format {name!r}; there are: {', '.join(FORMATS)}")
        chosen = FORMATS[name]
    else:
        stem = uncompressed_name(path)
        endings = {f.suffix: f for f in FORMATS.values() if f.write and stem.endswith(f.suffix)}
        if not endings:
            raise AdjudgeError(f"{path}: its ending names no format; choose one with --to")
        chosen = endings[max(endings, key=len)]
    if chosen.write is None:
        raise AdjudgeError(f"the format {chosen.name} can only be read; choose another with --to")
    return chosen


def not_carried(table: pl.DataFrame, chosen: Format) -> list[str]:
    """What of these judgements the format has no place for."""
    empty = set(SCHEMA) - {name for name in SCHEMA if table[name].null_count() < len(table)}
    lost = [name for name in SCHEMA if name not in (chosen.carries | empty | {"ranking"})]
    if not chosen.skipped and table["output"].null_count():
        lost.append("skipped rankings")
    if chosen.votes is not None:  # made of comparisons
        shown = table.drop_nulls("output").group_by("ranking").len()
        if (shown["len"] == 1).any():
            lost.append("rankings of a single output")
    return lost


def write(table: pl.DataFrame, path: str, to: str | None = None) -> None:
    """Write judgements whole or not at all, compressed as the path's ending says."""
    chosen = format_for(path, to)
    assert chosen.write is not None
    with ExitStack() as opened:
        chosen.write(table, opened.enter_context(open_output(path)))
        for name, write_table in chosen.beside.items():
            write_table(table, opened.enter_context(open_output(_beside(path, name))))


def _beside(path: str, name: str) -> str:
    """Where another table of the same format goes; never over a file that is there."""
    if path == "-":
        raise AdjudgeError(f"this format has several tables ({name}); give a file with --output")
    place = str(Path(path).with_name(name)) + path.removeprefix(uncompressed_name(path))
    if Path(place).exists():
        raise AdjudgeError(f"{place}: is there already; choose an empty folder for the tables")
    return place
