"""Between files with one row per ranking and the judgement table with one row per output."""

from collections.abc import Sequence

import polars as pl


def to_rows(
    frame: pl.DataFrame, outputs: Sequence[pl.Expr], ranks: Sequence[pl.Expr]
) -> pl.DataFrame:
    """One row per output, in the order shown, from one row per ranking."""
    size = len(outputs)
    wide = frame.with_columns(
        output=pl.concat_list(outputs),
        rank=pl.concat_list(ranks),
        position=pl.lit(list(range(1, size + 1)), dtype=pl.List(pl.Int32)),
    )
    return wide.explode("output", "rank", "position")


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
