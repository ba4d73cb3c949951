"""Tables in Markdown, as GitHub and CommonMark with tables read them."""

import re

from adjudge.core.tables.table import Table

# What Markdown would read as something else; an underscore inside a word is safe.
_SPECIAL = re.compile(r"([\\`*<|\[\]]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|~(?=~))")


def markdown_text(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text).replace("\n", " ")


def markdown(table: Table, signature: str = "") -> str:
    """The table, clusters a blank row apart, with its notes and its signature below."""
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
