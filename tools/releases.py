#!/usr/bin/env python3
"""Writes the table of public human evaluations into docs/formats.md, from tools/releases.tsv.

    tools/releases.py

Each line of that file is a release: year, name, what judges did, where it is, the format that
reads it (or `no`, `not public`), and the evidence. That is a file of docs/test-data.md which the
tests read; `layout` where the format follows the published layout but no file was tried; else the
reason why it is not read. A test compares the table with the page.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "formats.md"
RELEASES = Path(__file__).with_suffix(".tsv")
BEGIN, END = "<!-- written by tools/releases.py -->\n", "<!-- end -->\n"
HEAD = "| year | release | judgements | read | where |\n|---|---|---|---|---|\n"


@dataclass(frozen=True)
class Release:
    """A line of tools/releases.tsv."""

    year: int
    release: str
    judgements: str
    where: str
    format: str
    evidence: str

    @property
    def is_read(self) -> bool:
        """Does one of the formats read it?"""
        return self.format not in ("no", "not public")

    @property
    def is_tested(self) -> bool:
        """Do the tests read a file of it?"""
        return self.is_read and self.evidence != "layout"

    @property
    def row(self) -> str:
        """The row of the table."""
        said = f"{self.format}: {self.evidence}"
        if self.is_read:
            tried = "tested on the file" if self.is_tested else "by its published layout"
            said = f"yes, `{self.format}`, {tried}"
        cells = (self.year, self.release, self.judgements, said, f"<https://{self.where}>")
        return f"| {' | '.join(map(str, cells))} |\n"


def releases() -> list[Release]:
    """All releases, in the order of the file."""
    with RELEASES.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return [Release(**{**row, "year": int(row["year"])}) for row in rows]


def with_table(page: str) -> str:
    """The page with the table as it should be."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    table = HEAD + "".join(release.row for release in releases())
    return f"{before}{BEGIN}{table}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
