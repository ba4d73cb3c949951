"""Preferences: one row for every two outputs of a segment of which people preferred one.

better and worse are the two systems; direction (or pair), segment and judge are used where present.
Preferences of the metrics tasks of WMT are kept in this way: there are no ties, and which output
was shown first is not known. A file without directions is one campaign called `preferences`.
"""

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import refuse, require_values
from adjudge.core.files.delimited import read_delimited
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import check_system_names
from adjudge.data.ranking_rows import to_rows

CAMPAIGN = "preferences"
REQUIRED = ("better", "worse")


def _build(frame: pl.DataFrame) -> pl.DataFrame:
    if {"pair", "direction"} <= {*frame.columns}:
        raise InputError("has both direction and pair, which are the same; remove one", line=1)
    require_values(frame, REQUIRED)
    check_system_names(frame, REQUIRED)
    refuse(frame, pl.col("better") == pl.col("worse"), "prefers {} to itself; remove it", "better")
    pair = next((name for name in ("pair", "direction") if name in frame.columns), None)
    kept = [name for name in ("segment", "judge", "line") if name in frame.columns]
    wide = frame.select(
        (pl.lit(CAMPAIGN) if pair is None else pl.col(pair).fill_null(CAMPAIGN)).alias("pair"),
        *kept,
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("ranking"),
        *REQUIRED,
        pl.lit(1, pl.Int32).alias("first"),
        pl.lit(2, pl.Int32).alias("second"),
    )
    rows = to_rows(
        wide, [pl.col(name) for name in REQUIRED], [pl.col(name) for name in ("first", "second")]
    )
    return rows.drop(*REQUIRED, "first", "second", "position")


_EXAMPLE = """\
direction\tsegment\tbetter\tworse\tjudge
cs-en\t7\tA\tPřekladač\tann
cs-en\t7\tPřekladač\tB 2\tann
de-en\t9\tB 2\tA\tbob
"""


FORMAT = Format(
    name="preferences",
    description="Preferences of one output over another (CSV, TSV)",
    kind="judgements",
    suffix=".preferences.tsv",
    recognise=lambda file: {*REQUIRED} <= {*file.header},
    read=lambda file: read_delimited(file, _build, check=judgement_table),
    example={"preferences.tsv": _EXAMPLE.encode()},
    carries=frozenset({"pair", "segment", "judge", "output", "rank"}),
)
