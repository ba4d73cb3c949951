"""The page of published figures, as far as it can be checked without running what it is made of.

That its rows are what the tests find, the tests check themselves (`published` in conftest.py).
"""

import ast
import re

from reproductions import PAGE, PROJECT, README, counted, total

HERE = PROJECT / "tests" / "published"
_TEST = re.compile(
    r"\[(test_\w+)\]\(https://\S+/tests/published/(test_\w+\.py)\) \|$", re.MULTILINE
)


def test_every_row_names_a_test_that_exists() -> None:
    named = set(_TEST.findall(PAGE.read_text(encoding="utf-8")))
    assert named
    for name, file in named:
        tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_that_holds_us_to_a_figure_is_on_the_page() -> None:
    named = set(_TEST.findall(PAGE.read_text(encoding="utf-8")))
    for file in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                takes = {argument.arg for argument in node.args.args}
                assert ("published" in takes) == ((node.name, file.name) in named), node.name


def test_readme_says_how_many() -> None:
    assert counted(README.read_text(encoding="utf-8")) == total(PAGE.read_text(encoding="utf-8"))
