"""How Adjudge's own tables (judgements, scores, edits) are stored: JSONL and Parquet.

The columns of a file are those of the table, but `output` is the list `systems`: null where
there is no output, empty for an output of no known system, which its `text` then names. Times
are UTC, in JSONL written as ISO 8601. Optional columns without any value are left out.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import IO

import polars as pl

from adjudge.errors import InputError
from adjudge.files.careful_reading import Check, only_columns, refuse
from adjudge.files.input_file import InputFile
from adjudge.files.jsonl import first_object, read_jsonl
from adjudge.files.output import open_output, uncompressed_name
from adjudge.files.parquet import is_parquet, parquet_columns, read_parquet
from adjudge.judgements.files import joined
from adjudge.judgements.outputs import JOINT, join_column

_ISO = "%Y-%m-%dT%H:%M:%S%.6fZ"

# The column that only one kind of table has, what such a table holds, and the command for it.
KINDS = {
    "rank": ("judgements", "adjudge rank"),
    "score": ("scores", "adjudge scores"),
    "edit": ("edits", "adjudge understandability"),
}


@dataclass(frozen=True)
class NativeTable:
    """One kind of table, as it is stored."""

    kind: str  # the column that only it has (`KINDS`)
    schema: dict[str, pl.DataType]
    required: tuple[str, ...]  # columns of a file, there whether or not they have a value
    check: Check

    @cached_property
    def file_schema(self) -> dict[str, pl.DataType]:
        """The columns of a Parquet file."""
        kept = {
            name: pl.String() if dtype == pl.Categorical else dtype
            for name, dtype in self.schema.items()
        }
        return {
            ("systems" if name == "output" else name): (
                pl.List(pl.String()) if name == "output" else dtype
            )
            for name, dtype in kept.items()
        }

    def read_jsonl(self, file: InputFile) -> pl.DataFrame:
        """The table of a JSONL file."""
        self._refuse_other_kind(file, set(first_object(file)))
        schema = {**self.file_schema, "time": pl.String()}
        return read_jsonl(
            file, schema, lambda frame: with_output(_times(frame)), strict=True, check=self.check
        )

    def read_parquet(self, file: InputFile) -> pl.DataFrame:
        """The table of a Parquet file."""
        self._refuse_other_kind(file, set(parquet_columns(file)))
        return read_parquet(file, self.from_parquet, check=self.check)

    def from_parquet(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The table's columns of (some of) the rows of a Parquet file."""
        only_columns(frame, self.file_schema, self.required, "our Parquet")
        present = [name for name in self.file_schema if name in frame.columns]
        return with_output(
            frame.with_columns(pl.col(name).cast(self.file_schema[name]) for name in present)
        )

    def write_jsonl(self, table: pl.DataFrame, stream: IO[bytes]) -> None:
        """One object a line."""
        frame = self.to_file_columns(table)
        if "time" in frame.columns:
            frame = frame.with_columns(pl.col("time").dt.strftime(_ISO))
        frame.write_ndjson(stream)

    def write_parquet(self, table: pl.DataFrame, stream: IO[bytes]) -> None:
        """Columns, compressed."""
        self.to_file_columns(table).write_parquet(stream, compression="zstd")

    def to_file_columns(self, table: pl.DataFrame) -> pl.DataFrame:
        """The table as the columns of the file."""
        output = pl.col("output").cast(pl.String)
        nobody = output.str.starts_with(JOINT)
        names = (n for n, dtype in self.schema.items() if dtype == pl.Categorical)
        text = pl.when(nobody).then(output.str.slice(1)).otherwise(pl.col("text").cast(pl.String))
        frame = table.with_columns(
            pl.col([n for n in names if n not in ("output", "text")]).cast(pl.String),
            output=pl.when(nobody)
            .then(pl.lit([], pl.List(pl.String)))
            .otherwise(output.str.split(JOINT)),
            text=text,
        ).rename({"output": "systems"})
        empty = [name for name in frame.columns if frame[name].null_count() == len(frame)]
        return frame.drop(name for name in empty if name not in self.required)

    def read(self, *paths: str, numbers: tuple[str, ...] = ("ranking",)) -> pl.DataFrame:
        """The table of one or more files, `numbers` shifted where files repeat them."""
        return joined((self.read_file(InputFile(path)) for path in paths), numbers)

    def read_file(self, file: InputFile) -> pl.DataFrame:
        """The table of one file."""
        if is_parquet(file):
            table = self.read_parquet(file)
        elif first_object(file):
            table = self.read_jsonl(file)
        else:
            file.text  # noqa: B018  (says so where it is empty, or no text)
            raise InputError(
                f"holds no {KINDS[self.kind][0]}; give JSONL or Parquet as docs/formats.md says",
                file=file.name,
                line=1,
            )
        if not len(table):
            raise InputError("holds no rows; add some", file=file.name)
        return table

    def write(self, table: pl.DataFrame, path: str) -> None:
        """Write a file whole or not at all: Parquet where its ending says so, else JSONL."""
        with open_output(path) as stream:
            parquet = uncompressed_name(path).endswith(".parquet")
            (self.write_parquet if parquet else self.write_jsonl)(table, stream)

    def _refuse_other_kind(self, file: InputFile, columns: set[str]) -> None:
        others = [kind for kind in KINDS if kind in columns]
        if others and self.kind not in columns:
            what, command = KINDS[others[0]]
            raise InputError(
                f"holds {what}, not {KINDS[self.kind][0]}; give it to `{command}`", file=file.name
            )


def with_output(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with the column `output` instead of `systems`."""
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


def _times(frame: pl.DataFrame) -> pl.DataFrame:
    time = pl.col("time").str.to_datetime(strict=False, time_unit="us", time_zone="UTC")
    refuse(
        frame,
        pl.col("time").is_not_null() & time.is_null(),
        "time {} is no time like 2014-05-20T07:15:58Z; mend it",
        "time",
    )
    return frame.with_columns(time)
