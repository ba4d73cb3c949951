"""The report on scores: the tables of `adjudge scores` with how they were made.

Scores are reported as scores. The comparisons that they imply would give another order, from
less of what the judges said.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from adjudge.report import latex, page
from adjudge.report.contents import Input
from adjudge.report.page.views import table_view
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

    @property
    def method(self) -> Iterator[tuple[str, str]]:
        """How it was made, step by step, and with what."""
        yield from METHOD
        for file in self.inputs:
            yield "Input", f"{file.name}, SHA-256 {file.sha256 or 'unknown: read from a pipe'}"
        yield "Version", f"Adjudge {self.version}"
        yield "Signature", self.signature
        if self.command:
            yield "This report again", self.command


def write_html(report: ScoreReport) -> str:
    """One page that needs nothing else."""
    named = [
        (heading, {f"table-{place}": table for place, table in enumerate(tables, 1)})
        for heading, tables in report.sections.items()
    ]
    sections = [
        (heading, [table_view(table, f"{number}/{name}") for name, table in tables.items()])
        for number, (heading, tables) in enumerate(named)
    ]
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
    return page.render("scores.html", {"report": report, "sections": sections}, data)


def write_markdown(report: ScoreReport) -> str:
    """The text."""
    parts = [f"# {markdown_text(report.title)}"]
    for heading, tables in report.sections.items():
        parts += [f"## {markdown_text(heading)}", *(markdown(table) for table in tables)]
    parts.append("## Method")
    parts.append("\n".join(f"- **{term}**: {markdown_text(said)}" for term, said in report.method))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def write_latex(report: ScoreReport) -> str:
    """A document that compiles as it stands."""
    body = [rf"\title{{{latex_text(report.title)}}}\author{{}}\date{{}}\maketitle"]
    for number, (heading, tables) in enumerate(report.sections.items()):
        body.append(rf"\section{{{latex_text(heading)}}}")
        body += [latex.floating(table, f"{number}-{i}") for i, table in enumerate(tables)]
        body.append(r"\clearpage")
    body.append(r"\section{Method}\begin{description}")
    body += [rf"\item[{term}] {latex.breakable(said)}" for term, said in report.method]
    body.append(r"\end{description}")
    return latex.document("\n".join(body), report.version)


WRITERS: dict[str, Callable[[ScoreReport], str]] = {
    "html": write_html,
    "markdown": write_markdown,
    "latex": write_latex,
}
