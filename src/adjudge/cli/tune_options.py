"""Options that `tune` and `tune-variance` share."""

from typing import Annotated, Literal

from adjudge.cli.parser import Word, argument, option

DirectionsChoice = Literal["axes", "random", "conjugate"]


NeighboursChoice = Literal["none", "average", "minimum"]


OptimumChoice = Literal["best", "stable"]


def many(flag: str, what: str) -> Word:
    return option(flag, help=f"{what} (repeatable).")


Lists = Annotated[
    list[str],
    argument(metavar="NBEST…", help="Lists of candidates, one an iteration (docs/tuning.md)."),
]
ReferenceFiles = Annotated[list[str], many("--reference", "A reference translation")]
Statistics = Annotated[
    list[str], many("--statistics", "Instead: statistics that Moses extracted, one a list")
]
Segments = Annotated[list[str], many("--segments", "Judgements of short segments, to tune towards")]
Weights = Annotated[str | None, option(help="A file of weights to begin with.")]
Restarts = Annotated[int, option(min=0, help="Random starts of a run.")]
Rounds = Annotated[
    int, option(min=0, help="How often as many starts are drawn near the best points.")
]
Directions = Annotated[DirectionsChoice, option(help="Along which lines to search.")]
RandomDirections = Annotated[
    int, option(min=1, help="Random lines at every step, for --directions random.")
]
Neighbours = Annotated[
    NeighboursChoice,
    option(help="What neighbours do to an interval's score, against sharp optima."),
]
Window = Annotated[int, option(min=1, help="How many neighbours on either side.")]
Optimum = Annotated[OptimumChoice, option(help="The best optimum, or the best in most replicates.")]
Positive = Annotated[list[str], many("--positive", "A weight that is not below 0")]
Negative = Annotated[list[str], many("--negative", "A weight that is not above 0")]
Frozen = Annotated[list[str], many("--frozen", "A weight that stays as it is")]
ReportFile = Annotated[str | None, option(help="Write a report, too: .html, .tex or .md.")]
Replicates = Annotated[int, option(min=1, help="How many replicates.")]
Confidence = Annotated[float, option(help="Confidence level of intervals.")]
Workers = Annotated[int, option(min=1, help="Threads, or processes, to search with.")]
