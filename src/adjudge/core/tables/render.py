"""Tables as JSON, CSV, Markdown, LaTeX, HTML or text for a terminal.

Rows for machines: JSON and CSV.

Text as LaTeX reads it: special characters escaped, the papers' symbols as commands.

Tables in LaTeX (package booktabs).

Tables in Markdown, as GitHub and CommonMark with tables read them.

Tables in HTML, for a notebook: one element that needs nothing else.

Every style is an attribute, since a notebook may drop style sheets, and every colour is made of the
text's own colour, so that the table can be read on a light and on a dark page.

Tables as one text, in the form asked for.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Literal, get_args

from adjudge.core.errors import one_of
from adjudge.core.tables.table import Row, Table, plain_row


def json_text(rows: Sequence[Row]) -> str:
    """Format rows as a JSON array of flat objects, one per line."""
    lines = (json.dumps(plain_row(row), ensure_ascii=False) for row in rows)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def csv_text(rows: Sequence[Row]) -> str:
    """Format rows as CSV, with a column for every key of any row."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, keys, lineterminator="\n")
    writer.writeheader()
    writer.writerows(plain_row(row) for row in rows)
    return text.getvalue()


_COMMANDS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        "—": "---",
        "…": r"\ldots{}",
        "’": "'",
        "“": "``",
        "”": "''",
        "§": r"$\S$",
        "†": r"$\dagger$",
        "‡": r"$\ddagger$",
        "\u2068": "",  # around names written from the right
        "\u2069": "",
    }
    | {
        symbol: f"${command}$"
        for symbol, command in {
            "⋆": r"\star",
            "≀": r"\wr",
            "−": "-",
            "×": r"\times",
            "·": r"\cdot",
            "±": r"\pm",
            "≤": r"\leq",
            "≥": r"\geq",
            "≈": r"\approx",
            "∝": r"\propto",
            "√": r"\surd",
            "→": r"\to",
            "²": "^2",
            "₂": "_2",
            "⌈": r"\lceil",
            "⌉": r"\rceil",
            "Σ": r"\Sigma",
            "Φ": r"\Phi",
            "α": r"\alpha",
            "β": r"\beta",
            "δ": r"\delta",
            "θ": r"\theta",
            "κ": r"\kappa",
            "μ": r"\mu",
            "ν": r"\nu",
            "π": r"\pi",
            "ρ": r"\rho",
            "σ": r"\sigma",
            "τ": r"\tau",
        }.items()
    }
)


def latex(text: str) -> str:
    """Escape text for LaTeX; consecutive hyphens do not become a dash."""
    return "-{}".join(part.translate(_COMMANDS) for part in re.split("-(?=-)", text))


def latex_table(table: Table, signature: str = "") -> str:
    """Format a table in LaTeX, with its notes as comments."""
    heading = [f"% {table.title}"] if table.title else []
    below = [*table.notes, *([signature] if signature else [])]
    return "\n".join([*heading, tabular(table), *(f"% {line}" for line in below), ""])


def tabular(table: Table) -> str:
    """Format the tabular environment alone."""
    align = "".join("r" if column.numeric(table.rows) else "l" for column in table.columns)
    parts = [rf"\begin{{tabular}}{{{align}}}", r"\toprule"]
    parts.append(" & ".join(latex(column.heading) for column in table.columns) + r" \\")
    parts.append(r"\midrule")
    for i, (cells, bold) in enumerate(zip(table.cells(), table.bold_cells(), strict=True)):
        shown = (
            rf"\textbf{{{latex(cell)}}}" if strong else latex(cell)
            for cell, strong in zip(cells, bold, strict=True)
        )
        parts.append(" & ".join(shown) + r" \\")
        if i in table.lines_after and i + 1 < len(table.rows):
            parts.append(r"\midrule")
    return "\n".join([*parts, r"\bottomrule", r"\end{tabular}"])


# What Markdown would read as something else; an underscore inside a word is safe.
_SPECIAL = re.compile(r"([\\`*<|\[\]]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|~(?=~))")


