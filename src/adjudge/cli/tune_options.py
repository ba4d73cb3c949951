"""Options that `tune` and `tune-variance` share."""

from enum import StrEnum
from typing import Annotated

import typer


class DirectionsChoice(StrEnum):
    """Along which lines to search."""

    axes = "axes"
    random = "random"
    conjugate = "conjugate"


class NeighboursChoice(StrEnum):
    """What the neighbours of an interval do to its score."""

    none = "none"
    average = "average"
    minimum = "minimum"


class OptimumChoice(StrEnum):
    """Which optimum is taken."""

    best = "best"
    stable = "stable"


def many(option: str, what: str) -> typer.models.OptionInfo:
    return typer.Option(option, help=f"{what} (repeatable).")  # type: ignore[no-any-return]


Lists = Annotated[
    list[str],
    typer.Argument(
        metavar="NBEST…", help="Lists of candidates, one an iteration (docs/tuning.md)."
    ),
]
ReferenceFiles = Annotated[list[str], many("--reference", "A reference translation")]
Statistics = Annotated[
    list[str], many("--statistics", "Instead: statistics that Moses extracted, one a list")
]
Segments = Annotated[list[str], many("--segments", "Judgements of short segments, to tune towards")]
Weights = Annotated[str | None, typer.Option(help="A file of weights to begin with.")]
Restarts = Annotated[int, typer.Option(min=0, help="Random starts of a run.")]
Rounds = Annotated[
    int, typer.Option(min=0, help="How often as many starts are drawn near the best points.")
]
Directions = Annotated[DirectionsChoice, typer.Option(help="Along which lines to search.")]
RandomDirections = Annotated[
    int, typer.Option(min=1, help="Random lines at every step, for --directions random.")
]
Neighbours = Annotated[
    NeighboursChoice,
    typer.Option(help="What neighbours do to an interval's score, against sharp optima."),
]
Window = Annotated[int, typer.Option(min=1, help="How many neighbours on either side.")]
Optimum = Annotated[
    OptimumChoice, typer.Option(help="The best optimum, or the best in most replicates.")
]
Positive = Annotated[list[str], many("--positive", "A weight that is not below 0")]
Negative = Annotated[list[str], many("--negative", "A weight that is not above 0")]
Frozen = Annotated[list[str], many("--frozen", "A weight that stays as it is")]
ReportFile = Annotated[str | None, typer.Option(help="Write a report, too: .html, .tex or .md.")]
Replicates = Annotated[int, typer.Option(min=1, help="How many replicates.")]
Confidence = Annotated[float, typer.Option(help="Confidence level of intervals.")]
Workers = Annotated[int, typer.Option(min=1, help="Threads, or processes, to search with.")]
