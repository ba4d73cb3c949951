"""Tables in LaTeX (package booktabs)."""

from adjudge.core.tables.latex_text import latex
from adjudge.core.tables.table import Table


def latex_table(table: Table, signature: str = "") -> str:
    """The table, what is said about it as comments."""
    heading = [f"% {table.title}"] if table.title else []
    below = [*table.notes, *([signature] if signature else [])]
    return "\n".join([*heading, tabular(table), *(f"% {line}" for line in below), ""])


def tabular(table: Table) -> str:
    """The table alone."""
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
