"""The report on scores: the tables of `adjudge scores` with how they were made.

Scores are reported as scores. The comparisons that they imply would give another order, from
less of what the judges said.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from adjudge.report import latex, page
from adjudge.report.contents import Input
from adjudge.report.method import metrics_method
from adjudge.report.page.views import FigureView, figure_view, table_view
from adjudge.report.scored_by_metrics import ScoredByMetrics
from adjudge.report.typesetting import Table
from adjudge.report.typesetting.latex_text import latex as latex_text
from adjudge.report.typesetting.markdown import markdown, markdown_text

METHOD = (
    (
        "Score",
        "The mean over segments of the mean of a system's scores in a segment, so that a segment "
        "that was scored more often counts no more. Each table says how the scores of different "
        "judges were made comparable.",
    ),
    (
        "Uncertainty",
        "Each table says for what its intervals and rank ranges hold, and how they were made.",
    ),
    (
        "Clusters",
        "In the order of scores, a cluster ends where no rank range so far reaches one to come "
        "(WMT13 §3.4). Beside them stand the clusters of rank-sum tests, as WMT16 to WMT23 drew "
        "them.",
    ),
)


@dataclass(frozen=True)
class ScoreReport:
    """What a report on scores holds, whatever it is written as."""

    title: str
    version: str
    inputs: Sequence[Input]
    command: str
    signature: str
    sections: Mapping[str, Sequence[Table]]  # by their headings
    metrics: ScoredByMetrics | None = None

    @property
    def figures(self) -> dict[str, bytes]:
        """Every figure by the name of its file, where figures are files."""
        shown = self.metrics.illustrations if self.metrics else ()
        return {_figure_file(n): drawn.image for n, drawn in enumerate(shown, 1)}

    @property
    def method(self) -> Iterator[tuple[str, str]]:
        """How it was made, step by step, and with what."""
        yield from METHOD
        if self.metrics is not None:
            yield "Metrics", metrics_method(self.metrics.metrics)
        for file in self.inputs:
            yield "Input", f"{file.name}, SHA-256 {file.sha256 or 'unknown: read from a pipe'}"
        yield "Version", f"Adjudge {self.version}"
        yield "Signature", self.signature
        if self.command:
            yield "This report again", self.command


def _figure_file(number: int) -> str:
    return f"metrics-{number}"


def write_html(report: ScoreReport, folder: str | None = None) -> str:
    """One page that needs nothing else."""
    named: list[tuple[str, Mapping[str, Table]]] = [
        (heading, {f"table-{place}": table for place, table in enumerate(tables, 1)})
        for heading, tables in report.sections.items()
    ]
    if report.metrics is not None:
        named.append(("Metrics", report.metrics.tables))
    sections = [
        (heading, [table_view(table, f"{number}/{name}") for name, table in tables.items()])
        for number, (heading, tables) in enumerate(named)
    ]
    metrics = None if report.metrics is None else (*sections.pop(), _figures(report, len(sections)))
    data = {
        "title": report.title,
        "version": report.version,
        "inputs": [asdict(file) for file in report.inputs],
        "command": report.command,
        "signature": report.signature,
        "pairs": [
            {
                "pair": heading,
                "tables": {n: page.as_data(table.machine_rows()) for n, table in tables.items()},
            }
            for heading, tables in named
        ],
    }
    context = {"report": report, "sections": sections, "metrics": metrics}
    return page.render("scores.html", context, data)


def _figures(report: ScoreReport, section: int) -> list[FigureView]:
    shown = report.metrics.illustrations if report.metrics else ()
    return [
        figure_view(drawn, f"{section}/metrics-{number}") for number, drawn in enumerate(shown, 1)
    ]


def write_markdown(report: ScoreReport, folder: str | None = None) -> str:
    """The text; its figures are files in `folder`, and left out where there is none."""
    parts = [f"# {markdown_text(report.title)}"]
    for heading, tables in report.sections.items():
        parts += [f"## {markdown_text(heading)}", *(markdown(table) for table in tables)]
    if report.metrics is not None:
        parts += ["## Metrics", *(markdown(table) for table in report.metrics.tables.values())]
        for number, drawn in enumerate(report.metrics.illustrations if folder else (), 1):
            file = f"{folder}/{_figure_file(number)}.svg"
            parts += [f"![{markdown_text(drawn.alt)}](<{file}>)", markdown_text(drawn.about)]
    parts.append("## Method")
    parts.append("\n".join(f"- **{term}**: {markdown_text(said)}" for term, said in report.method))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def write_latex(report: ScoreReport, folder: str | None = None) -> str:
    """A document that compiles as it stands; its figures are files in `folder`."""
    body = [rf"\title{{{latex_text(report.title)}}}\author{{}}\date{{}}\maketitle"]
    for number, (heading, tables) in enumerate(report.sections.items()):
        body.append(rf"\section{{{latex_text(heading)}}}")
        body += [latex.floating(table, f"{number}-{i}") for i, table in enumerate(tables)]
        body.append(r"\clearpage")
    if report.metrics is not None:
        body.append(r"\section{Metrics}")
        body += [latex.floating(table, name) for name, table in report.metrics.tables.items()]
        for number, drawn in enumerate(report.metrics.illustrations if folder else (), 1):
            name = _figure_file(number)
            body.append(latex.figure(drawn, name, f"{folder}/{name}.pdf"))
        body.append(r"\clearpage")
    body.append(r"\section{Method}\begin{description}")
    body += [rf"\item[{term}] {latex.breakable(said)}" for term, said in report.method]
    body.append(r"\end{description}")
    return latex.document("\n".join(body), report.version)


WRITERS: dict[str, Callable[[ScoreReport, str | None], str]] = {
    "html": write_html,
    "markdown": write_markdown,
    "latex": write_latex,
}
