"""`adjudge plan`: what more judgements would buy, and which to ask for."""

from typing import TYPE_CHECKING, Annotated

from adjudge.cli.options import Format, Output, on_judgements, show
from adjudge.cli.parser import option
from adjudge.core.options import Outputs, Seed
from adjudge.ranking.options import Unit

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements

Between = Annotated[
    list[str],
    option("--between", help="Separate these two systems (give it twice), not neighbours."),
]
Clusters = Annotated[int | None, option(min=1, help="How many clusters are wanted.")]
Level = Annotated[float, option(help="Separated: this interval excludes zero.")]
Chance = Annotated[float, option(help="The chance of success to plan for.")]
Next = Annotated[int, option("--next", min=0, help="How many comparisons to suggest.")]
Simulations = Annotated[int, option(min=10, help="How many campaigns to simulate.")]


@on_judgements
def plan(
    judgements: "Judgements",
    between: Between = [],  # noqa: B006  (it is only read)
    clusters: Clusters = None,
    unit: Unit = "auto",
    level: Level = 0.95,
    chance: Chance = 0.8,
    next_shown: Next = 10,
    simulations: Simulations = 200,
    seed: Seed = 1,
    outputs: Outputs = "expanded",
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Plan: how many more judgements separate systems, and which comparisons to ask for next."""
    plans = judgements.plan(
        between,
        clusters=clusters,
        unit=unit,
        level=level,
        chance=chance,
        next=next_shown,
        simulations=simulations,
        seed=seed,
        outputs=outputs,
    )
    show([plans], to, output)
