"""docs/coverage.md shows what `adjudge coverage` prints on the whole design, column by column."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from adjudge.simulation.situations import whole_design

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
BETWEEN = re.compile(r"<!-- begin of (.+?) -->\n(.*?)<!-- end of \1 -->", re.DOTALL)
SMALLER = {"systems": [3, 4], "rankings": [60, 80], "judges": [3, 4], "documents": [4, 5]}


def shown() -> str:
    """What the page has between its marks."""
    return dict(BETWEEN.findall(PAGE.read_text()))["what the command printed"]


def tables(text: str) -> list[tuple[str, str]]:
    """Title and columns of every table."""
    lines = text.splitlines()
    heads = [i for i, line in enumerate(lines) if line.startswith(("|:", "|-"))]
    return [(re.sub(r"\*", "", lines[i - 3]).strip(), lines[i - 1]) for i in heads]


def signatures(text: str) -> set[str]:
    """What every signature says, without its values."""
    lines = re.findall(r"adjudge:coverage\|[^`\n]*", text)
    return {re.sub(r":[^|]*", "", line) for line in lines}


def tiny(grid: dict) -> dict:
    """The same factors with two values at most, of the smallest campaigns."""
    few = {}
    for factor, values in grid.items():
        if factor in SMALLER:
            small = SMALLER[factor]
            few[factor] = small if isinstance(values, list) else small[0]
        else:
            few[factor] = values[:2] if isinstance(values, list) else values
    return few | {"campaigns": 2, "rankings": few.get("rankings", 60)}


def test_the_page_has_the_tables_of_the_whole_design(adjudge, tmp_path):
    design = tmp_path / "tiny.json"
    grids = {name: tiny(grid) for name, grid in tomllib.loads(whole_design()).items()}
    design.write_text(json.dumps(grids))
    options = ("--design", str(design), "--replicates", "6", "--format", "markdown")
    answer = adjudge("coverage", *options)
    assert answer.code == 0, answer.err
    assert len(tables(answer.out)) == len(grids)
    assert tables(answer.out) == tables(shown())
    assert signatures(answer.out) == signatures(shown())
    assert len(signatures(shown())) == 1


def test_the_page_names_the_design_that_is_shipped():
    sizes = []
    for grid in tomllib.loads(whole_design()).values():
        size = 1
        for values in grid.values():
            size *= len(values) if isinstance(values, list) else 1
        sizes.append(size)
    rows = [
        sum(line.startswith("| ") for line in table.splitlines()) - 1
        for table in re.split(r"\n(?=\*\*)", shown())
        if "|" in table
    ]
    assert rows[:-1] == sizes[:-1]  # the last shows what each factor does
    assert f"| {sizes[-1]} |" in shown()
