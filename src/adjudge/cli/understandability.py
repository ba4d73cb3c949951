"""`adjudge understandability`: what people make of each system's output, from blind edits."""

from typing import TYPE_CHECKING, Annotated, Literal

from adjudge.cli.options import Format, Output, on_edits, show
from adjudge.cli.parser import option
from adjudge.core.options import Seed

if TYPE_CHECKING:
    from adjudge.api.edits import Edits


EditUnitChoice = Literal["auto", "row", "segment", "document", "editor", "reviewer"]


Unit = Annotated[EditUnitChoice, option("--unit", help="What intervals are to hold for.")]
Replicates = Annotated[int, option(min=1, help="How many bootstrap replicates.")]
Level = Annotated[float, option(help="Confidence level of intervals and ranges.")]
Repeated = Annotated[
    bool,
    option("--repeated", help="Count edits of segments the editor had seen before as well."),
]
References = Annotated[
    str | None,
    option("--references", help="Write the new reference translations here (TSV)."),
]


@on_edits
def understandability(
    edits: "Edits",
    unit: Unit = "auto",
    repeated: Repeated = False,
    references: References = None,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """How much of each system's output people understand: blind edits and their reviews."""
    ranking = edits.rank(
        unit=unit, repeated=repeated, replicates=replicates, seed=seed, level=level
    )
    if references is not None:
        from adjudge.scoring.edits.references import write_references

        write_references(ranking[0].rows, references)
    show([ranking], to, output)
