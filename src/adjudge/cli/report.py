"""`adjudge report`: everything about the judgements, as a page, LaTeX or Markdown."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudge.cli import app
from adjudge.cli.help_pages import Panel
from adjudge.cli.metrics import DocumentsOption, MetricOption, TestSetOption
from adjudge.cli.options import OutputChoice, Seed, Shared, on_judgements_or_scores
from adjudge.cli.rank import (
    EngineAddress,
    Level,
    MethodName,
    RangesChoice,
    RangesOption,
    Replicates,
    UnitChoice,
    UnitOption,
)
from adjudge.core.errors import BadParameter

if TYPE_CHECKING:
    from adjudge.api.judgements import Judgements
    from adjudge.api.scores import Scores
    from adjudge.api.texts import Texts


class ReportFormats(StrEnum):
    """What a report is written as."""

    html = "html"
    latex = "latex"
    markdown = "markdown"


Title = Annotated[str | None, typer.Option(help="The heading of the report.")]
Runs = Annotated[int, typer.Option(min=1, help="Runs of methods that are random, side by side.")]
Workers = Annotated[int | None, typer.Option(min=1, help="Processes [as many as processors].")]
ReportFormat = Annotated[
    ReportFormats | None,
    typer.Option("--format", "-f", help="The kind of file [as the name of the output ends]."),
]
ReportOutput = Annotated[
    str | None, typer.Option("--output", "-o", help="report.html, report.tex or report.md.")
]


@app.command(rich_help_panel=Panel.share)
@on_judgements_or_scores
def report(
    judged: "Judgements | Scores",
    title: Title = None,
    method: MethodName = "expected-wins",
    unit: UnitOption = UnitChoice.auto,
    replicates: Replicates = 1000,
    level: Level = 0.95,
    seed: Seed = 1,
    outputs: Shared = OutputChoice.expanded,
    runs: Runs = 100,
    ranges: RangesOption = RangesChoice.auto,
    workers: Workers = None,
    engine: EngineAddress = None,
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

    form = None if to is None else to.value
    common: dict[str, Any] = {"replicates": replicates, "level": level, "seed": seed, "to": form}
    common |= {"texts": texts, "metric": metric or None}
    if isinstance(judged, Scores):
        ranked = (method != "expected-wins", outputs is not OutputChoice.expanded, runs != 100)
        if any(ranked) or ranges is not RangesChoice.auto:
            raise BadParameter(
                "scores are reported as scores, for which there is no `method`, `outputs`, `runs` "
                "or `ranges`; leave them out"
            )
        judged.report(output or "-", title=title, unit=unit.value, **common)
        return
    judged.report(
        output or "-",
        title=title,
        method=method,
        unit=unit.value,
        outputs=outputs.value,
        runs=runs,
        ranges=ranges.value,
        workers=workers or cpu_count() or 1,
        engine=engine,
        **common,
    )
