"""Tables in HTML, for a notebook: one element that needs nothing else.

Every style is an attribute, since a notebook may drop style sheets, and every colour is made of the
text's own colour, so that the table can be read on a light and on a dark page.
"""

from html import escape

from adjudge.core.tables.table import Table

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
    """The table with its title above, its notes and its signature below."""
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
