"""`adjudge timing`: how long judges take for an item, by protocol."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import Format, Output, TableFormats, emit, on_timed

if TYPE_CHECKING:
    import polars as pl


class ByChoice(StrEnum):
    """What times are told apart by, beside the protocol."""

    judge = "judge"
    group = "group"
    pair = "pair"


By = Annotated[ByChoice | None, typer.Option(help="Beside the protocol, tell these apart.")]
DropOver = Annotated[
    float, typer.Option(min=0, help="Drop sets that took longer than so many seconds.")
]


@app.command()
@on_timed
def timing(
    table: "pl.DataFrame",
    by: By = None,
    drop_over: DropOver = 300,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Time per item by protocol, from judgements, scores and edits (WMT07 §6)."""
    from adjudge.judgements.timing import time_items
    from adjudge.report.tables import tables_for

    emit(tables_for(time_items(table, drop_over, None if by is None else by.value)), to, output)
