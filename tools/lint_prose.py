#!/usr/bin/env python3
"""Check docstrings and pages for unidiomatic English; exit with code 1 and list what it finds.

Docstrings of the packages in CLEAN open with an imperative verb or a noun phrase: neither with a
question or a relative clause ("What …", "Whether …", "All that …", "The … that …") nor with an
article. A few unidiomatic phrases are refused in all text of these packages and in docs.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "adjudge"

# Packages that are checked; add a package when it is clean.
CLEAN = (
    "agreement",
    "campaigns",
    "core",
    "diagnosis",
    "metaeval",
    "metrics",
    "quality",
    "ranking",
    "report",
    "segments",
    "simulation",
    "stats",
    "text",
    "tuning",
    "web",
)

_WORDS = (
    "What How Which Who Whom Whose Where When Whether Why Is Are Do Does May Must None"  # riddles
    " The A An Every Of"  # articles and the like, which hide the noun
)
_PHRASES = ("All that", "Those that", "As many")
_OPENING = re.compile(rf"(?:{'|'.join([*_WORDS.split(), *_PHRASES])})\b", re.IGNORECASE)
_BANNED = re.compile(
    r"\b(?:mend it|is none that there is|told apart|trust it not|worth no more than)\b".replace(
        " ", r"\s+"
    ),
    re.IGNORECASE,
)


class Flaw(NamedTuple):
    """Refused text and its position."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path}:{self.line}: {self.text}"


def openings(path: Path) -> Iterator[Flaw]:
    """Find the docstrings of a module with a refused opening."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node)
        if text and _OPENING.match(text):
            yield Flaw(path, node.body[0].lineno, text.partition("\n")[0])


def phrases(path: Path) -> Iterator[Flaw]:
    """Find banned phrases in a file, including those broken across two lines."""
    text = path.read_text(encoding="utf-8")
    for found in _BANNED.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Flaw(path, line, " ".join(found.group().split()))


def main() -> int:
    """Print all flaws of src and docs; return 1 if there are any."""
    modules = [path for package in CLEAN for path in sorted((SOURCE / package).rglob("*.py"))]
    pages = sorted((ROOT / "docs").rglob("*.md"))
    flaws = [flaw for path in modules for flaw in openings(path)]
    flaws += [flaw for path in modules + pages for flaw in phrases(path)]
    print(*flaws, sep="\n", end="\n" if flaws else "")
    return 1 if flaws else 0


if __name__ == "__main__":
    sys.exit(main())
