"""Parquet files, looked at without reading more of them than is needed."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from polars.exceptions import PolarsError

from adjudge.judgements.input_file import InputFile
from adjudge.judgements.reading import Builder, read_carefully, unreadable

MAGIC = b"PAR1"


def lazy_parquet(file: InputFile) -> pl.LazyFrame:
    """The file as a query."""
    source: Any = file.source
    return pl.scan_parquet(source, glob=False, hive_partitioning=False)


def parquet_columns(file: InputFile) -> tuple[str, ...]:
    """Its columns, none where it is no Parquet."""
    if not file.head.startswith(MAGIC):
        return ()
    try:
        return tuple(lazy_parquet(file).collect_schema().names())
    except (PolarsError, OSError) as error:
        raise unreadable(file, error) from None


def read_parquet(
    file: InputFile, build: Builder, columns: Sequence[str] | None = None
) -> pl.DataFrame:
    """A judgement table made by `build`; the line of an error is the number of the row."""

    def rows() -> pl.DataFrame:
        query = lazy_parquet(file)
        return (query if columns is None else query.select(columns)).collect()

    return read_carefully(
        file, build, fast=rows, slow=lambda: rows().with_row_index("line", offset=1)
    )
