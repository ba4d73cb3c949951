"""The rankings that scores imply: a judge's higher score of one segment is the better rank.

WMT07 §6 read adequacy and fluency this way to ask whether judges who disagree on values at
least agree on the order. Outputs that one screen scored together are one ranking. Outputs that
a judge scored on different screens (direct assessment) are one ranking too, since the scale is
the same; where a judge scored an output of a segment again, the second scores of that segment
are a ranking of their own. Equal scores are ties.
"""

import polars as pl

from adjudge.judgements.judgement_table import SCHEMA, judgement_table

_SCORED = pl.col("score").is_not_null()
_OF_SEGMENT = ("pair", "scale", "document", "segment", "judge")


def implied_rankings(table: pl.DataFrame) -> pl.DataFrame:
    """The judgement table that scores imply; where a pair has several scales, a pair for each.

    Such a pair is called `PAIR SCALE`, so that whatever is done by language pair is done by
    scale. What belongs to a screen (hit, position, seconds, time) is kept where the screen
    showed all the outputs of the ranking.
    """
    together = (_SCORED.sum().over("item", "scale") > 1) | pl.col("segment").is_null()
    again = pl.int_range(pl.len()).over(*_OF_SEGMENT, "output")
    scales = pl.col("scale").drop_nulls().n_unique().over("pair")
    rows = (
        table.filter(_SCORED | pl.col("output").is_null())
        .sort("time", "item", maintain_order=True, nulls_last=True)
        .with_columns(together=together | pl.col("output").is_null(), again=again)
        .with_columns(
            pl.when(pl.col("together").not_()).then("again").alias("again"),
            pl.when("together").then("item").alias("screen"),
            pl.when(scales > 1)
            .then(pl.concat_str(pl.col("pair").cast(pl.String), pl.lit(" "), "scale"))
            .otherwise(pl.col("pair").cast(pl.String))
            .alias("pair"),
        )
    )
    block = (*_OF_SEGMENT, "screen", "again")
    screen = ("hit", "position", "seconds", "time")
    rows = rows.with_columns(
        pl.struct(
            pl.col(name).to_physical() if rows.schema[name] == pl.Categorical else pl.col(name)
            for name in block
        )
        .rank("dense")
        .cast(pl.Int64)
        .alias("ranking"),
        pl.col("score").rank("dense", descending=True).over(block).alias("rank"),
        pl.when("together").then(pl.col(screen)),
    )
    present = [name for name in SCHEMA if name in rows.columns]
    return judgement_table(rows.select(present).sort("ranking", "position", maintain_order=True))
