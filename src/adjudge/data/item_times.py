"""How long an item takes under each protocol (WMT07 §6, Figure 4).

An item is a ranking, a scored output or an edit; one that was skipped is none. WMT07 divided
the time of a set of sentences given together by their number: a file has the share of each item
already, and items that one judge sent at the same moment were such a set. Sets that took longer
than five minutes are left out, for there was a strong chance of a break.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import polars as pl

from adjudge.core.errors import NotEnoughData, one_of, within
from adjudge.core.files.input_file import InputFile
from adjudge.data.edit_table import EDIT_SCHEMA
from adjudge.data.judgement_table import SCHEMA
from adjudge.data.kinds import kind_of
from adjudge.data.score_table import SCORE_SCHEMA
from adjudge.data.table_files import Path, join_tables, read_tables

LONGEST = 300.0  # seconds
By = Literal["judge", "group", "pair"]
# What tables of judgements, scores and edits all have, besides the number of the item.
COLUMNS = tuple(name for name in SCHEMA if name in SCORE_SCHEMA and name in EDIT_SCHEMA)


@dataclass(frozen=True)
class Time:
    """The time per item of one protocol, or of one judge, group or pair under it, in seconds."""

    protocol: str | None
    part: str | None  # the judge, group or pair
    items: int  # that are counted
    dropped: int  # items of sets that took too long
    untimed: int  # items without a time
    mean: float | None
    lower_quartile: float | None
    median: float | None
    upper_quartile: float | None
    mean_per_output: float | None  # an item's time divided by the outputs it shows


@dataclass(frozen=True, eq=False)
class Times:
    """Time per item, and how it was made."""

    rows: tuple[Time, ...]
    by: By | None
    longest: float
    items: pl.DataFrame  # those counted: protocol, part, seconds


def time_items(table: pl.DataFrame, drop_over: float = LONGEST, by: By | None = None) -> Times:
    """The time per item of each protocol (and judge, group or pair) in a table of any kind."""
    if by is not None:
        one_of(by, get_args(By), "by")
    within(drop_over, "drop_over", 0)
    number = "item" if "item" in table.columns else "ranking"
    part = pl.lit(None, pl.String) if by is None else pl.col(by).cast(pl.String)
    items = (
        table.filter(pl.col("output").is_not_null())
        .group_by(number, maintain_order=True)
        .agg(
            pl.col("protocol").first().cast(pl.String),
            part.first().alias("part"),
            pl.col("judge", "hit", "time", "seconds").first(),
            pl.col("output").n_unique().alias("outputs"),
        )
        .with_columns(_set_seconds() <= drop_over)
    )
    if items["seconds"].null_count() == len(items):
        raise NotEnoughData("these judgements carry no times; nothing says how long items took")
    counted = pl.col("seconds").filter("counted")
    rows = (
        items.group_by("protocol", "part")
        .agg(
            pl.col("counted").sum().alias("items"),
            (~pl.col("counted")).sum().alias("dropped"),
            pl.col("seconds").null_count().alias("untimed"),
            counted.mean().alias("mean"),
            *(counted.quantile(share, "linear").alias(name) for name, share in _QUARTILES.items()),
            (pl.col("seconds") / pl.col("outputs"))
            .filter("counted")
            .mean()
            .alias("mean_per_output"),
        )
        .sort("protocol", "part", nulls_last=False)
    )
    return Times(
        tuple(Time(**row) for row in rows.iter_rows(named=True)),
        by,
        drop_over,
        items.filter("counted").select("protocol", "part", "seconds"),
    )


_QUARTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}


def _set_seconds() -> pl.Expr:
    """The time of the set an item was in; without a moment of sending, of the item alone."""
    together = pl.col("seconds").sum().over("judge", "hit", "time")
    return (
        pl.when(pl.col("seconds").is_null())
        .then(None)
        .when(pl.col("time").is_null())
        .then("seconds")
        .otherwise(together)
        .alias("counted")
    )


def read_timed(*paths: Path) -> pl.DataFrame:
    """What files of judgements, scores and edits have in common; the kinds may be mixed.

    What judges answered is numbered in the column `item`, whatever it is.
    """
    tables = (table for path in paths for table in read_tables(InputFile(path)))
    return join_tables(map(_in_common, tables), ("item",))


def _in_common(table: pl.DataFrame) -> pl.DataFrame:
    return table.select(pl.col(kind_of(table.columns).number).alias("item"), *COLUMNS)
