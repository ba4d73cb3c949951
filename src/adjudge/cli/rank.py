"""`adjudge rank`: the official table, one for each language pair."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.global_options import suggest
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import (
    CheckpointFile,
    Format,
    Output,
    OutputChoice,
    Seed,
    Shared,
    TableFormats,
    as_words,
    names_in,
    on_judgements,
    show,
)

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements


class UnitChoice(StrEnum):
    """What the bootstrap draws."""

    auto = "auto"
    none = "none"
    comparison = "comparison"
    ranking = "ranking"
    hit = "hit"
    segment = "segment"
    document = "document"
    judge = "judge"
    judge_and_segment = "judge+segment"
    judge_and_document = "judge+document"


class RangesChoice(StrEnum):
    """What rank ranges promise."""

    auto = "auto"
    simultaneous = "simultaneous"
    wmt13 = "wmt13"


MethodName = Annotated[
    str,
    typer.Option(
        "--method",
        help="See `adjudge methods`.",
        autocompletion=names_in("adjudge.ranking.method", "METHODS"),
    ),
]
UnitOption = Annotated[
    UnitChoice,
    typer.Option(
        "--unit", help="What the result is to hold for; auto: other judges and documents."
    ),
]
Replicates = Annotated[int, typer.Option(min=1, help="How many bootstrap replicates (or runs).")]
Level = Annotated[float, typer.Option(help="Confidence level of intervals and ranges.")]
RangesOption = Annotated[
    RangesChoice,
    typer.Option("--ranges", help="Rank ranges of all systems at once, or each as in WMT13."),
]
Workers = Annotated[int, typer.Option(min=1, help="Processes for methods that refit.")]
EngineAddress = Annotated[
    str | None, typer.Option("--engine", help="A Dask cluster instead: dask://HOST:PORT.")
]


@app.command(rich_help_panel=Panel.rank)
@on_judgements
def rank(
    judgements: "Judgements",
    method: MethodName = "expected-wins",
    unit: UnitOption = UnitChoice.auto,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    outputs: Shared = OutputChoice.expanded,
    ranges: RangesOption = RangesChoice.auto,
    workers: Workers = 1,
    engine: EngineAddress = None,
    checkpoint: CheckpointFile = None,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Rank the systems: score, interval, rank range and cluster, for each language pair."""
    from adjudge.core.files.checkpoint import resumable

    with resumable(checkpoint):
        ranking = judgements.rank(
            method,
            unit=unit.value,
            replicates=replicates,
            seed=seed,
            level=level,
            outputs=outputs.value,
            ranges=ranges.value,
            workers=workers,
            engine=engine,
        )
    show([ranking], to, output)
    rereadable = all(Path(name).exists() for name, _ in judgements.source.files)  # no pipe
    if output == "-" and to is TableFormats.table and rereadable:
        all_apart = all(len(set(part.cluster)) == len(part.systems) for part in ranking)
        again = as_words(judgements.source)
        suggest(*(("report", *again, "-o", "report.html") if all_apart else ("plan", *again)))
