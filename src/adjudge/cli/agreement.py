"""`adjudge agreement`: how far judges agree."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Seed,
    TableFormats,
    on_judgements,
    show,
)
from adjudge.cli.rank import Level

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements


class ConventionChoice(StrEnum):
    """Which pairs of judgements count."""

    sound = "sound"
    wmt15 = "wmt15"


class ByChoice(StrEnum):
    """What the table is broken down by."""

    pair = "pair"
    coefficient = "coefficient"
    judge = "judge"
    judges = "judges"
    group = "group"
    controls = "controls"
    length = "length"
    document = "document"
    segment_length = "segment-length"
    block_size = "block-size"
    distance = "distance"
    order = "order"
    hour = "hour"


class OverChoice(StrEnum):
    """What the bootstrap draws."""

    auto = "auto"
    segment = "segment"
    judge = "judge"


Convention = Annotated[
    ConventionChoice,
    typer.Option("--convention", help="Count soundly, or as a published table did."),
]
By = Annotated[ByChoice, typer.Option("--by", help="One row for each of these.")]
Candidates = Annotated[
    OutputChoice | None,
    typer.Option("--outputs", help="An output of several systems: one candidate, or one each?"),
]
Over = Annotated[OverChoice, typer.Option("--unit", help="What intervals are to hold for.")]
Replicates = Annotated[int, typer.Option(min=1, help="How many bootstrap replicates.")]
Trusted = Annotated[
    list[str],
    typer.Option("--trusted", help="Group whose consensus makes the controls (repeatable)."),
]


@app.command(rich_help_panel=Panel.trust)
@on_judgements
def agreement(
    judgements: "Judgements",
    convention: Convention = ConventionChoice.sound,
    by: By = ByChoice.pair,
    outputs: Candidates = None,
    trusted: Trusted = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    unit: Over = OverChoice.auto,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """How far judges agree with each other (inter) and with themselves (intra)."""
    agreed = judgements.agreement(
        by.value,
        convention=convention.value,
        outputs=None if outputs is None else outputs.value,
        trusted=trusted,
        unit=unit.value,
        replicates=replicates,
        seed=seed,
        level=level,
    )
    show([agreed], to, output)
