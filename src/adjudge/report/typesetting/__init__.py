"""What tables are set with: one table, six ways to print it.

Terminal, JSON, CSV, Markdown, LaTeX and HTML. `report/tables/` makes the tables of results.
"""

from adjudge.report.typesetting.rendering import FORMATS, TableFormat, render
from adjudge.report.typesetting.table import Between, Column, Row, Table, plain, plain_row

__all__ = [
    "FORMATS",
    "Between",
    "Column",
    "Row",
    "Table",
    "TableFormat",
    "plain",
    "plain_row",
    "render",
]
