"""`adjudge understandability`: what people make of each system's output, from blind edits."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import Format, Output, Seed, TableFormats, on_edits, show

if TYPE_CHECKING:
    from adjudge.api.edits import Edits


class EditUnitChoice(StrEnum):
    """What the bootstrap draws."""

    auto = "auto"
    row = "row"
    segment = "segment"
    document = "document"
    editor = "editor"
    reviewer = "reviewer"


Unit = Annotated[EditUnitChoice, typer.Option("--unit", help="What intervals are to hold for.")]
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


@app.command(rich_help_panel=Panel.rank)
@on_edits
def understandability(
    edits: "Edits",
    unit: Unit = EditUnitChoice.auto,
    repeated: Repeated = False,
    references: References = None,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """How much of each system's output people understand: blind edits and their reviews."""
    ranking = edits.rank(
        unit=unit.value, repeated=repeated, replicates=replicates, seed=seed, level=level
    )
    if references is not None:
        from adjudge.scoring.edits.references import write_references

        write_references(ranking[0].rows, references)
    show([ranking], to, output)
