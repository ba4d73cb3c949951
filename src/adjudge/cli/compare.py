"""`adjudge compare`: every two systems head to head."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
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
    from adjudge.api.judgements import Judgements


class CorrectionChoice(StrEnum):
    """How p is adjusted for the number of pairs."""

    bh = "bh"
    holm = "holm"
    none = "none"


class TestChoice(StrEnum):
    """How two systems are tested."""

    auto = "auto"
    clustered = "clustered"
    sign = "sign"


CorrectionOption = Annotated[
    CorrectionChoice,
    typer.Option("--correction", help="bh: false discovery rate; holm: any false one; none."),
]
TestOption = Annotated[
    TestChoice,
    typer.Option("--test", help="clustered: over other judges and documents; sign: as in WMT13."),
]
Level = Annotated[float, typer.Option(help="Significant means p ≤ 1 − level.")]


@app.command(rich_help_panel=Panel.rank)
@on_judgements
def compare(
    judgements: "Judgements",
    correction: CorrectionOption = CorrectionChoice.bh,
    level: Level = 0.95,
    outputs: Shared = OutputChoice.expanded,
    test: TestOption = TestChoice.auto,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Compare every two systems: wins, ties, share ignoring ties, and a test."""
    pairs = judgements.compare(
        correction=correction.value, level=level, outputs=outputs.value, test=test.value
    )
    show([pairs], to, output)
