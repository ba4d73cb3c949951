"""Parquet files, looked at without reading more of them than is needed."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import RLock
from typing import Any

import polars as pl

from adjudge.core.files import subprocess_call
from adjudge.core.files.checked_table import READ_ERRORS, Builder, Check, read_carefully, unreadable
from adjudge.core.files.decompression import in_words, most_unpacked, too_large
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.memory import limit_memory, require_memory
from adjudge.core.files.parquet_scout import LARGER, SCOUT, SURVIVED

MAGIC = b"PAR1"
_WHILE_READ = 24  # bytes a value takes while it is read and checked, measured on a million scores
_VALUE = 8  # bytes; what a value takes at least, as a number or as the code of a name
_TO_COUNT = 3 << 30  # bytes that a process may have beside what it reads: threads, compiled code
_one_at_a_time = RLock()


@contextmanager
def quietly(file: InputFile) -> Iterator[None]:
    """Nothing on stderr while a Parquet is read: a panic of Polars is printed before it raises."""
    if not is_parquet(file):
        yield
        return
    with _one_at_a_time:
        try:
            kept = os.dup(2)
        except OSError:  # there is no stderr
            yield
            return
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def is_parquet(file: InputFile) -> bool:
    """Does it begin as Parquet does?"""
    return file.head.startswith(MAGIC)


def lazy_parquet(file: InputFile, columns: Sequence[str]) -> pl.LazyFrame:
    """Columns of the file as a query, once another process has survived reading them.

    A process that does nothing else survives or not: none goes before it.
    """
    query = _scan(file)
    _refuse_too_large(file, query.select(columns))
    if subprocess_call.is_expendable:
        limit_memory(most_unpacked(file.stored_size) + len(file.data) + _TO_COUNT)
    else:
        _refuse_deadly(file, columns)
    return query.select(columns)


def _scan(file: InputFile) -> pl.LazyFrame:
    source: Any = file.source
    return pl.scan_parquet(source, glob=False, hive_partitioning=False)


def parquet_columns(file: InputFile) -> tuple[str, ...]:
    """Its columns, none where it is no Parquet."""
    if not is_parquet(file):
        return ()
    with quietly(file):
        try:
            return tuple(_scan(file).collect_schema().names())
        except READ_ERRORS as error:
            raise unreadable(file, error) from None


def parquet_rows(file: InputFile) -> int:
    """How many rows it says it has."""
    with quietly(file):
        try:
            return int(_scan(file).select(pl.len()).collect().item())
        except READ_ERRORS as error:
            raise unreadable(file, error) from None


def read_parquet(
    file: InputFile,
    build: Builder,
    *,
    columns: Sequence[str] | None = None,
    check: Check,
) -> pl.DataFrame:
    """A table made by `build`; the line of an error is the number of the row."""

    def rows() -> pl.DataFrame:
        wanted = parquet_columns(file) if columns is None else columns
        query = lazy_parquet(file, wanted)
        _refuse_without_memory(file, query)
        return query.collect()

    with quietly(file):
        return read_carefully(
            file, build, rows, lambda: rows().with_row_index("line", offset=1), check
        )


def _refuse_too_large(file: InputFile, query: pl.LazyFrame) -> None:
    """Refuse rows beyond the limit: a column of one value takes no place in a file."""
    rows = int(query.select(pl.len()).collect().item())
    if rows * len(query.collect_schema()) * _VALUE > most_unpacked(file.stored_size):
        raise too_large(file.name, file.stored_size)


def _refuse_without_memory(file: InputFile, query: pl.LazyFrame) -> None:
    """Refuse what would fill the memory: Polars then ends the process without a word of ours."""
    rows = int(query.select(pl.len()).collect().item())
    needed = rows * len(query.collect_schema()) * _WHILE_READ
    require_memory(
        needed,
        f"{file.name}: reading and checking it takes",
        "free some, or allow more (ulimit -v)",
    )


def _refuse_deadly(file: InputFile, columns: Sequence[str]) -> None:
    """Refuse a file whose reading would end the process or fill the memory (`parquet_scout`)."""
    source, most = file.source, most_unpacked(file.stored_size)
    with ExitStack() as opened:
        if isinstance(source, Path):
            path = str(source)
        else:
            unpacked = opened.enter_context(NamedTemporaryFile(suffix=".parquet"))
            unpacked.write(source)
            unpacked.flush()
            path = unpacked.name
        answer = SCOUT.ask(path, columns, most)
    if answer == LARGER:
        raise too_large(file.name, file.stored_size)
    if answer != SURVIVED:
        raise unreadable(file, perhaps=f"unpacks to more than {in_words(most)}")
