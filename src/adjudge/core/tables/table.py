"""Tables: rows of plain values, and the columns shown to people.

The rows are flat (snake_case keys: the JSON interface of docs/json.md). A column says which key it
shows, under which heading, with how many digits. JSON and CSV carry every key and full precision;
all other forms show the columns only. Where the layout for people is not a list of rows (a matrix
of systems, say), `data` holds the rows for JSON and CSV.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Row = Mapping[str, Any]


def plain(value: Any) -> Any:
    """Convert a value to plain Python and JSON: no NumPy scalar, no NaN."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def plain_row(row: Row) -> dict[str, Any]:
    """Convert the values of a row to plain Python and JSON."""
    return {key: plain(value) for key, value in row.items()}


@dataclass(frozen=True)
class Column:
    """Display of one key of the rows: heading, digits, alignment."""

    key: str
    heading: str
    digits: int | None = None  # decimals of a float
    percent: bool = False

    def show(self, row: Row) -> str:
        """Format the cell; a missing value is empty."""
        value = plain(row.get(self.key))
        if value is None:
            return ""
        if self.percent:
            return f"{100 * value:.{self.digits or 0}f} %"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return f"{value:,}"
        if isinstance(value, float):
            digits = 3 if self.digits is None else self.digits
            return f"{round(value, digits) + 0.0:.{digits}f}"  # + 0.0: no minus before a zero
        return str(value)

    def numeric(self, rows: Sequence[Row]) -> bool:
        """Test whether the cells are numbers (and so aligned right)."""
        values = [plain(row.get(self.key)) for row in rows]
        return all(
            value is None or (isinstance(value, int | float) and not isinstance(value, bool))
            for value in values
        )


@dataclass(frozen=True)
class Between(Column):
    """Two keys in one column: an interval, one rank if both are equal, or nothing."""

    to: str = ""

    def show(self, row: Row) -> str:
        """Format an interval if both ends are known."""
        low = super().show(row)
        high = Column(self.to, "", self.digits).show(row)
        if low == high and (not low or isinstance(row.get(self.key), int)):
            return low
        # Beside a minus a dash would be read as another.
        return f"{low} to {high}" if "-" in (low[:1], high[:1]) else f"{low}–{high}"


@dataclass(frozen=True)
class Table:
    """Rows with a title, the displayed columns, and notes."""

    rows: Sequence[Row]
    columns: Sequence[Column]
    title: str = ""
    notes: Sequence[str] = ()
    lines_after: frozenset[int] = field(default_factory=frozenset)  # rows followed by a rule
    totals: int = 0  # rows at the end that sum up the others
    bold: frozenset[tuple[int, str]] = frozenset()  # rows and keys of cells that stand out
    data: Sequence[Row] | None = None  # the rows for machines; None: the same as for people
    sentences: frozenset[str] = frozenset()  # keys whose values may name parameters, as notes may
    signature: str = ""  # the line from which the numbers can be made again

    def cells(self) -> list[list[str]]:
        """Displayed cells, row by row."""
        return [[column.show(row) for column in self.columns] for row in self.rows]

    def bold_cells(self) -> list[list[bool]]:
        """Emphasis of the displayed cells, row by row."""
        return [
            [(row, column.key) in self.bold for column in self.columns]
            for row in range(len(self.rows))
        ]

    def machine_rows(self) -> list[Row]:
        """Rows for JSON and CSV, with signature and notes if the result has a signature."""
        rows = self.rows if self.data is None else self.data
        if not self.signature:
            return list(rows)
        beside = {"notes": " ".join(self.notes) or None, "signature": self.signature}
        return [{**row, **beside} for row in rows]

    def said(self, say: Callable[[str], str]) -> "Table":
        """Copy of the table with rewritten title, notes and sentences (`errors.spoken`)."""

        def said(rows: Sequence[Row]) -> Sequence[Row]:
            if not self.sentences:
                return rows
            return [
                {
                    key: say(value) if key in self.sentences and isinstance(value, str) else value
                    for key, value in row.items()
                }
                for row in rows
            ]

        return replace(
            self,
            rows=said(self.rows),
            title=say(self.title),
            notes=[say(note) for note in self.notes],
            data=None if self.data is None else said(self.data),
        )
