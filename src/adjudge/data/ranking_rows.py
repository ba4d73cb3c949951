"""Between files with one row per ranking and the judgement table with one row per output."""

from collections.abc import Sequence

import numpy as np
import polars as pl


def to_rows(
    frame: pl.DataFrame, outputs: Sequence[pl.Expr], ranks: Sequence[pl.Expr]
) -> pl.DataFrame:
    """One row per output, in the order shown, from one row per ranking."""
    size, rows = len(outputs), len(frame)
    # Names as codes: hashed once a ranking instead of once an output.
    coded = frame.with_columns(pl.col(pl.String).cast(pl.Categorical))
    ranking = pl.Series(np.repeat(np.arange(rows, dtype=np.uint32), size))
    place = pl.Series(np.arange(size * rows, dtype=np.uint32).reshape(size, rows).T.ravel())

    def in_order(columns: Sequence[pl.Expr]) -> pl.Series:
        return pl.concat([coded.select(column).to_series() for column in columns]).gather(place)

    return coded.select(pl.all().gather(ranking)).with_columns(
        output=in_order(outputs),
        rank=in_order(ranks),
        position=pl.Series(np.tile(np.arange(1, size + 1, dtype=np.int32), rows)),
    )


def in_order(table: pl.DataFrame) -> pl.DataFrame:
    """The rows of each ranking together, its outputs as shown."""
    return table.sort("ranking", "position", maintain_order=True)


def to_rankings(table: pl.DataFrame) -> pl.DataFrame:
    """One row per ranking, `output`, `rank` and `label` as lists, identifiers as text."""
    lists = ("output", "rank", "position", "label", "text")
    text = [name for name, dtype in table.schema.items() if dtype == pl.Categorical]
    return (
        in_order(table)
        .with_columns(pl.col(text).cast(pl.String))
        .group_by("ranking", maintain_order=True)
        .agg(
            *(pl.col(name) for name in lists),
            *(pl.col(name).first() for name in table.columns if name not in ("ranking", *lists)),
        )
    )
