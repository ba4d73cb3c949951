"""Options of the report, which has those of everything that it contains."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from adjudge.core.options import Option
from adjudge.ranking.options import CompareOptions, MethodName, MethodsOptions, RankOptions

if TYPE_CHECKING:
    from adjudge.api.texts import Texts
    from adjudge.metrics.metric import Metric

Path = Annotated[
    str,
    Option(
        "The file to write: .html (one page), .tex or .md (figures in a folder beside it).",
        signed=False,
    ),
]
Title = Annotated[str | None, Option("The heading of the report.", signed=False)]
Format = Annotated[
    Literal["html", "latex", "markdown"] | None,
    Option("The kind of file [as the name of the output ends].", signed=False),
]
GivenTexts = Annotated[
    "Texts | None",
    Option(
        "The outputs and references of the systems (`adjudge.read_texts`).",
        "With them there is a part on metrics.",
        signed=False,
    ),
]
MetricNames = Annotated[
    "str | Metric | Iterable[str | Metric] | None",
    Option("Which metrics; by default those of `Texts.metrics`.", signed=False),
]


@dataclass(frozen=True, kw_only=True)
class AnalysisOptions(RankOptions, CompareOptions, MethodsOptions):
    """Options of everything that a report says about one language pair."""

    in_signature: ClassVar[tuple[str, ...]] = (
        "method",
        "unit",
        "replicates",
        "level",
        "seed",
        "outputs",
        "runs",
        "ranges",
    )

    method: MethodName = RankOptions.method


@dataclass(frozen=True, kw_only=True)
class ReportOptions(AnalysisOptions):
    """Options of `report`."""

    path: Path = field(kw_only=False)
    title: Title = None
    to: Format = None
    texts: GivenTexts = None
    metric: MetricNames = None
