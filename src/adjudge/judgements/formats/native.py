"""Adjudge's own formats, which carry everything: JSONL and Parquet, one row per judged output.

The columns are those of the judgement table (`schema`), stored as `native_tables` says.
"""

from collections.abc import Set

from adjudge.files.jsonl import first_object
from adjudge.files.parquet import parquet_columns
from adjudge.judgements.formats import Format
from adjudge.judgements.judgement_table import SCHEMA, judgement_table
from adjudge.judgements.native_tables import NativeTable

REQUIRED = ("pair", "ranking", "systems", "rank")
JUDGEMENTS = NativeTable("rank", SCHEMA, REQUIRED, judgement_table)


def _ours(columns: Set[str]) -> bool:
    return bool(columns & {"ranking", "systems"}) and "score" not in columns


FORMAT = (
    Format(
        name="jsonl",
        description="Adjudge JSONL",
        suffix=".jsonl",
        recognise=lambda file: _ours(first_object(file).keys()),
        read=JUDGEMENTS.read_jsonl,
        write=JUDGEMENTS.write_jsonl,
        carries=frozenset(SCHEMA),
        skipped=True,
    ),
    Format(
        name="parquet",
        description="Adjudge Parquet",
        suffix=".parquet",
        recognise=lambda file: _ours(set(parquet_columns(file))),
        read=JUDGEMENTS.read_parquet,
        write=JUDGEMENTS.write_parquet,
        carries=frozenset(SCHEMA),
        skipped=True,
    ),
)
