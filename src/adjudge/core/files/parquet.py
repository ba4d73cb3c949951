"""Parquet files, inspected without reading more of them than needed."""

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
    """Silence stderr while a Parquet file is read: Polars prints a panic before it raises."""
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
    """Test for the magic bytes of Parquet."""
    return file.head.startswith(MAGIC)


def lazy_parquet(file: InputFile, columns: Sequence[str]) -> pl.LazyFrame:
    """Query over columns of the file, after another process has read them safely.

    A child process does so itself, without a further one.
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
    """Column names; empty if the file is not Parquet."""
    if not is_parquet(file):
        return ()
    with quietly(file):
        try:
            return tuple(_scan(file).collect_schema().names())
        except READ_ERRORS as error:
            raise unreadable(file, error) from None


def parquet_rows(file: InputFile) -> int:
    """Number of rows according to the metadata."""
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
    """Build a table with `build`; errors give the row as line number."""

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
    """Refuse rows beyond the size limit: one repeated value takes no space in a file."""
    rows = int(query.select(pl.len()).collect().item())
    if rows * len(query.collect_schema()) * _VALUE > most_unpacked(file.stored_size):
        raise too_large(file.name, file.stored_size)


def _refuse_without_memory(file: InputFile, query: pl.LazyFrame) -> None:
    """Refuse a file that would exhaust memory, since Polars would end the process without a
    message.
    """
    rows = int(query.select(pl.len()).collect().item())
    needed = rows * len(query.collect_schema()) * _WHILE_READ
    require_memory(
        needed,
        f"{file.name}: reading and checking it takes",
        "free some, or allow more (ulimit -v)",
    )


def _refuse_deadly(file: InputFile, columns: Sequence[str]) -> None:
    """Refuse a file whose reading would crash the process or exhaust memory (`parquet_scout`)."""
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
