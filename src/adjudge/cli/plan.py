"""`adjudge plan`: what more judgements would buy, and which to ask for."""

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Seed,
    Shared,
    TableFormats,
    on_judgements,
    show,
)
from adjudge.cli.rank import UnitChoice, UnitOption

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

Between = Annotated[
    list[str],
    typer.Option("--between", help="Separate these two systems (give it twice), not neighbours."),
]
Clusters = Annotated[int | None, typer.Option(min=1, help="How many clusters are wanted.")]
Level = Annotated[float, typer.Option(help="Separated: this interval excludes zero.")]
Chance = Annotated[float, typer.Option(help="The chance of success to plan for.")]
Next = Annotated[int, typer.Option("--next", min=0, help="How many comparisons to suggest.")]
Simulations = Annotated[int, typer.Option(min=10, help="How many campaigns to simulate.")]


@app.command(rich_help_panel=Panel.rank)
@on_judgements
def plan(
    judgements: "Judgements",
    between: Between = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    clusters: Clusters = None,
    unit: UnitOption = UnitChoice.auto,
    level: Level = 0.95,
    chance: Chance = 0.8,
    next_shown: Next = 10,
    simulations: Simulations = 200,
    seed: Seed = 1,
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Plan: how many more judgements separate systems, and which comparisons to ask for next."""
    plans = judgements.plan(
        between,
        clusters=clusters,
        unit=unit.value,
        level=level,
        chance=chance,
        next=next_shown,
        simulations=simulations,
        seed=seed,
        outputs=outputs.value,
    )
    show([plans], to, output)
