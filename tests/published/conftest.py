"""Shared by the published figures: a way to hold ourselves to them, and the papers' own data.

    table = published("Bojar 2011", "Table 1", data="WMT10")
    table.row("German-English", ("26", "0.965"), (systems, share))     # to the digit
    table.row("Czech-English", "0.338", ratio, within=0.006)           # near
    table.words("agreement of sentence ranking", "moderate", "K = 0.37", holds=False)

Each call is a check and a row of docs/reproductions.md, which tools/reproductions.py writes.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reproductions import COLLECTING, PAGE, Row, lines_of, number, printed, properties

if TYPE_CHECKING:
    import polars as pl

    from adjudge.data.comparisons import Comparisons

Figure = float | str


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper, row by row."""

    paper: str
    table: str
    data: str
    test: str
    about: str
    page: str | None  # None: it is being written
    rows: list[Row] = field(default_factory=list)

    def row(
        self,
        cell: str,
        published: str | tuple[str, ...],
        ours: Figure | tuple[Figure, ...],
        within: float | None = None,
    ) -> None:
        """Figures as they are printed, and ours: the same to the digit, or `within` of them."""
        theirs = (published,) if isinstance(published, str) else tuple(published)
        mine = ours if isinstance(ours, tuple) else (ours,)
        assert len(theirs) == len(mine)
        shown = tuple(map(printed, theirs, mine))
        if within is None:
            assert shown == theirs, f"{self.paper}, {self.table}, {cell}"
        else:
            assert [float(figure) for figure in mine] == pytest.approx(
                [number(figure) for figure in theirs], abs=within
            ), f"{self.paper}, {self.table}, {cell}"
        self._add(cell, theirs, shown, words=False, holds=True)

    def words(self, what: str, published: str, ours: str, *, holds: bool = True) -> None:
        """What the paper says in words, and our number; the test itself checks the two."""
        self._add(what, (published,), (ours,), words=True, holds=holds)

    def _add(
        self, cell: str, published: tuple[str, ...], ours: tuple[str, ...], words: bool, holds: bool
    ) -> None:
        about = (self.data, self.test, self.about)
        row = Row(self.paper, self.table, cell, published, ours, words, holds, *about)
        assert self.page is None or row.line in self.page.splitlines(), (
            f"not in docs/reproductions.md; run tools/reproductions.py: {row.line}"
        )
        self.rows.append(row)


@pytest.fixture
def published(request: pytest.FixtureRequest) -> Iterator[Callable[..., PublishedTable]]:
    """`published(paper, table, data)`: the table to which this test holds us."""
    writing = request.config.pluginmanager.has_plugin(COLLECTING)
    page = None if writing else PAGE.read_text(encoding="utf-8")
    name = getattr(request.node, "originalname", request.node.name)
    test = f"{request.path.name}::{name}"
    about = " ".join((inspect.getdoc(request.function) or "").split())
    tables: list[PublishedTable] = []

    def table(paper: str, table: str, data: str) -> PublishedTable:
        tables.append(PublishedTable(paper, table, data, test, about, page))
        return tables[-1]

    yield table
    rows = [row for each in tables for row in each.rows]
    request.node.user_properties.append(properties(rows))
    if page is not None and not hasattr(request.node, "callspec") and rows:
        stale = lines_of(page, test) - {row.line for row in rows}
        assert not stale, f"nothing makes this any more; run tools/reproductions.py: {stale}"


@pytest.fixture(scope="session")
def wmt10(shared_data: Path) -> "pl.DataFrame":
    """The rankings by experts of WMT10, all eight language pairs."""
    from adjudge.data.table_files import read

    return read(str(shared_data / "wmt07-11" / "wmt10.RNK.csv.gz"))


@pytest.fixture(scope="session")
def lopez_tasks(shared_data: Path, wmt10: "pl.DataFrame") -> "dict[str, Comparisons]":
    """The 25 tasks of Lopez 2012 under the names of its Table 1, the reference in them."""
    from adjudge.data.comparisons import by_pair, compare
    from adjudge.data.table_files import read

    parts = {
        "individual": "indivsystems",
        "syscomb": "combosystems",
        "tunable metrics": "tunablemetrics",
    }
    tasks = {f"2010 {pair}": compare(part) for pair, part in by_pair(wmt10)}
    for kind, file in parts.items():
        table = read(str(shared_data / "wmt07-11" / f"wmt11.{file}.csv.gz"))
        tasks |= {f"2011 {pair} {kind}": compare(part) for pair, part in by_pair(table)}
    return tasks


@pytest.fixture(scope="session")
def wmt15_metrics(shared_data: Path) -> "dict[str, pl.DataFrame]":
    """Scores of metrics and people of WMT15's systems, by language pair."""
    import polars as pl

    tables = {}
    folder = shared_data / "metaeval" / "history" / "wmt15-system-level"
    for path in sorted(folder.glob("hum-sys.*.csv")):
        header, *lines = (line.split() for line in path.read_text().splitlines())
        table = pl.DataFrame(lines, schema=header, orient="row")
        tables[path.name.split(".")[1]] = table.with_columns(
            pl.col("SCORE", "HUMAN").cast(pl.Float64)
        )
    return tables
