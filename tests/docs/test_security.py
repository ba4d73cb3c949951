"""Every promise of the page about security names tests, and those are there."""

import ast
import re
from functools import cache

import pytest

from docs_pages import ROOT

PAGE = ROOT / "docs" / "security.md"
_NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@cache
def names_in(path: str) -> frozenset[str]:
    """The tests of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def promises() -> dict[str, str]:
    """What is promised, and the tests in the column beside it."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {promise: shown for promise, shown in rows if promise not in ("promise", "who")}


def test_the_page_has_promises_to_each() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for who in ("A judge", "A crowd worker", "An organiser of another campaign", "The operator"):
        section = re.split(r"^## ", text.partition(f"## {who}\n")[2], flags=re.MULTILINE)[0]
        assert section.count("| `tests/") >= 5, who
    assert len(promises()) > 40


@pytest.mark.parametrize("promise", promises())
def test_a_promise_names_tests_that_exist(promise: str) -> None:
    named = _NAMED.findall(promises()[promise])
    assert named, "a promise without a test"
    for path, name in named:
        assert (ROOT / path).exists(), f"no file {path}"
        assert name in names_in(path), f"no {name} in {path}"
