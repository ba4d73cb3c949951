"""The tables of the documentation list what the registries hold."""

import re
from pathlib import Path

import pytest

from adjudge.diagnosis.finding import FINDINGS
from adjudge.ranking.method import METHODS
from adjudge.report.figures import FIGURES

DOCS = Path(__file__).parents[2] / "docs"


def listed(file: str, heading: str) -> dict[str, list[str]]:
    """The rows of every table with this first heading, by each name in their first cell."""
    rows: dict[str, list[str]] = {}
    inside = False
    for line in (DOCS / file).read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        inside = bool(cells) and (inside or cells[0] == heading)
        names = re.findall(r"`([\w-]+)`", cells[0]) if inside else []
        for name in names:
            assert name not in rows, f"{file} lists {name} twice"
            rows[name] = cells[1:]
    return rows


@pytest.mark.parametrize(
    ("file", "heading", "registry"),
    [
        ("figures.md", "name", FIGURES),
        ("diagnosis.md", "name", FINDINGS),
    ],
)
def test_a_table_lists_every_item_and_no_other(file, heading, registry):
    assert set(listed(file, heading)) == set(registry)


def test_methods_are_in_a_table_or_have_a_section():
    """Tables have those that are alike; one that needs more words a section or a paragraph."""
    text = (DOCS / "methods.md").read_text()
    own = re.findall(r"^(?:## |`)([a-z0-9-]+)", text, flags=re.MULTILINE)
    aliases = {alias: name for name, method in METHODS.items() for alias in method.aliases}
    tables = {aliases.get(name, name) for name in listed("methods.md", "method")}
    assert tables <= set(METHODS)
    assert METHODS.keys() - tables <= set(own)


def test_the_table_of_figures_says_what_each_needs():
    words = {"source": "source texts", "reference": "the reference", "seconds": "times"}
    for name, (_, needs, after) in listed("figures.md", "name").items():
        figure = FIGURES[name]
        for need, word in words.items():
            assert (word in needs) == (need in figure.needs), (name, need)
        assert ("four systems" in needs) == (figure.fewest_systems == 4), name
        if after:
            assert after in figure.about, name


def test_the_table_of_findings_has_their_needs():
    for name, (*_, needs, _) in listed("diagnosis.md", "name").items():
        assert set(re.findall(r"`(\w+)`", needs)) == FINDINGS[name].needs, name


def test_the_table_of_methods_says_whether_the_reference_takes_part():
    for name, cells in listed("methods.md", "method").items():
        if len(cells) == 4:  # methods that count
            assert (cells[2] == "takes part") == METHODS.named(name).reference, name
