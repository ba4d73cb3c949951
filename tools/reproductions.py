#!/usr/bin/env python3
"""docs/reproductions.md: every published figure that a test holds us to, and what we get.

    tools/reproductions.py

runs tests/published, collects what the fixture `published` was told, and writes the page and the
count in README.md. The same tests, run by anybody later, fail where the page says something else
than they found. They skip where the real data is missing, so this needs all of docs/test-data.md.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "reproductions.md"
README = PROJECT / "README.md"
COLLECTING = "collecting-published"  # while it is there, nothing is compared with the old page
PROPERTY = "published"
BETWEEN = " · "

ADDRESS = "https://github.com/adjudge/adjudge/blob/main/"
_COUNTED = re.compile(r"(?<=\[)[\d,]+(?= published figures\])")

HEAD = """\
# Published figures, made again

Adjudge holds itself to {figures:,} figures that others have published. Each row below is checked
by a test, which fails when ours moves. {exact:,} of the figures come out **to the digit** as they
are printed. For the others the test says how near they must be, and the sentences below each table
say why they are not the same. Beside them stand {words} findings that the papers give in words,
with the number that we find.

Not all raw data is public. Where data says `the paper`, we start from a table of the paper; where
it says `made to fit`, from counts that were chosen to give its figures. Both show that our
arithmetic is right, not that the campaign comes out again. The other {real:,} figures are made
from raw judgements ([where to get them](test-data.md)).

<!-- not run: it needs all of the real data, and minutes -->
```sh
tools/reproductions.py
```

writes this page from what the tests in `tests/published/` find: no number here is typed. The tests
also fail where the page is stale.

"""

LEGEND = """
`=` to the digit, `≈` as near as the test asks, `✓` words that hold, `✗` words that do not.
"""


@dataclass(frozen=True)
class Row:
    """One row of a published table, and what we get."""

    paper: str
    table: str
    cell: str
    published: tuple[str, ...]
    ours: tuple[str, ...]
    words: bool  # a finding in words, with our number beside
    holds: bool
    data: str
    test: str
    about: str  # how it was made, and why it differs

    @property
    def exact(self) -> int:
        """How many of its figures are the same to the digit."""
        return 0 if self.words else sum(map(str.__eq__, self.published, self.ours))

    @property
    def figures(self) -> int:
        """How many figures it has; words are none."""
        return 0 if self.words else len(self.published)

    @property
    def line(self) -> str:
        """The row as it stands on the page."""
        same = "=" if self.exact == self.figures else "≈"
        mark = ("✓" if self.holds else "✗") if self.words else same
        cells = (self.table, self.cell, BETWEEN.join(self.published), mark, BETWEEN.join(self.ours))
        told = " | ".join(cell.replace("|", "\\|") for cell in cells)
        return f"| {told} | {self.data} | {link(self.test)} |"


def link(test: str) -> str:
    """A test as a link to its file."""
    file, _, name = test.partition("::")
    return f"[{name}]({ADDRESS}tests/published/{file})"


def printed(published: str, ours: float | str) -> str:
    """Our figure with as many digits as the published one."""
    if isinstance(ours, str):
        return ours
    decimals = len(published.partition(".")[2])
    text = f"{ours:,.{decimals}f}" if "," in published else f"{ours:.{decimals}f}"
    return "0" + text[2:] if re.fullmatch(r"-0(\.0*)?", text) else text


def number(figure: str) -> float:
    """A published figure as a number."""
    return float(figure.replace(",", ""))


def lines_of(page: str, test: str) -> set[str]:
    """The rows of a page that a test made."""
    return {line for line in page.splitlines() if line.endswith(f"| {link(test)} |")}


def _year(paper: str) -> tuple[int, str]:
    digits = re.search(r"\d+", paper)
    year = int(digits[0]) if digits else 9999
    return (year if year > 100 else 2000 + year), paper


def page_of(rows: Sequence[Row]) -> str:
    """The whole page."""
    parts = [
        HEAD.format(
            figures=sum(row.figures for row in rows),
            exact=sum(row.exact for row in rows),
            words=sum(row.words for row in rows),
            real=sum(row.figures for row in rows if row.data not in ("the paper", "made to fit")),
        ),
        _summary(rows),
        LEGEND,
    ]
    for paper in sorted({row.paper for row in rows}, key=_year):
        own = [row for row in rows if row.paper == paper]
        parts.append(f"\n## {paper}\n\n")
        parts.append(
            "| where | what | published | | ours | data | test |\n|---|---|---|---|---|---|---|\n"
        )
        parts += [f"{row.line}\n" for row in own]
        parts.append("\n")
        parts += [f"- {line}\n" for line in _about(own)]
    return "".join(parts)


def _about(rows: Sequence[Row]) -> Iterable[str]:
    """What the tests say of how they make each table, once each."""
    tables: dict[str, list[str]] = {}
    for row in rows:
        if row.about:
            named = tables.setdefault(row.about, [])
            if row.table not in named:
                named.append(row.table)
    return (f"**{', '.join(named)}**: {about}" for about, named in tables.items())


def _summary(rows: Sequence[Row]) -> str:
    lines = [
        "| paper | figures | to the digit | words that hold | made from |",
        "|---|--:|--:|--:|---|",
    ]
    for paper in sorted({row.paper for row in rows}, key=_year):
        own = [row for row in rows if row.paper == paper]
        words = [row for row in own if row.words]
        held = f"{sum(row.holds for row in words)} of {len(words)}" if words else ""
        data = ", ".join(dict.fromkeys(name for row in own for name in row.data.split(", ")))
        anchor = re.sub(r"\W+", "-", paper.lower())
        lines.append(
            f"| [{paper}](#{anchor}) | {sum(row.figures for row in own):,} | "
            f"{sum(row.exact for row in own):,} | {held} | {data} |"
        )
    return "\n".join(lines) + "\n"


def with_count(readme: str, rows: Sequence[Row]) -> str:
    """README.md with the number of figures as it is."""
    return _COUNTED.sub(f"{sum(row.figures for row in rows):,}", readme)


def counted(readme: str) -> str:
    """The number of figures that README.md gives."""
    (number,) = _COUNTED.findall(readme)
    return number


def total(page: str) -> str:
    """The number of figures that the page gives."""
    return re.findall(r"holds itself to ([\d,]+) figures", page)[0]


class Collector:
    """Takes what the tests tell from their reports."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.skipped: list[str] = []

    def pytest_configure(self, config: Any) -> None:
        """Let the tests know."""
        config.pluginmanager.register(object(), COLLECTING)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase of one test."""
        if report.skipped:
            self.skipped.append(report.nodeid)
        if report.when == "teardown":
            for name, rows in report.user_properties:
                if name == PROPERTY:
                    self.rows += [Row(**row) for row in rows]


def properties(rows: Iterable[Row]) -> tuple[str, list[dict[str, Any]]]:
    """What a test hands to its report."""
    return PROPERTY, [asdict(row) for row in rows]


def main() -> int:
    import pytest

    collector = Collector()
    failed = pytest.main([str(PROJECT / "tests" / "published")], plugins=[collector])
    if failed or collector.skipped:
        print("Nothing was written: a test failed or skipped.", file=sys.stderr)
        return 1
    PAGE.write_text(page_of(collector.rows), encoding="utf-8")
    README.write_text(with_count(README.read_text(encoding="utf-8"), collector.rows), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
