"""Data rows: each review beside the edit it is of, with one of four statuses (WMT13 §4.1).

- GOOD: the reviewer accepted the edit without changes
- ALMOST: the reviewer changed it but says that it was acceptable
- BAD: the reviewer says that it was not acceptable
- EMPTY: the editor could not make sense of the output

An edit with several reviews gives several rows. An incomprehensible edit that nobody reviewed is
a row all the same; any other edit waits for its review. A row is `repeated` where its editor had
edited or reviewed the same segment before.
"""

import polars as pl

from adjudge.data.edit_table import BLIND_EDIT, REVIEW

STATUSES = ("GOOD", "ALMOST", "BAD", "EMPTY")
SEGMENT = ("pair", "document", "segment")


def data_rows(table: pl.DataFrame) -> pl.DataFrame:
    """The rows of a table of edits (`mark_repeated` if it was chosen from), edits in order.

    Columns: those of the edit without `protocol`, `verdict` and `reviewed`, its judge being the
    `editor`; `review` (its number), `reviewer`, `final` (the text the reviewer leaves, null where
    there is none), `status`, `repeated`.
    """
    protocol = pl.col("protocol").cast(pl.String)
    has_output = pl.col("output").is_not_null()
    marked = table if "repeated" in table.columns else mark_repeated(table)
    edited = (
        marked.filter((protocol == BLIND_EDIT) & has_output)
        .drop("protocol", "verdict", "reviewed")
        .rename({"judge": "editor"})
    )
    reviews = table.filter((protocol == REVIEW) & has_output).select(
        "reviewed",
        pl.col("item").alias("review"),
        pl.col("judge").alias("reviewer"),
        pl.col("verdict").cast(pl.String),
        pl.col("edit").alias("changed"),
    )
    empty = pl.col("incomprehensible").fill_null(False)
    changed = pl.col("changed").is_not_null() & (pl.col("changed") != pl.col("edit"))
    status = (
        pl.when(empty)
        .then(pl.lit("EMPTY"))
        .when(pl.col("verdict") == "no")
        .then(pl.lit("BAD"))
        .when(changed)
        .then(pl.lit("ALMOST"))
        .otherwise(pl.lit("GOOD"))
    )
    return (
        edited.join(reviews, left_on="item", right_on="reviewed", how="left", maintain_order="left")
        .filter(empty | pl.col("review").is_not_null())
        .with_columns(status.cast(pl.Enum(STATUSES)).alias("status"))
        .with_columns(
            pl.when(pl.col("status") == "GOOD")
            .then(pl.col("edit"))
            .otherwise(pl.col("changed"))
            .alias("final")
        )
        .drop("verdict", "changed")
    )


def mark_repeated(table: pl.DataFrame) -> pl.DataFrame:
    """The table with `repeated`: had the judge of a row seen its segment in an earlier row?

    Rows are in the order of their times where all have one, else of their numbers. Marked before
    anything is chosen from a table, for a system's edit is repeated because of another's.
    """
    order = "item" if table["time"].null_count() else "time"
    earlier = pl.int_range(pl.len()).over(*SEGMENT, "judge", order_by=[order, "item"])
    return table.with_columns((pl.col("judge").is_not_null() & (earlier > 0)).alias("repeated"))
