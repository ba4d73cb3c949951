"""One table, five ways to print it: terminal, JSON, CSV, Markdown, LaTeX.

A table is a list of flat rows (snake_case keys: the JSON interface of docs/json.md) with, for
people, a heading and a number format per column. JSON and CSV carry every key and full
precision; the other three show the listed columns only.
"""

import csv
import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from adjudge.report.latex_text import latex

if TYPE_CHECKING:
    from rich.table import Table as RichTable

Row = Mapping[str, Any]
TableFormat = Literal["table", "json", "csv", "markdown", "latex"]

LONGEST_NAME = 30  # characters; a longer cell with spaces is a sentence


def plain(value: Any) -> Any:
    """A value as Python and JSON know it: no NumPy scalar, no NaN."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def plain_row(row: Row) -> dict[str, Any]:
    """A row as Python and JSON know it."""
    return {key: plain(value) for key, value in row.items()}


@dataclass(frozen=True)
class Column:
    """How people see one key of the rows."""

    key: str
    heading: str
    digits: int | None = None  # decimals of a float
    percent: bool = False

    def show(self, row: Row) -> str:
        """The cell as text; what is unknown is empty."""
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
        """Are its cells numbers (and so aligned right)?"""
        values = [plain(row.get(self.key)) for row in rows]
        return all(
            value is None or (isinstance(value, int | float) and not isinstance(value, bool))
            for value in values
        )


@dataclass(frozen=True)
class Between(Column):
    """Two keys in one column: from … to, one rank where both are the same, or nothing."""

    to: str = ""

    def show(self, row: Row) -> str:
        """Both ends of an interval that is known."""
        low = super().show(row)
        high = Column(self.to, "", self.digits).show(row)
        if low == high and isinstance(row.get(self.key), int | None):
            return low
        # Beside a minus a dash would be read as another.
        return f"{low} to {high}" if "-" in (low[:1], high[:1]) else f"{low}–{high}"


@dataclass(frozen=True)
class Table:
    """Rows with a title, the columns people see, and what to say below them."""

    rows: Sequence[Row]
    columns: Sequence[Column]
    title: str = ""
    notes: Sequence[str] = ()
    lines_after: frozenset[int] = field(default_factory=frozenset)  # rows followed by a rule
    totals: int = 0  # rows at the end that sum up the others

    def cells(self) -> list[list[str]]:
        """What people see, row by row."""
        return [[column.show(row) for column in self.columns] for row in self.rows]


def render(tables: Sequence[Table], to: TableFormat, width: int | None = None) -> str:
    """All tables as one text. JSON and CSV put the rows of all tables one after another."""
    if to in ("json", "csv"):
        rows = [row for table in tables for row in table.rows]
        return _json(rows) if to == "json" else _csv(rows)
    if to == "table":
        return _terminal(tables, width)
    writer: Callable[[Table], str] = markdown if to == "markdown" else _latex
    return "\n".join(writer(table) for table in tables)


def _json(rows: Sequence[Row]) -> str:
    lines = (json.dumps(plain_row(row), ensure_ascii=False) for row in rows)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _csv(rows: Sequence[Row]) -> str:
    keys = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, keys, lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain_row(row) for row in rows)
    return text.getvalue()


def _terminal(tables: Sequence[Table], width: int | None) -> str:
    from rich.console import Console
    from rich.text import Text

    text = io.StringIO()
    console = Console(file=text, width=width, highlight=False, color_system=None)
    terminal = console.width
    for number, table in enumerate(tables):
        if number:
            console.print()
        if table.title:
            console.print(Text(table.title))
        if table.rows:
            shown, needed = _laid_out(table)
            console.width = max(terminal, needed)
            console.print(shown)
            console.width = terminal
        for note in table.notes:
            console.print(Text(note))
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def _laid_out(table: Table) -> "tuple[RichTable, int]":
    """The table, and the width below which it would lose something.

    Only sentences are broken into lines; a number or a name never is.
    """
    from rich.box import Box
    from rich.cells import cell_len
    from rich.table import Table as RichTable
    from rich.text import Text

    # Only the rule under the heading and those between clusters are drawn.
    box = Box("\n".join(["    ", "    ", " ── ", "    ", " ── ", "    ", "    ", "    "]) + "\n")
    shown = RichTable(box=box, show_edge=False, pad_edge=False)
    rows = table.cells()
    needed = 3 * (len(table.columns) - 1)
    for column, cells in zip(table.columns, zip(*rows, strict=True), strict=True):
        prose = any(len(cell) > LONGEST_NAME and " " in cell for cell in cells)
        least = max(map(cell_len, (column.heading, *cells)))
        least = min(least, LONGEST_NAME) if prose else least
        needed += least
        shown.add_column(
            Text(column.heading),
            justify="right" if column.numeric(table.rows) else "left",
            no_wrap=not prose,
            min_width=least,
        )
    for i, row in enumerate(rows):
        shown.add_row(*(Text(cell) for cell in row), end_section=i in table.lines_after)
    return shown, needed


# What Markdown would read as something else; an underscore inside a word is safe.
_MARKDOWN = re.compile(r"([\\`*<|\[\]]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|~(?=~))")


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKDOWN.sub(r"\\\1", text).replace("\n", " ")


def markdown(table: Table) -> str:
    """The table in Markdown, clusters a blank row apart."""
    parts = [f"**{markdown_text(table.title)}**", ""] if table.title else []
    if table.rows and table.columns:
        headings = (markdown_text(column.heading) for column in table.columns)
        parts.append("| " + " | ".join(headings) + " |")
        rules = ("---:" if c.numeric(table.rows) else ":---" for c in table.columns)
        parts.append("|" + "|".join(rules) + "|")
        blank = "|" + " |" * len(table.columns)
        for i, cells in enumerate(table.cells()):
            parts.append("| " + " | ".join(map(markdown_text, cells)) + " |")
            if i in table.lines_after and i + 1 < len(table.rows):
                parts.append(blank)
        parts.append("")
    parts.extend(f"{markdown_text(note)}\n" for note in table.notes)
    return "\n".join(parts)


def _latex(table: Table) -> str:
    heading = [f"% {table.title}"] if table.title else []
    return "\n".join([*heading, tabular(table), *(f"% {note}" for note in table.notes), ""])


def tabular(table: Table) -> str:
    """The table in LaTeX (package booktabs)."""
    align = "".join("r" if column.numeric(table.rows) else "l" for column in table.columns)
    parts = [rf"\begin{{tabular}}{{{align}}}", r"\toprule"]
    parts.append(" & ".join(latex(column.heading) for column in table.columns) + r" \\")
    parts.append(r"\midrule")
    for i, cells in enumerate(table.cells()):
        parts.append(" & ".join(map(latex, cells)) + r" \\")
        if i in table.lines_after and i + 1 < len(table.rows):
            parts.append(r"\midrule")
    return "\n".join([*parts, r"\bottomrule", r"\end{tabular}"])
