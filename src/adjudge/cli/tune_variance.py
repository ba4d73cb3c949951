"""`adjudge tune-variance`: how much of what tuning reaches is chance."""

from typing import Annotated

from adjudge.cli.options import CheckpointFile, Format, Output, show
from adjudge.cli.parser import option
from adjudge.cli.tune_options import (
    Confidence,
    Directions,
    Frozen,
    Lists,
    Negative,
    Neighbours,
    Optimum,
    Positive,
    RandomDirections,
    ReferenceFiles,
    Replicates,
    ReportFile,
    Restarts,
    Rounds,
    Segments,
    Statistics,
    Weights,
    Window,
    Workers,
)
from adjudge.core.options import EngineAddress, Seed


def tune_variance(
    lists: Lists,
    reference: ReferenceFiles = [],  # noqa: B006
    statistics: Statistics = [],  # noqa: B006
    segments: Segments = [],  # noqa: B006
    metric: Annotated[
        list[str],
        option(
            "--metric",
            "-m",
            help="By default bleu; several are compared, those joined by + interpolated.",
        ),
    ] = [],  # noqa: B006
    by: Annotated[
        list[str],
        option("--by", help="A further metric to score test sentences by (repeatable)."),
    ] = [],  # noqa: B006
    tuner: Annotated[str, option(help="mert, pro, mira or expected.")] = "mert",
    weights: Weights = None,
    sets: Annotated[int, option(min=2, help="Development sets to draw with replacement.")] = 50,
    seeds: Annotated[int, option(min=2, help="Runs on each of them.")] = 3,
    restarts: Restarts = 20,
    rounds: Rounds = 3,
    directions: Directions = "axes",
    random_directions: RandomDirections = 20,
    neighbours: Neighbours = "none",
    window: Window = 3,
    choice: Optimum = "best",
    positive: Positive = [],  # noqa: B006
    negative: Negative = [],  # noqa: B006
    frozen: Frozen = [],  # noqa: B006
    hold_out: Annotated[
        float, option(help="The share of sentences that are kept to test on.")
    ] = 0.5,
    report: ReportFile = None,
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    workers: Workers = 1,
    engine: EngineAddress = None,
    checkpoint: CheckpointFile = None,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Tune again and again: how much of a score, a weight or a difference of metrics is chance."""
    from adjudge.api.nbest_io import read_candidates
    from adjudge.api.tuning_report import tuning_report
    from adjudge.core.errors import within
    from adjudge.core.files.checkpoint import resumable

    within(confidence, "confidence", 0, 1, open_ends=True)  # the door calls it level
    candidates = read_candidates(
        *lists, reference=reference, statistics=statistics, segments=segments
    )
    with resumable(checkpoint):
        result = candidates.tune_variance(
            metric or "bleu",
            by=by,
            tuner=tuner,
            weights=weights,
            sets=sets,
            seeds=seeds,
            restarts=restarts,
            rounds=rounds,
            directions=directions,
            random_directions=random_directions,
            neighbours=neighbours,
            window=window,
            choice=choice,
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
