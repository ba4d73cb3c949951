"""`adjudge info`: what is in a file of judgements."""

from typing import TYPE_CHECKING

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Shared,
    TableFormats,
    emit,
    on_any_judgements,
)

if TYPE_CHECKING:
    import polars as pl


@app.command()
@on_any_judgements
def info(
    table: "pl.DataFrame",
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Show what is in the judgements: pairs, protocols, systems, judges, rankings, ties, time."""
    from adjudge.comparisons.summary import summarise_all
    from adjudge.report.tables import tables_for

    emit(tables_for(summarise_all(table, outputs.value)), to, output)
