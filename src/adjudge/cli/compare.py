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
    emit,
    on_judgements,
)

if TYPE_CHECKING:
    import polars as pl


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
    table: "pl.DataFrame",
    correction: CorrectionOption = CorrectionChoice.bh,
    level: Level = 0.95,
    outputs: Shared = OutputChoice.expanded,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Compare every two systems: wins, ties, share ignoring ties, exact sign test."""
    from adjudge.comparisons import compare as expand
    from adjudge.comparisons import count
    from adjudge.comparisons.comparisons import by_pair
    from adjudge.ranking.head_to_head import head_to_head
    from adjudge.report.tables import tables_for

    results = [
        head_to_head(count(expand(part, outputs.value)), correction.value, level, pair)
        for pair, part in by_pair(table)
    ]
    emit(tables_for(results), to, output)
