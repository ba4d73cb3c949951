"""docs/formats.md says what the registry and the tables say."""

import re
from pathlib import Path

import polars as pl
import pytest

from adjudge.data.formats import FORMATS
from adjudge.data.kinds import KINDS
from adjudge.data.native_tables import NATIVE

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
TYPES = {
    pl.String: "text",
    pl.Int32: "integer",
    pl.Int64: "integer",
    pl.Float64: "number",
    pl.Boolean: "true or false",
    pl.Datetime: "time",
}


def rows_below(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    part = PAGE[PAGE.index(heading) :]
    table = re.search(r"^\|.*\n\|[-|]+\|\n((?:\|.*\n)+)", part, re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table[1].splitlines()]


def test_every_format_has_its_row() -> None:
    expected = []
    for chosen in FORMATS.values():
        kind = KINDS[chosen.kind]
        carried = [name for name in kind.schema if name in chosen.carries]
        names = [f"`{name}`".replace("output", "systems") for name in carried]
        keeps = ", ".join(names + [f"skipped {kind.number}s"] * chosen.skipped)
        if len(names) == len(kind.schema):
            keeps = "everything"
        told = [f"`{chosen.name}`", chosen.kind, chosen.description, f"`{chosen.suffix}`", keeps]
        expected.append(told)
    assert sorted(rows_below("# File formats")) == sorted(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_has_its_row(kind: str) -> None:
    schema = NATIVE[kind].file_schema
    found = [row[:2] for row in rows_below(f"## Adjudge JSONL and Parquet of {kind}\n")]
    assert found == [[f"`{name}`", _type(dtype)] for name, dtype in schema.items()]


def _type(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.List):
        return "list of text" if dtype.inner == pl.String else "list of objects"
    return TYPES[type(dtype)]
