"""`adjudge compare`: every two systems head to head."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import (
    Format,
    Output,
    OutputChoice,
    Shared,
    TableFormats,
    on_judgements,
    show,
)

if TYPE_CHECKING:
    from adjudge.door.judgements import Judgements


class CorrectionChoice(StrEnum):
    """How p is adjusted for the number of pairs."""

    bh = "bh"
    holm = "holm"
    none = "none"


CorrectionOption = Annotated[
    CorrectionChoice,
    typer.Option("--correction", help="bh: false discovery rate; holm: any false one; none."),
]
Level = Annotated[float, typer.Option(help="Significant means p ≤ 1 − level.")]


@app.command()
@on_judgements
def compare(
    judgements: "Judgements",
    correction: CorrectionOption = CorrectionChoice.bh,
    level: Level = 0.95,
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Compare every two systems: wins, ties, share ignoring ties, exact sign test."""
    pairs = judgements.compare(correction=correction.value, level=level, outputs=outputs.value)
    show([pairs], to, output)
