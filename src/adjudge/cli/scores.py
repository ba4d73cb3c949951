"""`adjudge scores`: systems by the scores judges gave them."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli import app
from adjudge.cli.options import Format, Output, Seed, TableFormats, emit, on_scores

if TYPE_CHECKING:
    import polars as pl


class NormaliseChoice(StrEnum):
    """How scores of different judges are made comparable."""

    raw = "raw"
    wmt07 = "wmt07"
    z = "z"


class ScoreUnitChoice(StrEnum):
    """What the bootstrap draws."""

    none = "none"
    item = "item"
    hit = "hit"
    segment = "segment"
    document = "document"
    judge = "judge"


Normalise = Annotated[
    NormaliseChoice | None,
    typer.Option(help="Make judges comparable; by default z where they are known, else raw."),
]
Scale = Annotated[list[str], typer.Option("--scale", help="Only this scale (repeatable).")]
UnitOption = Annotated[ScoreUnitChoice, typer.Option("--unit", help="What the bootstrap draws.")]
Replicates = Annotated[int, typer.Option(min=1, help="How many bootstrap replicates.")]
Write = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Also write the scores: JSONL, Parquet, marked errors as WMT's .tsv, or means as "
        "mt-metrics-eval's PAIR.SCALE.seg.score and .sys.score.",
    ),
]
Level = Annotated[float, typer.Option(help="Confidence level of intervals and ranges.")]


@app.command()
@on_scores
def scores(
    table: "pl.DataFrame",
    normalise: Normalise = None,
    scale: Scale = [],  # noqa: B006  (Typer reads the default, nothing changes it)
    unit: UnitOption = ScoreUnitChoice.segment,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    write: Write = None,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Systems by their scores (adequacy, direct assessment, …), and how far judges agree."""
    from adjudge.errors import NotEnoughData
    from adjudge.judgements.files import write as write_table
    from adjudge.judgements.mqm import with_mqm
    from adjudge.judgements.selection import require
    from adjudge.report.tables import tables_for
    from adjudge.scoring.agreement import score_agreement
    from adjudge.scoring.scored import by_scale, code
    from adjudge.scoring.span_agreement import span_agreement
    from adjudge.scoring.system_scores import system_scores
    from adjudge.statistics.resampling import Resampling

    if write is not None:
        write_table(table, write)
    table = with_mqm(table)
    require(scale, table["scale"].unique().drop_nulls().to_list(), "scale")
    parts = [part for part in by_scale(table) if not scale or part[1] in scale]
    if not parts:
        raise NotEnoughData("no score is left, only skipped items; ask for less")
    resampling = Resampling(unit.value, replicates, seed, level)
    name = None if normalise is None else normalise.value
    results = [system_scores(code(*part), name, resampling) for part in parts]
    bootstrap = Resampling("judge" if unit.value == "judge" else "segment", replicates, seed, level)
    agreed = [found for part in parts for found in score_agreement(*part, bootstrap)]
    tables = [
        *tables_for(results),
        *tables_for(agreed, resampling=bootstrap),
        *tables_for(span_agreement(table)),
    ]
    emit(tables, to, output)
