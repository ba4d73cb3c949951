"""How Adjudge's own tables (judgements, scores, edits) are stored: JSONL and Parquet.

The columns of a file are those of the table, but `output` is the list `systems`: null where
there is no output, empty for an output of no known system, which its `text` then names. Times
are UTC, in JSONL written as ISO 8601. Optional columns without any value are left out.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any

import polars as pl

from adjudge.core.files.checked_table import refuse, require_columns
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.jsonl import lazy_jsonl, read_jsonl
from adjudge.core.files.output import OutputFile
from adjudge.core.files.parquet import lazy_parquet, parquet_columns, read_parquet
from adjudge.data.kinds import KINDS, Kind, KindName, own_columns
from adjudge.data.outputs import (
    breaks_names,
    join_lists,
    known_text,
    list_systems,
    text_output,
)

_BATCH = 1 << 18  # rows
_ISO = "%Y-%m-%dT%H:%M:%S%.6fZ"


def native_kind(columns: Collection[str]) -> KindName | None:
    """The kind of table whose file has these columns; None where it is none of ours.

    Columns without a value may be missing, so some that only one kind has are enough.
    """
    ours = {"pair", "ranking", "item", "systems", "rank", "score", "edit"}
    if len(ours.intersection(columns)) < 2:
        return None
    special: tuple[KindName, ...] = ("edits", "scores")
    return next((name for name in special if own_columns(name).intersection(columns)), "judgements")


@dataclass(frozen=True)
class NativeTable:
    """One kind of table, as it is stored."""

    kind: Kind

    @cached_property
    def file_schema(self) -> dict[str, pl.DataType]:
        """The columns of a Parquet file."""
        stored = {
            name: pl.String() if dtype == pl.Categorical else dtype
            for name, dtype in self.kind.schema.items()
        }
        stored["output"] = pl.List(pl.String())
        return {_in_file(name): dtype for name, dtype in stored.items()}

    def read_jsonl(self, file: InputFile) -> pl.DataFrame:
        """The table of a JSONL file."""
        renamed = self._renamed(file.json_keys)
        schema = {
            next((old for old, new in renamed.items() if new == name), name): dtype
            for name, dtype in self.file_schema.items()
        }
        return read_jsonl(
            file,
            {**schema, "time": pl.String()},
            lambda frame: unpack(_times(frame.rename(renamed))),
            strict=True,
            check=self.kind.check,
        )

    def read_parquet(self, file: InputFile) -> pl.DataFrame:
        """The table of a Parquet file."""
        renamed = self._renamed(parquet_columns(file))
        return read_parquet(
            file,
            lambda frame: self.from_parquet(frame.rename(renamed)),
            check=self.kind.check,
        )

    def jsonl_batches(self, file: InputFile, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """These columns of a JSONL file, some rows at a time; of null where it has none."""
        named = {name: old for old, name in self._renamed(file.json_keys).items()}
        wanted = {named.get(name, name): self.file_schema[name] for name in columns}
        return self._batches(lazy_jsonl(file, wanted), columns)

    def parquet_batches(self, file: InputFile, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """These columns of a Parquet file, some rows at a time; of null where it has none."""
        stored = parquet_columns(file)
        renamed = self._renamed(stored)
        present = [name for name in stored if renamed.get(name, name) in columns]
        return self._batches(lazy_parquet(file, present), columns)

    def _batches(self, query: pl.LazyFrame, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        # What is done to columns is done to batches: in the query it would take far more memory.
        batches: Any = query.collect_batches(
            chunk_size=_BATCH, maintain_order=True, engine="streaming"
        )
        for batch in batches:
            named = batch.rename(self._renamed(batch.columns))
            given = {n: pl.col(n) if n in named.columns else pl.lit(None) for n in columns}
            yield named.select(
                column.cast(self.file_schema[name]).alias(name) for name, column in given.items()
            )

    def _renamed(self, columns: Collection[str]) -> dict[str, str]:
        """Items of scores and edits were once numbered in a column `ranking`."""
        return {"ranking": self.kind.number} if "ranking" in columns else {}

    def from_parquet(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The table's columns of (some of) the rows of a Parquet file."""
        always = [_in_file(name) for name in self.kind.always]
        require_columns(frame, self.file_schema, always, "our Parquet")
        present = [name for name in self.file_schema if name in frame.columns]
        return unpack(
            frame.with_columns(pl.col(name).cast(self.file_schema[name]) for name in present)
        )

    def write_jsonl(self, table: pl.DataFrame, file: OutputFile) -> None:
        """One object a line."""
        frame = self.to_file_columns(table)
        if "time" in frame.columns:
            frame = frame.with_columns(pl.col("time").dt.strftime(_ISO))
        frame.write_ndjson(file.stream)

    def write_parquet(self, table: pl.DataFrame, file: OutputFile) -> None:
        """Columns, compressed."""
        self.to_file_columns(table).write_parquet(file.stream, compression="zstd")

    def to_file_columns(self, table: pl.DataFrame) -> pl.DataFrame:
        """The table as the columns of the file."""
        names = (name for name, dtype in self.kind.schema.items() if dtype == pl.Categorical)
        frame = table.with_columns(
            pl.col([name for name in names if name not in ("output", "text")]).cast(pl.String),
            output=list_systems(),
            text=pl.coalesce(known_text(), pl.col("text").cast(pl.String)),
        )
        empty = [name for name in frame.columns if frame[name].null_count() == len(frame)]
        kept = frame.drop(name for name in empty if name not in self.kind.always)
        return kept.rename({name: _in_file(name) for name in kept.columns})

    def parquet_of(self, jsonl: bytes) -> bytes:
        """The Parquet file that holds what this JSONL does."""
        schema = {**self.file_schema, "time": pl.String()}
        stream = BytesIO()
        _times(pl.read_ndjson(BytesIO(jsonl), schema=schema)).write_parquet(stream)
        return stream.getvalue()


NATIVE = {name: NativeTable(kind) for name, kind in KINDS.items()}


def _in_file(column: str) -> str:
    return "systems" if column == "output" else column


def unpack(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame of a file with the column `output` instead of `systems`."""
    systems = pl.col("systems")
    names = frame["systems"].explode(empty_as_null=False, keep_nulls=False).unique()
    broken = names.filter(names.is_null() | (names == "") | breaks_names(names))
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
    output = pl.when(nobody).then(text_output(text)).otherwise(join_lists(frame["systems"]))
    return frame.with_columns(output.alias("output")).drop("systems")


def _times(frame: pl.DataFrame) -> pl.DataFrame:
    time = pl.col("time").str.to_datetime(strict=False, time_unit="us", time_zone="UTC")
    refuse(
        frame,
        pl.col("time").is_not_null() & time.is_null(),
        "time {} is no time like 2014-05-20T07:15:58Z; mend it",
        "time",
    )
    return frame.with_columns(time)
