"""Adjudge's own formats, which carry everything: JSONL and Parquet, one row per judged output.

The columns are those of the judgement table (`schema`), but `output` is the list `systems`:
null for a ranking that was skipped, empty for an output of no known system, which its `text`
then names. Times are UTC, in JSONL written as ISO 8601.
"""

from typing import IO

import polars as pl

from adjudge.judgements.formats import Format
from adjudge.judgements.input_file import InputFile
from adjudge.judgements.jsonl import first_object, read_jsonl
from adjudge.judgements.parquet import parquet_columns, read_parquet
from adjudge.judgements.reading import only_columns, refuse
from adjudge.judgements.schema import JOINT, SCHEMA, join_column

FILE_SCHEMA: dict[str, pl.DataType] = {
    ("systems" if name == "output" else name): (
        pl.List(pl.String())
        if name == "output"
        else pl.String()
        if dtype == pl.Categorical
        else dtype
    )
    for name, dtype in SCHEMA.items()
}
JSON_SCHEMA = {**FILE_SCHEMA, "time": pl.String()}
REQUIRED = ("pair", "ranking", "systems", "rank")
_CARRIES = frozenset(SCHEMA)
_ISO = "%Y-%m-%dT%H:%M:%S%.6fZ"


def from_file_columns(frame: pl.DataFrame) -> pl.DataFrame:
    """The file's columns as those of the judgement table."""
    systems = pl.col("systems")
    names = frame["systems"].explode(empty_as_null=False, keep_nulls=False).unique()
    broken = names.filter(names.is_null() | (names == "") | names.str.contains(JOINT, literal=True))
    if len(broken):
        refuse(
            frame,
            systems.list.eval(pl.element().is_in(broken.implode(), nulls_equal=True)).list.any(),
            "the systems {} hold an empty or broken name; mend it",
            "systems",
        )
    text = pl.col("text") if "text" in frame.columns else pl.lit(None, pl.String)
    nobody = systems.list.len() == 0
    refuse(frame, nobody & text.is_null(), "an output of no system needs its text; add it")
    output = frame.select(systems.list.join(JOINT)).to_series()
    return frame.with_columns(
        output=pl.when(nobody).then(JOINT + text).otherwise(join_column(output, JOINT))
    ).drop("systems")


def to_file_columns(table: pl.DataFrame) -> pl.DataFrame:
    """The judgement table as the columns of the file; optional ones without any value left out."""
    output = pl.col("output").cast(pl.String)
    nobody = output.str.starts_with(JOINT)
    names = (n for n, dtype in SCHEMA.items() if dtype == pl.Categorical)
    frame = table.with_columns(
        pl.col([n for n in names if n not in ("output", "text")]).cast(pl.String),
        output=pl.when(nobody)
        .then(pl.lit([], pl.List(pl.String)))
        .otherwise(output.str.split(JOINT)),
        text=pl.when(nobody).then(output.str.slice(1)).otherwise(pl.col("text").cast(pl.String)),
    )
    empty = [name for name in table.columns if frame[name].null_count() == len(frame)]
    frame = frame.rename({"output": "systems"})
    return frame.drop(name for name in empty if name in frame.columns and name not in REQUIRED)


def _times(frame: pl.DataFrame) -> pl.DataFrame:
    time = pl.col("time").str.to_datetime(strict=False, time_unit="us", time_zone="UTC")
    refuse(
        frame,
        pl.col("time").is_not_null() & time.is_null(),
        "time {} is no time like 2014-05-20T07:15:58Z; mend it",
        "time",
    )
    return frame.with_columns(time)


def _read_jsonl(file: InputFile) -> pl.DataFrame:
    return read_jsonl(
        file, JSON_SCHEMA, lambda frame: from_file_columns(_times(frame)), strict=True
    )


def _write_jsonl(table: pl.DataFrame, stream: IO[bytes]) -> None:
    frame = to_file_columns(table)
    if "time" in frame.columns:
        frame = frame.with_columns(pl.col("time").dt.strftime(_ISO))
    frame.write_ndjson(stream)


def from_parquet(frame: pl.DataFrame) -> pl.DataFrame:
    """The judgement table of (some of) the rows of our Parquet."""
    only_columns(frame, FILE_SCHEMA, REQUIRED, "our Parquet")
    present = [name for name in FILE_SCHEMA if name in frame.columns]
    return from_file_columns(frame.with_columns(pl.col(n).cast(FILE_SCHEMA[n]) for n in present))


def _write_parquet(table: pl.DataFrame, stream: IO[bytes]) -> None:
    to_file_columns(table).write_parquet(stream, compression="zstd")


FORMAT = (
    Format(
        name="jsonl",
        description="Adjudge JSONL",
        suffix=".jsonl",
        recognise=lambda file: bool(first_object(file).keys() & {"ranking", "systems"}),
        read=_read_jsonl,
        write=_write_jsonl,
        carries=_CARRIES,
        skipped=True,
    ),
    Format(
        name="parquet",
        description="Adjudge Parquet",
        suffix=".parquet",
        recognise=lambda file: bool({"ranking", "systems"} & set(parquet_columns(file))),
        read=lambda file: read_parquet(file, from_parquet),
        write=_write_parquet,
        carries=_CARRIES,
        skipped=True,
    ),
)
