"""The rankings that scores imply: a judge's higher score of one segment is the better rank.

WMT07 §6 read adequacy and fluency this way to ask whether judges who disagree on values at
least agree on the order. Outputs that one screen scored together are one ranking. Outputs that
a judge scored on different screens (direct assessment) are one ranking too, since the scale is
the same; where a judge scored an output of a segment again, the second scores of that segment
are a ranking of their own. Equal scores are ties.
"""

from collections.abc import Iterable
from typing import cast

import numpy as np
import polars as pl

from adjudge.core.codes import Ints, distinct
from adjudge.data.judgement_table import SCHEMA, judgement_table

_SCORED = pl.col("score").is_not_null()
_OF_SEGMENT = ("pair", "scale", "document", "segment", "judge")


def implied_rankings(table: pl.DataFrame) -> pl.DataFrame:
    """The judgement table that scores imply; where a pair has several scales, a pair for each.

    Such a pair is called `PAIR SCALE`, so that whatever is done by language pair is done by
    scale. What belongs to a screen (hit, position, seconds, time) is kept where the screen
    showed all the outputs of the ranking.
    """
    scales = pl.col("scale").drop_nulls().n_unique().over("pair")
    rows = _by_time(table.filter(_SCORED | pl.col("output").is_null())).with_columns(
        pl.when(scales > 1)
        .then(pl.concat_str(pl.col("pair").cast(pl.String), pl.lit(" "), "scale"))
        .otherwise(pl.col("pair").cast(pl.String))
        .alias("pair")
    )
    rows = rows.with_columns(pl.col("pair").cast(pl.Enum(rows["pair"].unique().sort())))
    together = _together(rows)
    segment = code_rows([appearance_codes(rows[name]) for name in _OF_SEGMENT])
    again = _times_before(code_rows([segment, appearance_codes(rows["output"])]))
    screen = rows["item"].set(~together, None)
    ranking = code_rows([segment, screen, again.set(together, None)])
    of_screen = ("hit", "position", "seconds", "time")
    rows = rows.with_columns(
        together.alias("together"),
        ranking.alias("ranking"),
        _ranks(ranking, rows["score"]).alias("rank"),
    ).with_columns(pl.when("together").then(pl.col(of_screen)))
    rows = rows.with_columns(pl.col("pair").cast(pl.String))
    present = [name for name in SCHEMA if name in rows.columns]
    return judgement_table(rows.select(present).sort("ranking", "position", maintain_order=True))


def _by_time(rows: pl.DataFrame) -> pl.DataFrame:
    """In the order in which scores were given, as far as that is known."""
    if rows["time"].null_count() == len(rows) and rows["item"].is_sorted():
        return rows
    return rows.sort("time", "item", maintain_order=True, nulls_last=True)


def _together(rows: pl.DataFrame) -> pl.Series:
    """Was the output scored on a screen with others, or is that all that is known of it?"""
    item = code_rows([rows["item"], appearance_codes(rows["scale"])]).to_numpy()
    scored = np.bincount(item, rows["score"].is_not_null().to_numpy())[item] > 1
    return pl.Series(scored) | rows["segment"].is_null() | rows["output"].is_null()


def appearance_codes(names: pl.Series) -> pl.Series:
    """Number names from 0 in the order in which they first appear; null stays null.

    The physical codes of a categorical column also depend on what else the process has read.
    """
    physical = names.to_physical()
    order = physical.drop_nulls().unique(maintain_order=True).to_numpy()
    lookup = np.zeros(int(order.max(initial=0)) + 1, np.int64)
    lookup[order] = np.arange(len(order))
    return pl.Series(lookup[physical.fill_null(0).to_numpy()]).set(physical.is_null(), None)


def code_rows(columns: Iterable[pl.Series]) -> pl.Series:
    """Rows that are equal in all columns as numbers from 1, in the order of their values.

    A null is equal to a null, and comes first. Numbers are far faster to group by than rows are.
    """
    code: Ints = np.zeros(1, np.int64)
    most = 1
    for column in columns:
        value, number = _place(column)
        code = code * number + value
        most *= number
        if most > 2**31:  # before the next could be too much for an integer
            different, code = distinct(code, most)
            most = len(different)
    return pl.Series(distinct(code, most)[1] + 1)


def _place(column: pl.Series) -> tuple[Ints, int]:
    """Whole numbers from 1 in the order of these, 0 for a null; and what is above them all."""
    values = column.cast(pl.Int64)
    least = cast(int, values.min() or 0)
    place = (values - least + 1).fill_null(0).to_numpy()
    most = int(place.max(initial=0)) + 1
    if most <= 2**20:  # codes of names leave few gaps
        return place, most
    different, place = distinct(place, most)
    return place, len(different)


def _times_before(code: pl.Series) -> pl.Series:
    """How many rows before have the same code."""
    codes = code.to_numpy()
    place = np.arange(len(codes))
    order = np.argsort(codes * len(codes) + place)
    first = np.diff(codes[order], prepend=-1) != 0
    before = np.empty(len(codes), np.int64)
    before[order] = place - np.maximum.accumulate(np.where(first, place, 0))
    return pl.Series(before)


def _ranks(ranking: pl.Series, score: pl.Series) -> pl.Series:
    """The place of each score among those of its ranking, the highest first; null for none."""
    different, value = np.unique(-score.to_numpy(), return_inverse=True)
    key = ranking.to_numpy() * (len(different) + 1) + value
    order = np.argsort(key)
    block, key = ranking.to_numpy()[order], key[order]
    begins = np.diff(block, prepend=-1) != 0
    steps = np.cumsum(begins | (np.diff(key, prepend=-1) != 0))
    rank = np.empty(len(steps), np.int64)
    rank[order] = steps - np.maximum.accumulate(np.where(begins, steps, 0)) + 1
    return pl.Series(rank).set(score.is_null(), None)
