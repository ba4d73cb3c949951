"""Tables as one text, in the form asked for."""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

from adjudge.core.errors import one_of
from adjudge.core.tables.flat import csv_text, json_text
from adjudge.core.tables.html import html
from adjudge.core.tables.latex import latex_table
from adjudge.core.tables.markdown import markdown
from adjudge.core.tables.table import Table

TableFormat = Literal["table", "json", "csv", "markdown", "latex", "html"]
FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)


def render(
    tables: Sequence[Table],
    to: TableFormat,
    width: int | None = None,
    say: Callable[[str], str] = str,
) -> str:
    """All tables as one text. JSON and CSV put the rows of all tables one after another.

    `width` is that of notes and sentences (None: that of the terminal, which tables then fit, too).
    `say` puts the parameters that titles, notes and sentences name into other words:
    `errors.as_options` for a command line.
    """
    one_of(to, FORMATS, "to")
    spoken = [table.said(say) for table in tables]
    if to in ("json", "csv"):
        rows = [row for table in spoken for row in table.machine_rows()]
        return json_text(rows) if to == "json" else csv_text(rows)
    signatures = _signatures(spoken)
    if to == "table":
        from adjudge.core.tables.terminal import terminal

        return terminal(spoken, signatures, width)
    write = {"markdown": markdown, "latex": latex_table, "html": html}[to]
    return "\n".join(write(*each) for each in zip(spoken, signatures, strict=True))


def _signatures(tables: Sequence[Table]) -> list[str]:
    """The line below each table; of several with the same one, only the last has it."""
    lines = [table.signature for table in tables]
    followers = [*lines[1:], None]
    return ["" if line == after else line for line, after in zip(lines, followers, strict=True)]
