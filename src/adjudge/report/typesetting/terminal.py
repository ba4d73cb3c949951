"""Tables for a terminal, by Rich."""

import io
from collections.abc import Sequence

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from adjudge.report.typesetting.table import Table

LONGEST_NAME = 30  # characters; a longer cell with spaces is a sentence

# Only the rule under the heading and those between clusters are drawn.
_BOX = Box("\n".join(["    ", "    ", " ── ", "    ", " ── ", "    ", "    ", "    "]) + "\n")


def terminal(tables: Sequence[Table], signatures: Sequence[str], width: int | None) -> str:
    """The tables one below the other, each with its notes and its signature, if it has one."""
    text = io.StringIO()
    console = Console(file=text, width=width, highlight=False, color_system=None)
    screen = console.width
    for number, (table, signature) in enumerate(zip(tables, signatures, strict=True)):
        if number:
            console.print()
        if table.title:
            console.print(Text(table.title))
        if table.rows:
            laid_out, needed = _laid_out(table)
            console.width = max(screen, needed)
            console.print(laid_out)
            console.width = screen
        for note in table.notes:
            console.print(Text(note))
        if signature:  # never broken into lines: it is copied
            console.print(Text(signature), soft_wrap=True)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def _laid_out(table: Table) -> tuple[RichTable, int]:
    """The table, and the width below which it would lose something.

    Only sentences are broken into lines; a number or a name never is.
    """
    laid_out = RichTable(box=_BOX, show_edge=False, pad_edge=False)
    rows = table.cells()
    needed = 3 * (len(table.columns) - 1)
    for column, cells in zip(table.columns, zip(*rows, strict=True), strict=True):
        prose = any(len(cell) > LONGEST_NAME and " " in cell for cell in cells)
        least = max(map(cell_len, (column.heading, *cells)))
        least = min(least, LONGEST_NAME) if prose else least
        needed += least
        laid_out.add_column(
            Text(column.heading),
            justify="right" if column.numeric(table.rows) else "left",
            no_wrap=not prose,
            min_width=least,
        )
    for i, row in enumerate(rows):
        laid_out.add_row(*(Text(cell) for cell in row), end_section=i in table.lines_after)
    return laid_out, needed
