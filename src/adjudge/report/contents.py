"""What a report holds, whatever it is written as: page, LaTeX or Markdown.

One chapter a language pair. A part the judgements cannot give is left out and the reason kept;
nothing that is wrong with one language pair stops the report.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from adjudge.analysis.analysis import Analysis, Settings
from adjudge.comparisons.summary import Summary, summarise
from adjudge.errors import AdjudgeError
from adjudge.report.agreement import agreement_table
from adjudge.report.answer import Answer, answer, named
from adjudge.report.diagnosis import summary_table
from adjudge.report.drawing.rendering import save, svg
from adjudge.report.figures import FIGURES, Figure
from adjudge.report.planning import plan_tables
from adjudge.report.ranking import methods_rows, pairs_table, ranking_table
from adjudge.report.tables import Column, Row, Table

Images = Literal["page", "svg", "pdf", "none"]  # an element of a page, files, or no figures

_ORDER = (
    "scores",
    "rank-distribution",
    "better",
    "head-to-head",
    "methods",
    "tournament",
    "times-judged",
    "reference-exposure",
    "agreement-by-length",
    "judges",
    "time-per-item",
)

# Where the table behind a figure is laid out for people, the rows for machines.
_FLAT: Mapping[str, Callable[[Analysis], Table]] = {
    "head-to-head": lambda analysis: pairs_table(analysis.head_to_head),
    "methods": lambda analysis: methods_rows(analysis.methods),
}

# Columns that hold the name of a system.
_NAMES = ("system", "other", "better", "worse", "system_a", "system_b")


@dataclass(frozen=True)
class _Named(Column):
    """A system by its short name; the rows keep the full one."""

    names: Mapping[str, str] = field(default_factory=dict)

    def show(self, row: Row) -> str:
        """The short name, or what stands there if it is no system's name."""
        name = super().show(row)
        return self.names.get(name, name)


@dataclass(frozen=True)
class Illustration:
    """A figure as it is shown, with its words and the data behind it."""

    name: str
    title: str
    about: str
    alt: str
    table: Table
    rows: Sequence[Row]  # of the table, for machines
    image: bytes


@dataclass(frozen=True)
class Omission:
    """What is not there, and why."""

    title: str
    reason: str


@dataclass(frozen=True)
class Chapter:
    """All about one language pair; `tables` by what they are about."""

    pair: str
    answer: Answer
    summary: Summary
    tables: Mapping[str, Table]
    illustrations: Sequence[Illustration]
    omissions: Sequence[Omission]

    @property
    def overview(self) -> dict[str, Any]:
        """The language pair in one row."""
        ranking, agreed = self.tables.get("ranking"), self.tables.get("agreement")
        inter = [row for row in agreed.rows if row["kind"] == "inter"] if agreed else []
        found = self.tables["diagnosis"].rows if "diagnosis" in self.tables else ()
        return {
            "pair": self.pair,
            "systems": len(ranking.rows) if ranking else self.summary.systems,
            "rankings": self.summary.rankings,
            "judges": self.summary.judges,
            "clusters": ranking.rows[-1]["cluster"] if ranking else None,
            "first": named(self.answer.first, "and"),
            # Without the reference where both are known: agreeing on it is easier.
            "kappa": inter[-1]["kappa"] if inter else None,
            "warnings": sum(row["severity"] == "warning" for row in found),
        }


@dataclass(frozen=True)
class Input:
    """A file of judgements; the hash is unknown for what came through a pipe."""

    name: str
    sha256: str | None

    @classmethod
    def of(cls, path: str) -> "Input":
        """The file at `path`; `-` is standard input."""
        if path == "-":
            return cls("standard input", None)
        return cls(path, hashlib.sha256(Path(path).read_bytes()).hexdigest())


@dataclass(frozen=True)
class Report:
    """All chapters, and all it takes to make them again."""

    title: str
    version: str
    settings: Settings
    inputs: Sequence[Input]
    command: str
    chapters: Sequence[Chapter]

    @property
    def overview(self) -> Table:
        """One row a language pair."""
        return Table(
            [chapter.overview for chapter in self.chapters],
            [
                Column("pair", "pair"),
                Column("systems", "systems"),
                Column("rankings", "rankings"),
                Column("judges", "judges"),
                Column("clusters", "clusters"),
                Column("first", "first, or not told apart from the first"),
                Column("kappa", "κ between judges", 2),
                Column("warnings", "warnings"),
            ],
            title="Overview",
        )

    def anchors(self) -> list[str]:
        """A name of plain letters for every chapter, for links and files."""
        plain = [re.sub(r"[^A-Za-z0-9]+", "-", one.pair).strip("-") for one in self.chapters]
        return [
            name if name and plain.count(name) == 1 else f"{name}-{number}".strip("-")
            for number, name in enumerate(plain, 1)
        ]


