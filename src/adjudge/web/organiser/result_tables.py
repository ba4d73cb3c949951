"""Tables of results on the organisers' pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudge.core.errors import in_plain_words
from adjudge.core.tables.table import Table


@dataclass(frozen=True)
class Cell:
    """Cell of a table on a page."""

    text: str
    number: bool


@dataclass(frozen=True)
class ShownTable:
    """Table under a heading, with rules below some rows."""

    heading: str
    title: str
    headings: Sequence[Cell]
    rows: Sequence[tuple[Sequence[Cell], bool]]
    notes: Sequence[str]


def shown(heading: str, table: Table) -> ShownTable:
    """Convert a table for a template, without terms of the command line."""
    right = [column.numeric(table.rows) for column in table.columns]
    named = zip(table.columns, right, strict=True)
    return ShownTable(
        heading,
        table.title,
        [Cell(column.heading, number) for column, number in named],
        [
            ([Cell(*cell) for cell in zip(cells, right, strict=True)], i in table.lines_after)
            for i, cells in enumerate(table.cells())
        ],
        [in_plain_words(note) for note in table.notes],
    )
