"""Stream the rows of a query in batches."""

from collections.abc import Iterator
from typing import Any

import polars as pl

# Rows that Polars works on at once. Left to itself it takes up to ten times as many, and half as
# much memory again, for nothing gained in time.
AT_ONCE = 20_000


def in_batches(query: pl.LazyFrame, rows: int) -> Iterator[pl.DataFrame]:
    """Yield the rows in order, in batches of about `rows` rows."""
    with pl.Config(streaming_chunk_size=AT_ONCE):
        batches: Any = query.collect_batches(
            chunk_size=rows, maintain_order=True, engine="streaming"
        )
        yield from batches
