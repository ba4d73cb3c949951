"""`adjudge understandability`: what people make of each system's output, from blind edits."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import Format, Output, Seed, TableFormats, emit, on_edits

if TYPE_CHECKING:
    import polars as pl


class EditUnitChoice(StrEnum):
    """What the bootstrap draws."""

    row = "row"
    segment = "segment"
    document = "document"
    editor = "editor"
    reviewer = "reviewer"


Unit = Annotated[EditUnitChoice, typer.Option("--unit", help="What the bootstrap draws.")]
Replicates = Annotated[int, typer.Option(min=1, help="How many bootstrap replicates.")]
Level = Annotated[float, typer.Option(help="Confidence level of intervals and ranges.")]
Repeated = Annotated[
    bool,
    typer.Option("--repeated", help="Count edits of segments the editor had seen before as well."),
]
References = Annotated[
    str | None,
    typer.Option("--references", help="Write the new reference translations here (TSV)."),
]


@app.command()
@on_edits
def understandability(
    table: "pl.DataFrame",
    unit: Unit = EditUnitChoice.row,
    repeated: Repeated = False,
    references: References = None,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """How much of each system's output people understand: blind edits and their reviews."""
    from adjudge.report.tables import tables_for
    from adjudge.statistics.resampling import Resampling
    from adjudge.understandability import understood, write_references

    result = understood(table, Resampling(unit.value, replicates, seed, level), repeated)
    if references is not None:
        write_references(result.rows, references)
    emit(tables_for(result), to, output)
