"""Content of a report, independent of its form: page, LaTeX or Markdown.

There is one chapter per language pair. A part that the judgements cannot provide is left out with
its reason; problems of one language pair never stop the report.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from adjudge.agreement.tables.agreement import agreement_table
from adjudge.core.errors import AdjudgeError, as_options
from adjudge.core.tables.table import Column, Row, Table
from adjudge.data.summary import Summary
from adjudge.diagnosis.tables import findings_table
from adjudge.metaeval.human_comparison import Beside, beside
from adjudge.metaeval.tables.human_comparison import beside_table
from adjudge.metrics.system_scores import MetricScores
from adjudge.metrics.tables import metric_table, side_by_side
from adjudge.ranking.tables.ranking import ranking_table
from adjudge.report.analysis import Analysis, Settings
from adjudge.report.drawing.rendering import save, svg
from adjudge.report.figure import Subject
from adjudge.report.figures import FIGURES, Figure
from adjudge.report.findings_summary import Answer, answer, named
from adjudge.report.result_figures.closest_ranks import FIGURE as NEAREST
from adjudge.report.result_figures.human_comparison import FIGURE as BESIDE
from adjudge.report.reused_segments import reused_segments
from adjudge.segments.database import holds_segments
from adjudge.segments.examples import ExampleSentence
from adjudge.simulation.tables.planning import plan_tables

Images = Literal["page", "svg", "pdf", "none"]  # an element of a page, files, or no figures

METRICS = "metrics"  # the table of metrics beside people, and its figure

# Columns that hold the name of a system.
_NAMES = ("system", "other", "better", "worse", "system_a", "system_b", "left_out")


@dataclass(frozen=True)
class _Named(Column):
    """Column that shows short names of systems; the rows keep the full names."""

    names: Mapping[str, str] = field(default_factory=dict)

    def show(self, row: Row) -> str:
        """Return the short name, or the cell unchanged if it is not a system."""
        name = super().show(row)
        return self.names.get(name, name)


@dataclass(frozen=True)
class Illustration:
    """Figure for display, with its caption, alternative text and data."""

    name: str
    title: str
    about: str
    printed: bool  # does a paper print its table too?
    alt: str
    table: Table
    image: bytes


@dataclass(frozen=True)
class Omission:
    """Missing part with its reason."""

    title: str
    reason: str


@dataclass(frozen=True)
class Chapter:
    """Chapter on one language pair; `tables` are named by subject."""

    pair: str
    answer: Answer
    summary: Summary
    tables: Mapping[str, Table]
    illustrations: Sequence[Illustration]
    omissions: Sequence[Omission]
    examples: Sequence[ExampleSentence] = ()  # of short segments, where these were judged

    @property
    def overview(self) -> dict[str, Any]:
        """Summary of the language pair in one row."""
        ranking, agreed = self.tables.get("ranking"), self.tables.get("agreement")
        inter = [row for row in agreed.rows if row["kind"] == "inter"] if agreed else []
        findings = self.tables["diagnosis"].rows if "diagnosis" in self.tables else ()
        return {
            "pair": self.pair,
            "systems": len(ranking.rows) if ranking else self.summary.systems,
            "rankings": self.summary.rankings,
            "judges": self.summary.judges,
            "clusters": ranking.rows[-1]["cluster"] if ranking else None,
            "first": named(self.answer.first, "and"),
            # Without the reference where both are known: agreeing on it is easier.
            "kappa": inter[-1]["kappa"] if inter else None,
            "warnings": sum(row["severity"] == "warning" for row in findings),
        }


@dataclass(frozen=True)
class Input:
    """File of judgements; the hash is unknown for a pipe."""

    name: str
    sha256: str | None

    @classmethod
    def of(cls, path: str) -> "Input":
        """Describe the file at `path`; `-` is standard input."""
        if path == "-":
            return cls("standard input", None)
        return cls(path, hashlib.sha256(Path(path).read_bytes()).hexdigest())


@dataclass(frozen=True)
class Report:
    """All chapters, and the information needed to reproduce them."""

    title: str
    version: str
    settings: Settings
    inputs: Sequence[Input]
    command: str
    chapters: Sequence[Chapter]
    signature: str = ""  # the line from which the numbers can be made again
    metrics: Sequence[MetricScores] = ()  # those of the first language pair that has texts

    @property
    def overview(self) -> Table:
        """Overview with one row per language pair."""
        return Table(
            [chapter.overview for chapter in self.chapters],
            [
                Column("pair", "pair"),
                Column("systems", "systems"),
                Column("rankings", "rankings"),
                Column("judges", "judges"),
                Column("clusters", "clusters"),
                Column("first", "first, or not significantly different from the first"),
                Column("kappa", "κ between judges", 2),
                Column("warnings", "warnings"),
            ],
            title="Overview",
        )

    def anchors(self) -> list[str]:
        """ASCII name of every chapter, for links and files."""
        plain = [
            re.sub(r"[^A-Za-z0-9]+", "-", chapter.pair).strip("-") for chapter in self.chapters
        ]
        return [
            name if name and plain.count(name) == 1 else f"{name}-{number}".strip("-")
            for number, name in enumerate(plain, 1)
        ]


def make_chapter(
    analysis: Analysis, images: Images, metrics: Sequence[MetricScores] = ()
) -> Chapter:
    """Build the chapter on one language pair; `metrics` have scored its systems."""
    omissions: list[Omission] = []

    def part(title: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except AdjudgeError as why:
            omissions.append(Omission(title, _reason(why, analysis.pair)))
            return None

    said = part("Ranking", lambda: answer(analysis))
    parts = {
        "agreement": part("Agreement", lambda: _agreement(analysis)),
        "diagnosis": part(
            "Diagnosis", lambda: _noted(findings_table(analysis.diagnosis), analysis)
        ),
    }
    illustrations: Sequence[Illustration] = ()
    if said is None:
        said = Answer("There is no ranking.", f"{_capital(omissions[0].reason)}.", ())
    else:
        plan = part("More rankings", lambda: plan_tables(replace(analysis.plan, suggestions=())))
        parts = {
            "ranking": _without(ranking_table(analysis.ranking), "cluster"),  # rules show it
            **parts,
            **(dict(zip(("separations", "helps", "sizes"), plan, strict=True)) if plan else {}),
        }
        drawn = [
            part(figure.title, partial(_in_place, figure, analysis, images))
            for figure in _figures(images)
        ]
        illustrations = [illustration for illustration in drawn if illustration is not None]
    if metrics:
        metrics = [replace(scored, pair=analysis.pair) for scored in metrics]
        compared = part(BESIDE.title, lambda: beside(analysis.ranking, metrics))
        parts |= metric_parts(compared, metrics)
        if compared is not None and images != "none":
            illustrations = [*illustrations, illustration(BESIDE, compared, images)]
    segments = None
    if holds_segments(analysis.table):
        segments = part("Short segments", lambda: reused_segments(analysis))
    if segments is not None:
        parts |= {name: _without(table, "cluster") for name, table in segments.tables.items()}
        drawn = part(NEAREST.title, lambda: illustration(NEAREST, [segments.closest], images))
        illustrations = [*illustrations, *([drawn] if drawn else [])]
    called = tuple(scored.metric.name for scored in metrics)
    return Chapter(
        analysis.pair,
        said,
        analysis.summary,
        {name: _in_chapter(table, analysis, called) for name, table in parts.items() if table},
        illustrations,
        omissions,
        segments.examples if segments else (),
    )


def metric_parts(compared: Beside | None, metrics: Sequence[MetricScores]) -> dict[str, Table]:
    """Tables of metrics by name: all compared with people, then each by itself."""
    together = side_by_side(metrics) if compared is None else beside_table(compared)
    each = {f"metric-{number}": metric_table(scored) for number, scored in enumerate(metrics, 1)}
    return {METRICS: together, **each}


def _reason(why: AdjudgeError, pair: str) -> str:
    """Reason without the language pair, which the chapter names already."""
    return as_options(str(why)).removeprefix(f"{pair}: ").rstrip(".")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _agreement(analysis: Analysis) -> Table:
    return _without(agreement_table(analysis.agreement, analysis.settings.bootstrap), "pair")


def _noted(table: Table, analysis: Analysis) -> Table:
    """Add a note if the table is based on a sample of votes."""
    return replace(table, notes=[*table.notes, analysis.note]) if analysis.note else table


def _without(table: Table, key: str) -> Table:
    """Hide one column of the table; its rows keep the values."""
    return replace(table, columns=[column for column in table.columns if column.key != key])


def _in_chapter(table: Table, analysis: Analysis, as_is: tuple[str, ...] = ()) -> Table:
    """Adapt a table to its chapter.

    Systems have short names, the title does not repeat the language pair, and parameters are
    rewritten as command-line options, by which a report can be reproduced.
    """
    table = table.said(as_options)
    title = table.title.removeprefix(f"{analysis.pair}: ")
    # Names of methods and metrics are written as they are.
    if not title.startswith((analysis.settings.chosen.name, *as_is)):
        title = _capital(title)
    columns = [
        _Named(column.key, column.heading, names=analysis.short)
        if column.key in _NAMES and not column.numeric(table.rows)
        else column
        for column in table.columns
    ]
    return replace(table, title=title, columns=columns)


def _figures(images: Images) -> Sequence[Figure[Analysis]]:
    """Figures in report order."""
    all_figures = [] if images == "none" else FIGURES.values()
    return sorted(all_figures, key=lambda figure: figure.place)


def _in_place(figure: Figure[Analysis], analysis: Analysis, images: Images) -> Illustration:
    """Figure of the judgements with its table adapted to the chapter."""
    drawn = illustration(figure, analysis, images)
    table = _in_chapter(drawn.table, analysis)
    if not figure.of_single:
        return replace(drawn, table=table)
    about = f"{drawn.about} {analysis.note}".strip()
    return replace(drawn, about=about, table=_noted(table, analysis))


def illustration(figure: Figure[Subject], subject: Subject, images: Images) -> Illustration:
    """Prepare a figure for the report."""
    table = figure.table(subject)
    if images == "page":
        image = svg(figure, subject).encode()
    else:
        with TemporaryDirectory(prefix="adjudge-figure-") as folder:
            path = Path(folder, f"figure.{images}")
            save(figure, subject, str(path))
            image = path.read_bytes()
    return Illustration(
        figure.name, figure.title, figure.about, figure.printed, figure.alt(subject), table, image
    )


def figure_files(report: Report, ending: str) -> dict[str, bytes]:
    """Files of all figures of the report, by name."""
    return {
        figure_file(anchor, illustration.name, ending): illustration.image
        for anchor, chapter in zip(report.anchors(), report.chapters, strict=True)
        for illustration in chapter.illustrations
    }


def figure_file(anchor: str, name: str, ending: str) -> str:
    """File name of a figure."""
    return f"{anchor}-{name}.{ending}"
