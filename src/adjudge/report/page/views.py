"""View objects of the templates: tables as cells, findings and facts as text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from markupsafe import Markup

from adjudge.core.tables.table import Column, Row, Table, plain
from adjudge.data.segranks import GARBAGE
from adjudge.diagnosis.finding import FINDINGS
from adjudge.diagnosis.tables import number_shown
from adjudge.report.contents import METRICS, Chapter, Illustration, Omission
from adjudge.report.result_figures.closest_ranks import FIGURE as NEAREST_FIGURE
from adjudge.segments.examples import ExampleSentence, FoundSegment
from adjudge.segments.tables.segments import rank_shown

NEAREST = NEAREST_FIGURE.name
LONG = 40  # rows; a longer table behind a figure is not printed
LONGEST_WORD = 24  # characters; a longer cell may be broken
_ELSEWHERE = ("scores", METRICS, NEAREST)  # figures with a place of their own
_SIGNS = {"hit": "✓", "near": "≈", "miss": "✗"}
WIDE = 620  # pixels; a wider figure takes the whole width


@dataclass(frozen=True)
class Cell:
    """Cell with an optional numeric sort key."""

    text: str
    number: bool = False
    by: str = ""
    link: str = ""
    bold: bool = False
    unseen: str = ""  # said of a heading that has no text

    @property
    def wraps(self) -> bool:
        """Test whether the cell may wrap."""
        return len(self.text) > LONGEST_WORD


@dataclass(frozen=True)
class Line:
    """Row; `rule` draws a line below it."""

    cells: Sequence[Cell]
    rule: bool


@dataclass(frozen=True)
class TableView:
    """Table as shown on the page; `rows` is the location of its rows in the summary."""

    rows_at: str
    title: str
    headings: Sequence[Cell]
    lines: Sequence[Line]
    totals: Sequence[Line]
    notes: Sequence[str]

    @property
    def long(self) -> bool:
        """Test whether the table is too long for print."""
        return len(self.lines) > LONG

    def linked(self, anchors: Sequence[str]) -> "TableView":
        """Link the first cell of each row to a place in the page."""
        lines = [
            replace(line, cells=[replace(line.cells[0], link=f"#{anchor}"), *line.cells[1:]])
            for line, anchor in zip(self.lines, anchors, strict=True)
        ]
        return replace(self, lines=lines)


@dataclass(frozen=True)
class FigureView:
    """Figure with its data table."""

    figure: Illustration
    image: Markup
    table: TableView
    wide: bool


@dataclass(frozen=True)
class FindingView:
    """Finding in words."""

    severity: str
    question: str
    number: str
    measure: str
    meaning: str
    remedy: str


@dataclass(frozen=True)
class Run:
    """Words of a sentence in a row; `match` is the match of their segment, with its sign."""

    text: str
    match: str = ""
    sign: str = ""


@dataclass(frozen=True)
class ExampleView:
    """Sentence with its segments marked, and their matches in the database."""

    sentence: str
    system: str
    runs: Sequence[Run]
    found: Sequence[tuple[Run, str, str]]  # the segment, the candidate, what is known of it


@dataclass(frozen=True)
class ChapterView:
    """View of a language pair."""

    anchor: str
    chapter: Chapter
    facts: Sequence[tuple[str, str]]
    tables: dict[str, TableView]
    beside: FigureView | None  # the figure of the scores, which stands beside the ranking
    figures: Sequence[FigureView]
    metrics: Sequence[TableView]  # each metric by itself
    beside_people: FigureView | None  # the figure of metrics and people
    nearest: FigureView | None  # the figure of short segments
    examples: Sequence[ExampleView]  # sentences with short segments
    omissions: Sequence[Omission]
    troubles: Sequence[FindingView]  # warnings and notes
    others: Sequence[FindingView]  # nothing found, or no answer


def chapter_view(chapter: Chapter, anchor: str, number: int) -> ChapterView:
    """Convert a chapter for the templates; `number` is its index in the summary."""
    findings = [_finding(row) for row in _rows(chapter, "diagnosis")]
    figures = [figure_view(shown, f"{number}/{shown.name}") for shown in chapter.illustrations]
    return ChapterView(
        anchor,
        chapter,
        _facts(chapter),
        {name: table_view(table, f"{number}/{name}") for name, table in chapter.tables.items()},
        _called("scores", figures),
        [shown for shown in figures if shown.figure.name not in _ELSEWHERE],
        [
            table_view(table, f"{number}/{name}")
            for name, table in chapter.tables.items()
            if name.startswith("metric-")
        ],
        _called(METRICS, figures),
        _called(NEAREST, figures),
        [_example(example) for example in chapter.examples],
        [shown for shown in chapter.omissions if shown.title != "Ranking"],
        [shown for shown in findings if shown.severity in ("warning", "note")],
        [shown for shown in findings if shown.severity not in ("warning", "note")],
    )


def _called(name: str, figures: Sequence[FigureView]) -> FigureView | None:
    return next((shown for shown in figures if shown.figure.name == name), None)


def table_view(table: Table, rows_at: str) -> TableView:
    """Convert a table for the templates."""
    numeric = [column.numeric(table.rows) for column in table.columns]
    lines = [
        Line(
            [
                Cell(column.show(row), number, _by(column, row), bold=(i, column.key) in table.bold)
                for column, number in zip(table.columns, numeric, strict=True)
            ],
            i in table.lines_after,
        )
        for i, row in enumerate(table.rows)
    ]
    body = len(lines) - table.totals
    headings = [
        Cell(c.heading, n, unseen="" if c.heading else c.key.replace("_", " "))
        for c, n in zip(table.columns, numeric, strict=True)
    ]
    return TableView(rows_at, table.title, headings, lines[:body], lines[body:], table.notes)


def _by(column: Column, row: Row) -> str:
    """Sort key of a cell, if its text does not suffice."""
    value = plain(row.get(column.key))
    return "" if value is None or isinstance(value, str | bool) else f"{value:.6g}"


def _rows(chapter: Chapter, name: str) -> Sequence[Row]:
    return chapter.tables[name].rows if name in chapter.tables else ()


def figure_view(illustration: Illustration, rows_at: str) -> FigureView:
    """Convert a figure for the templates."""
    image = illustration.image.decode()
    width = re.match(r'<svg[^>]* width="(\d+)"', image)
    wide = width is not None and int(width[1]) > WIDE
    return FigureView(
        illustration,
        Markup(image),
        table_view(illustration.table, rows_at),
        wide,
    )


def _example(example: ExampleSentence) -> ExampleView:
    """Split a sentence into runs of words: contiguous segments, and the rest."""
    owner: list[FoundSegment | None] = [None] * len(example.source)
    for part in example.segments:
        for word in part.words:
            owner[word] = part
    runs: list[Run] = []
    for part, words in groupby(range(len(owner)), key=lambda word: owner[word]):
        text = " ".join(example.source[word] for word in words)
        runs.append(Run(text, part.match, _SIGNS[part.match]) if part else Run(text))
    found = [
        (Run(part.source, part.match, _SIGNS[part.match]), part.candidate, _known(part))
        for part in example.segments
    ]
    return ExampleView(example.sentence, example.system, runs, found)


def _known(part: FoundSegment) -> str:
    """Rank by the nearest candidate, and rank by the judges."""
    shown = (rank_shown(value, part.candidates) for value in (part.rank, part.given))
    rank, given = (said if said == GARBAGE else f"rank {said}" for said in shown)
    if part.match == "hit":
        return f"hit: another system wrote the same; {rank}"
    edits = "1 edit" if part.distance == 1 else f"{part.distance} edits"
    return f"{part.match}: {edits} to “{part.nearest}”, {given}; judges said {rank}"


def _finding(row: Row) -> FindingView:
    return FindingView(
        row["severity"],
        FINDINGS[row["finding"]].question,
        number_shown(row),
        row["measure"],
        row["meaning"],
        row["remedy"],
    )


def _facts(chapter: Chapter) -> list[tuple[str, str]]:
    """Facts about the language pair; unknown ones are left out."""
    known = chapter.summary
    ties = known.ties / known.comparisons if known.comparisons else 0
    median = known.seconds_median
    facts: list[tuple[str, Any]] = [
        ("systems", len(_rows(chapter, "ranking")) or known.systems),
        ("judges", known.judges),
        ("segments", known.segments),
        ("rankings", known.rankings),
        ("skipped", known.skipped),
        ("comparisons", known.comparisons),
        ("ties", f"{100 * ties:.0f} %" if known.comparisons else ""),
        ("median time", f"{median:.0f} s" if median else ""),
        ("judged", _period(chapter)),
    ]
    about = {name: "about " if name in known.estimated else "" for name, _ in facts}
    return [(k, f"{about[k]}{v:,}" if isinstance(v, int) else v) for k, v in facts if v]


def _period(chapter: Chapter) -> str:
    first, last = chapter.summary.first, chapter.summary.last
    if first is None or last is None:
        return ""
    days = [f"{day:%Y-%m-%d}" for day in (first, last)]
    return days[0] if days[0] == days[1] else " to ".join(days)
