"""`adjudge tune-variance`: how much of what tuning reaches is chance."""

from typing import Annotated

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.options import Format, Output, Seed, TableFormats, show
from adjudge.cli.tune import DirectionsChoice, NeighboursChoice, OptimumChoice


@app.command("tune-variance", rich_help_panel=Panel.texts)
def tune_variance(
    lists: Annotated[
        list[str],
        typer.Argument(
            metavar="NBEST…", help="Lists of candidates, one an iteration (docs/tuning.md)."
        ),
    ],
    reference: Annotated[
        list[str], typer.Option("--reference", help="A reference translation (repeatable).")
    ] = [],  # noqa: B006
    statistics: Annotated[
        list[str],
        typer.Option(
            "--statistics",
            help="Instead: statistics that Moses extracted, one a list (repeatable).",
        ),
    ] = [],  # noqa: B006
    segments: Annotated[
        list[str],
        typer.Option(
            "--segments", help="Judgements of short segments, to tune towards (repeatable)."
        ),
    ] = [],  # noqa: B006
    metric: Annotated[
        list[str],
        typer.Option(
            "--metric",
            "-m",
            help="By default bleu; several are compared, those joined by + interpolated.",
        ),
    ] = [],  # noqa: B006
    by: Annotated[
        list[str],
        typer.Option("--by", help="A further metric to score test sentences by (repeatable)."),
    ] = [],  # noqa: B006
    tuner: Annotated[str, typer.Option(help="mert, pro, mira or expected.")] = "mert",
    weights: Annotated[str | None, typer.Option(help="A file of weights to begin with.")] = None,
    sets: Annotated[
        int, typer.Option(min=2, help="Development sets to draw with replacement.")
    ] = 50,
    seeds: Annotated[int, typer.Option(min=2, help="Runs on each of them.")] = 3,
    restarts: Annotated[int, typer.Option(min=0, help="Random starts of a run.")] = 20,
    rounds: Annotated[
        int, typer.Option(min=0, help="How often as many starts are drawn near the best points.")
    ] = 3,
    directions: Annotated[
        DirectionsChoice, typer.Option(help="Along which lines to search.")
    ] = DirectionsChoice.axes,
    random_directions: Annotated[
        int, typer.Option(min=1, help="Random lines at every step, for --directions random.")
    ] = 20,
    neighbours: Annotated[
        NeighboursChoice,
        typer.Option(help="What neighbours do to an interval's score, against sharp optima."),
    ] = NeighboursChoice.none,
    window: Annotated[int, typer.Option(min=1, help="How many neighbours on either side.")] = 3,
    choice: Annotated[
        OptimumChoice, typer.Option(help="The best optimum, or the best in most replicates.")
    ] = OptimumChoice.best,
    positive: Annotated[
        list[str], typer.Option("--positive", help="A weight that is not below 0 (repeatable).")
    ] = [],  # noqa: B006
    negative: Annotated[
        list[str], typer.Option("--negative", help="A weight that is not above 0 (repeatable).")
    ] = [],  # noqa: B006
    frozen: Annotated[
        list[str], typer.Option("--frozen", help="A weight that stays as it is (repeatable).")
    ] = [],  # noqa: B006
    hold_out: Annotated[
        float, typer.Option(help="The share of sentences that are kept to test on.")
    ] = 0.5,
    report: Annotated[
        str | None, typer.Option(help="Write a report, too: .html, .tex or .md.")
    ] = None,
    replicates: Annotated[int, typer.Option(min=1, help="How many replicates.")] = 1000,
    confidence: Annotated[float, typer.Option(help="Confidence level of intervals.")] = 0.95,
    workers: Annotated[int, typer.Option(min=1, help="Processes to tune with.")] = 1,
    engine: Annotated[str | None, typer.Option(help="A Dask cluster: dask://HOST:PORT.")] = None,
    seed: Seed = 1,
    to: Format = TableFormats.table,
    output: Output = "-",
) -> None:
    """Tune again and again: how much of a score, a weight or a difference of metrics is chance."""
    from adjudge.door.candidate_reading import read_candidates
    from adjudge.door.tuning_report import tuning_report
    from adjudge.errors import within

    within(confidence, "confidence", 0, 1, open_ends=True)  # the door calls it level
    candidates = read_candidates(
        *lists, reference=reference, statistics=statistics, segments=segments
    )
    result = candidates.tune_variance(
        metric or "bleu",
        by=by,
        tuner=tuner,
        weights=weights,
        sets=sets,
        seeds=seeds,
        restarts=restarts,
        rounds=rounds,
        directions=directions.value,
        random_directions=random_directions,
        neighbours=neighbours.value,
        window=window,
        choice=choice.value,
        positive=positive,
        negative=negative,
        frozen=frozen,
        hold_out=hold_out,
        replicates=replicates,
        level=confidence,
        seed=seed,
        workers=workers,
        engine=engine,
    )
    if report is not None:
        tuning_report(report, result)
    show([result], to, output)
