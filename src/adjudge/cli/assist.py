"""`adjudge assist`: the order of systems by people and a metric together."""

from typing import TYPE_CHECKING, Annotated

from adjudge.cli.options import Format, Output, on_judgements_or_scores, show
from adjudge.cli.parser import option
from adjudge.cli.scores import Normalise, Scale
from adjudge.core.options import Seed

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements
    from adjudge.api.scores import Scores

MetricScores = Annotated[
    list[str],
    option(
        "--metric-scores",
        metavar="FILE",
        help="The metric's scores of all segments, METRIC.seg.score, in any layout (repeatable).",
    ),
]


@on_judgements_or_scores
def assist(
    given: "Judgements | Scores",
    metric_scores: MetricScores = [],  # noqa: B006  (it is only read)
    metric: Annotated[
        str | None, option(help="Which metric, where the files hold several.")
    ] = None,
    lower: Annotated[
        bool, option("--lower", help="Lower scores of the metric are better.")
    ] = False,
    documents: Annotated[
        str | None,
        option(help="The document of each segment; mt-metrics-eval's file is found."),
    ] = None,
    scale: Scale = [],  # noqa: B006
    normalise: Normalise = None,
    level: Annotated[float, option(help="Confidence level of intervals and ranges.")] = 0.95,
    seed: Seed = 1,
    to: Format = "table",
    output: Output = "-",
) -> None:
    """Rank systems by people, who judged some segments, and a metric, which scored all.

    Intervals are right however bad the metric is, and narrower where it goes with people.
    """
    from adjudge.api.scores import Scores
    from adjudge.core.errors import AdjudgeError

    if isinstance(given, Scores):
        together = given.assisted(
            metric_scores,
            metric=metric,
            lower=lower,
            documents=documents,
            scale=scale,
            normalise=normalise,
            level=level,
            seed=seed,
        )
    elif scale or normalise is not None:
        raise AdjudgeError("--scale and --normalise are for scores; these are rankings")
    else:
        together = given.assisted(
            metric_scores, metric=metric, lower=lower, documents=documents, level=level, seed=seed
        )
    show([together], to, output)
