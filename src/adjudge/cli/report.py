"""`adjudge report`: everything about the judgements, as a page, LaTeX or Markdown."""

from typing import TYPE_CHECKING, Annotated, Any

from adjudge.cli.metrics import DocumentsOption, MetricOption, TestSetOption
from adjudge.cli.options import on_judgements_or_scores
from adjudge.cli.parser import option
from adjudge.core.errors import BadParameter
from adjudge.report.options import AnalysisOptions, Format, Title

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements
    from adjudge.api.scores import Scores
    from adjudge.api.texts import Texts

Workers = Annotated[int | None, option(min=1, help="Processes [as many as processors].")]
ReportFormat = Annotated[
    Format, option("--format", "-f", help="The kind of file [as the name of the output ends].")
]
ReportOutput = Annotated[
    str | None, option("--output", "-o", help="report.html, report.tex or report.md.")
]
_OF_SCORES = ("unit", "replicates", "level", "seed")


@on_judgements_or_scores
def report(
    judged: "Judgements | Scores",
    options: AnalysisOptions,
    title: Title = None,
    workers: Workers = None,
    to: ReportFormat = None,
    output: ReportOutput = None,
    testset: TestSetOption = None,
    documents: DocumentsOption = None,
    metric: MetricOption = [],  # noqa: B006
    *,
    texts: "Texts | None" = None,
) -> None:
    """Report on the judgements: ranking, figures, agreement, diagnosis, method, data.

    One page that needs nothing else; LaTeX and Markdown put their figures into a folder beside.
    A file of scores is reported as scores.

    With texts there is a part on metrics: --system NAME=FILE for every system and --reference
    FILE, or --testset. (--system NAME without a file chooses a system.)
    """
    from os import cpu_count

    from adjudge.api.scores import Scores

    shown: dict[str, Any] = {"title": title, "to": to, "texts": texts, "metric": metric or None}
    asked = options.items()
    if isinstance(judged, Scores):
        if refused := [name for name in options.unusual() if name not in _OF_SCORES]:
            raise BadParameter(
                f"scores are reported as scores, for which there is no `{refused[0]}`; leave it out"
            )
        of_scores = {name: asked[name] for name in _OF_SCORES}
        judged.report(output or "-", **of_scores, **shown)
        return
    asked["workers"] = workers or cpu_count() or 1
    judged.report(output or "-", **asked, **shown)
