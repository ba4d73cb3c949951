"""`adjudge plan`: what more judgements would buy, and which to ask for."""

from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Seed,
    Shared,
    TableFormats,
    emit,
    on_judgements,
)
from adjudge.cli.rank import UnitChoice, UnitOption

if TYPE_CHECKING:
    import polars as pl

Between = Annotated[
    list[str],
    typer.Option("--between", help="Separate these two systems (give it twice), not neighbours."),
]
Clusters = Annotated[int | None, typer.Option(min=1, help="How many clusters are wanted.")]
Level = Annotated[float, typer.Option(help="Separated: this interval excludes zero.")]
Chance = Annotated[float, typer.Option(help="The chance of success to plan for.")]
Next = Annotated[int, typer.Option("--next", min=0, help="How many comparisons to suggest.")]
Simulations = Annotated[int, typer.Option(min=10, help="How many campaigns to simulate.")]


@app.command()
@on_judgements
def plan(
    table: "pl.DataFrame",
    between: Between = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    clusters: Clusters = None,
    unit: UnitOption = UnitChoice.ranking,
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
    from dataclasses import replace

    from adjudge.cli.progress import progress
    from adjudge.comparisons import compare
    from adjudge.comparisons.comparisons import by_pair
    from adjudge.errors import AdjudgeError
    from adjudge.report.tables import tables_for
    from adjudge.simulation.planning import Goal
    from adjudge.simulation.planning import plan as plan_for

    if between and len(between) != 2:
        raise AdjudgeError("--between names two systems; give it twice, or not at all")
    goal = Goal(
        unit=unit.value,
        level=level,
        chance=chance,
        between=(between[0], between[1]) if between else None,
        clusters=clusters,
        simulations=simulations,
        seed=seed,
    )
    plans = [
        plan_for(compare(part, outputs.value), goal)
        for _, part in progress(by_pair(table), table["pair"].n_unique())
    ]
    shown = [replace(one, suggestions=one.suggestions[:next_shown]) for one in plans]
    emit(tables_for(shown), to, output)