def markdown_text(text: str) -> str:
    """Escape text for Markdown."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", " ")


def markdown(table: Table, signature: str = "") -> str:
    """Format a table in Markdown, with a blank row between clusters and its notes and signature
    below.
    """
    parts = [f"**{markdown_text(table.title)}**", ""] if table.title else []
    if table.rows and table.columns:
        headings = (markdown_text(column.heading) for column in table.columns)
        parts.append("| " + " | ".join(headings) + " |")
        rules = ("---:" if c.numeric(table.rows) else ":---" for c in table.columns)
        parts.append("|" + "|".join(rules) + "|")
        blank = "|" + " |" * len(table.columns)
        for i, (cells, bold) in enumerate(zip(table.cells(), table.bold_cells(), strict=True)):
            shown = (
                f"**{markdown_text(cell)}**" if strong else markdown_text(cell)
                for cell, strong in zip(cells, bold, strict=True)
            )
            parts.append("| " + " | ".join(shown) + " |")
            if i in table.lines_after and i + 1 < len(table.rows):
                parts.append(blank)
        parts.append("")
    parts.extend(f"{markdown_text(note)}\n" for note in table.notes)
    if signature:
        parts.append(f"`{signature}`\n")
    return "\n".join(parts)


_FAINT = "color-mix(in srgb, currentColor 25%, transparent)"
_STRONG = "color-mix(in srgb, currentColor 60%, transparent)"
_SOFT = "opacity:.75;font-size:.9em;margin:.25em 0"
_CELL = "padding:.15em .6em;vertical-align:top;white-space:pre-wrap"
_TABLE = "border-collapse:collapse;font-variant-numeric:tabular-nums;color:inherit"
_STRONG_CELL = ";font-weight:bold"
_LONG = "overflow-wrap:anywhere"
_OUTER = "overflow-x:auto;margin:.5em 0"
_TITLE = "text-align:left;font-weight:bold;padding:.3em 0;margin:0;color:inherit"


def html(table: Table, signature: str = "") -> str:
    """Format a table in HTML, with its title above and its notes and signature below."""
    parts = [f'<div class="adjudge-table" style="{_OUTER}">']
    if table.rows and table.columns:
        parts.append(f'<table style="{_TABLE}">')
        if table.title:
            parts.append(f'<caption style="{_TITLE}">{escape(table.title)}</caption>')
        parts += [_head(table), _body(table), "</table>"]
    elif table.title:
        parts.append(f'<p style="{_TITLE}">{escape(table.title)}</p>')
    parts += [f'<p style="{_SOFT}">{escape(note)}</p>' for note in table.notes]
    if signature:
        parts.append(f'<p style="{_SOFT}"><code style="{_LONG}">{escape(signature)}</code></p>')
    return "\n".join([*parts, "</div>", ""])


def _head(table: Table) -> str:
    cells = (
        f'<th scope="col" style="{_CELL};text-align:{_side(number)};'
        f'border-bottom:1px solid {_STRONG}">{escape(column.heading)}</th>'
        for column, number in zip(table.columns, _numeric(table), strict=True)
    )
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def _body(table: Table) -> str:
    sides = [_side(number) for number in _numeric(table)]
    lines = []
    last = len(table.rows) - 1
    for i, (cells, bold) in enumerate(zip(table.cells(), table.bold_cells(), strict=True)):
        rule = f";border-bottom:1px solid {_FAINT}" if i in table.lines_after and i < last else ""
        shown = (
            f'<td style="{_CELL};text-align:{side}{rule}{_STRONG_CELL if strong else ""}">'
            f"{escape(cell)}</td>"
            for cell, side, strong in zip(cells, sides, bold, strict=True)
        )
        lines.append(f"<tr>{''.join(shown)}</tr>")
    return "<tbody>\n" + "\n".join(lines) + "\n</tbody>"


def _numeric(table: Table) -> list[bool]:
    return [column.numeric(table.rows) for column in table.columns]


def _side(number: bool) -> str:
    return "right" if number else "left"


TableFormat = Literal["table", "json", "csv", "markdown", "latex", "html"]
FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)


def render(
    tables: Sequence[Table],
    to: TableFormat,
    width: int | None = None,
    say: Callable[[str], str] = str,
) -> str:
    """Render all tables as one text; JSON and CSV concatenate the rows of all tables.

    `width` limits notes and sentences (None: the width of the terminal, which tables then fit,
    too). `say` rewrites the parameters in titles, notes and sentences: `errors.as_options` for a
    command line.
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
    """Signature line below each table; consecutive equal signatures are printed once, after the
    last.
    """
    lines = [table.signature for table in tables]
    followers = [*lines[1:], None]
    return ["" if line == after else line for line, after in zip(lines, followers, strict=True)]