def chapter(analysis: Analysis, images: Images) -> Chapter:
    """The chapter about one language pair."""
    omissions: list[Omission] = []

    def found(title: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except AdjudgeError as why:
            omissions.append(Omission(title, _reason(why, analysis.pair)))
            return None

    said = found("Ranking", lambda: answer(analysis))
    parts = {
        "agreement": found("Agreement", lambda: _agreement(analysis)),
        "diagnosis": found("Diagnosis", lambda: summary_table(analysis.diagnosis)),
    }
    illustrations: Sequence[Illustration] = ()
    if said is None:
        said = Answer("There is no ranking.", f"{_capital(omissions[0].reason)}.", ())
    else:
        plan = found("More rankings", lambda: plan_tables(analysis.plan, 0))
        parts = {
            "ranking": _without(ranking_table(analysis.ranking), "cluster"),  # rules show it
            **parts,
            **(dict(zip(("separations", "sizes"), plan, strict=True)) if plan else {}),
        }
        drawn = [
            found(one.title, partial(_drawn, one, analysis, images)) for one in _wanted(images)
        ]
        illustrations = [one for one in drawn if one is not None]
    return Chapter(
        analysis.pair,
        said,
        summarise(analysis.table, analysis.settings.outputs)[0],
        {name: _in_chapter(table, analysis) for name, table in parts.items() if table},
        illustrations,
        omissions,
    )


def _reason(why: AdjudgeError, pair: str) -> str:
    """The reason, without the language pair that the chapter names already."""
    return str(why).removeprefix(f"{pair}: ").rstrip(".")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _agreement(analysis: Analysis) -> Table:
    return _without(agreement_table(analysis.agreement, analysis.settings.bootstrap), "pair")


def _without(table: Table, key: str) -> Table:
    """The table without one of its columns; its rows keep what was in it."""
    return replace(table, columns=[column for column in table.columns if column.key != key])


def _in_chapter(table: Table, analysis: Analysis) -> Table:
    """The table as it stands in its chapter: short names, no language pair in its title."""
    title = table.title.removeprefix(f"{analysis.pair}: ")
    if not title.startswith(analysis.settings.chosen.name):
        title = _capital(title)
    columns = [
        _Named(column.key, column.heading, names=analysis.short)
        if column.key in _NAMES and not column.numeric(table.rows)
        else column
        for column in table.columns
    ]
    return replace(table, title=title, columns=columns)


def _wanted(images: Images) -> Sequence[Figure]:
    """The figures from the answer to its doubts; one not known here comes last."""
    known = {name: place for place, name in enumerate(_ORDER)}
    all_figures = [] if images == "none" else FIGURES.values()
    return sorted(all_figures, key=lambda one: known.get(one.name, len(known)))


def _drawn(figure: Figure, analysis: Analysis, images: Images) -> Illustration:
    table = figure.table(analysis)
    if images == "page":
        image = svg(figure, analysis).encode()
    else:
        with TemporaryDirectory(prefix="adjudge-figure-") as folder:
            path = Path(folder, f"figure.{images}")
            save(figure, analysis, str(path))
            image = path.read_bytes()
    return Illustration(
        figure.name,
        figure.title,
        figure.about,
        figure.alt(analysis),
        _in_chapter(table, analysis),
        _FLAT[figure.name](analysis).rows if figure.name in _FLAT else table.rows,
        image,
    )


def figure_files(report: Report, ending: str) -> dict[str, bytes]:
    """Every figure of the report by the name of its file."""
    return {
        figure_file(anchor, one.name, ending): one.image
        for anchor, about in zip(report.anchors(), report.chapters, strict=True)
        for one in about.illustrations
    }


def figure_file(anchor: str, name: str, ending: str) -> str:
    """What the file of a figure is called."""
    return f"{anchor}-{name}.{ending}"
