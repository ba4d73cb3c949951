"""Report in sections with tables and figures, independent of its form.

Reports on scores and on metrics are made of sections. The report on judgements has chapters, which
say more (`contents`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice

from adjudge.core.tables.render import latex as latex_text
from adjudge.core.tables.render import markdown, markdown_text
from adjudge.core.tables.table import Table
from adjudge.report import latex, page
from adjudge.report.contents import Illustration, Input, Omission
from adjudge.report.page.views import FigureView, TableView, figure_view, table_view
from adjudge.report.word_highlighting import (
    BOLD_LEGEND,
    LEGEND,
    MarkedSentence,
    as_latex,
    as_markdown,
)


@dataclass(frozen=True)
class Texts:
    """Named texts that belong together."""

    title: str
    lines: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Section:
    """Tables by name, and figures, the first of which are beside the first tables."""

    heading: str
    tables: Mapping[str, Table]
    lead: str = ""  # the answer in a sentence
    illustrations: Sequence[Illustration] = ()
    folded: Mapping[str, Table] = field(default_factory=dict)  # not seen at first
    folded_heading: str = ""
    omissions: Sequence[Omission] = ()
    sentences: Sequence[MarkedSentence] = ()
    sentences_heading: str = ""
    texts: Sequence[Texts] = ()  # what a page shows instead of a table of long texts

    @property
    def every_table(self) -> dict[str, Table]:
        """All tables by name, including those of figures."""
        behind = {_behind(n): shown.table for n, shown in enumerate(self.illustrations, 1)}
        return {**self.tables, **self.folded, **behind}


def _behind(number: int) -> str:
    return f"figure-{number}"


@dataclass(frozen=True)
class SectionedReport:
    """Content of a report in sections."""

    title: str
    version: str
    inputs: Sequence[Input]
    command: str  # with which it is made again
    signature: str
    sections: Sequence[Section]
    steps: Sequence[tuple[str, str]]  # how it was made

    @property
    def figures(self) -> dict[str, bytes]:
        """Figures by file name, for forms with separate files."""
        return {name: shown.image for name, shown in self.named_figures}

    @property
    def named_figures(self) -> list[tuple[str, Illustration]]:
        """Figures by name in section order; those of one kind are numbered."""
        seen: Counter[str] = Counter()
        named = []
        for shown in (shown for section in self.sections for shown in section.illustrations):
            seen[shown.name] += 1
            named.append((f"{shown.name}-{seen[shown.name]}", shown))
        return named

    @property
    def method(self) -> Iterator[tuple[str, str]]:
        """Description of the method, step by step, and of the inputs."""
        yield from self.steps
        for file in self.inputs:
            yield "Input", f"{file.name}, SHA-256 {file.sha256 or 'unknown: read from a pipe'}"
        yield "Version", f"Adjudge {self.version}"
        yield "Signature", self.signature
        if self.command:
            yield "This report again", self.command


@dataclass(frozen=True)
class SectionView:
    """View of a section on the page."""

    section: Section
    pairs: Sequence[tuple[TableView, FigureView]]  # beside each other
    tables: Sequence[TableView]
    figures: Sequence[FigureView]
    folded: Sequence[TableView]


def _view(section: Section, place: int) -> SectionView:
    tables = [table_view(table, f"{place}/{name}") for name, table in section.tables.items()]
    figures = [
        figure_view(shown, f"{place}/{_behind(number)}")
        for number, shown in enumerate(section.illustrations, 1)
    ]
    pairs = list(zip(tables, figures, strict=False))
    return SectionView(
        section,
        pairs,
        tables[len(pairs) :],
        figures[len(pairs) :],
        [table_view(table, f"{place}/{name}") for name, table in section.folded.items()],
    )


def write_html(report: SectionedReport, folder: str | None = None) -> str:
    """Write one self-contained page."""
    data = {
        "title": report.title,
        "version": report.version,
        "inputs": [asdict(file) for file in report.inputs],
        "command": report.command,
        "signature": report.signature,
        "pairs": [
            {
                "pair": section.heading,
                "tables": {
                    name: page.as_data(table.machine_rows())
                    for name, table in section.every_table.items()
                },
            }
            for section in report.sections
        ],
    }
    views = [_view(section, place) for place, section in enumerate(report.sections)]
    return page.render("sections.html", {"report": report, "views": views, "legend": LEGEND}, data)


def write_markdown(report: SectionedReport, folder: str | None = None) -> str:
    """Write the text; its figures are files in `folder`, or left out without one."""
    parts = [f"# {markdown_text(report.title)}"]
    figures = iter(report.named_figures)
    for section in report.sections:
        parts += [f"## {markdown_text(section.heading)}", markdown_text(section.lead)]
        parts += [markdown(table) for table in (*section.tables.values(), *section.folded.values())]
        for name, shown in islice(figures, len(section.illustrations)):
            image = f"![{markdown_text(shown.alt)}](<{folder}/{name}.svg>)"
            parts += [image, markdown_text(shown.about)] if folder else []
        if section.sentences:
            parts += [f"### {markdown_text(section.sentences_heading)}", BOLD_LEGEND]
            parts.append("\n".join(map(as_markdown, section.sentences)))
        parts += [
            f"{markdown_text(o.title)}: {markdown_text(o.reason)}." for o in section.omissions
        ]
    parts.append("## Method")
    parts.append("\n".join(f"- **{term}**: {markdown_text(said)}" for term, said in report.method))
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def write_latex(report: SectionedReport, folder: str | None = None) -> str:
    """Write a complete document; its figures are files in `folder`."""
    body = [rf"\title{{{latex_text(report.title)}}}\author{{}}\date{{}}\maketitle"]
    figures = iter(report.named_figures)
    for place, section in enumerate(report.sections, 1):
        body += [rf"\section{{{latex_text(section.heading)}}}", latex_text(section.lead)]
        tables = {**section.tables, **section.folded}
        body += [latex.floating(table, f"{place}-{name}") for name, table in tables.items()]
        for name, shown in islice(figures, len(section.illustrations)):
            body += [latex.figure(shown, name, f"{folder}/{name}.pdf")] if folder else []
        if section.sentences:
            body.append(rf"\subsection*{{{latex_text(section.sentences_heading)}}}")
            body.append(latex_text(BOLD_LEGEND).replace("✗", r"$\times$"))
            body += [r"\begin{itemize}", *map(as_latex, section.sentences), r"\end{itemize}"]
        body += [f"{latex_text(f'{o.title}: {o.reason}.')}\n" for o in section.omissions]
        body.append(r"\clearpage")
    body.append(r"\section{Method}\begin{description}")
    body += [rf"\item[{term}] {latex.breakable(said)}" for term, said in report.method]
    body.append(r"\end{description}")
    return latex.document("\n".join(body), report.version)


WRITERS: dict[str, Callable[[SectionedReport, str | None], str]] = {
    "html": write_html,
    "markdown": write_markdown,
    "latex": write_latex,
}
