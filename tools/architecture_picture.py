#!/usr/bin/env python3
"""Draws docs/images/architecture.svg: the packages in the order of the import fence, and the walks.

The order comes from the layers in pyproject.toml, the walks from the numbered lists in
docs/architecture.md (each step begins with a file). A test draws it again and compares, so it
cannot go stale; `make docs` draws it anew.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
PICTURE = ROOT / "docs" / "images" / "architecture.svg"

ROW, TOP, LEFT, BOX, STEP, GAP = 36, 84, 30, 270, 32, 34
INK, SOFT, LINE, PAPER = "#1d2733", "#5b6775", "#c9d2dc", "#ffffff"
KINDS = {  # what a package is for, and its colour
    "ground": "#eef1f5",
    "data": "#e3f0fb",
    "statistics": "#e6f4e8",
    "results": "#fbe7e3",
    "campaigns": "#fdf0dc",
    "interfaces": "#f3e8f8",
}
KIND_OF = {
    "data": "data", "text": "data",
    "stats": "statistics", "ranking": "statistics", "agreement": "statistics",
    "scoring": "statistics", "diagnosis": "statistics", "simulation": "statistics",
    "metrics": "statistics", "metaeval": "statistics", "segments": "statistics",
    "quality": "statistics", "tuning": "statistics",
    "report": "results", "campaigns": "campaigns", "web": "campaigns",
    "api": "interfaces", "cli": "interfaces",
}  # fmt: skip
WALKS = ("#0b6e99", "#b0413e")


@dataclass(frozen=True)
class Walk:
    """A way through the packages."""

    title: str
    packages: tuple[str, ...]  # one a step


def layers() -> list[str]:
    """The packages, those that import nothing of ours first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    whole = next(each for each in contracts if not each.get("containers"))
    names = [part for layer in whole["layers"] for part in re.split(r"\s*[|:]\s*", layer)]
    return [name.removeprefix("adjudge.") for name in reversed(names)]


def jobs(page: str) -> dict[str, str]:
    """The one job of every package, from the table."""
    found = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) >= 2:
            for name in re.findall(r"`([a-z_]+)(?:/|\.py)`", cells[0]):
                found[name] = re.sub(r"\s*\([^)]*\)|`", "", cells[1])
    return found


def walks(page: str) -> list[Walk]:
    """The numbered lists under headings that begin with "Walk"."""
    found = []
    for part in re.split(r"^## ", page, flags=re.M)[1:]:
        title, _, text = part.partition("\n")
        if title.startswith("Walk: "):
            paths = re.findall(r"^\d+\. `src/adjudge/([a-z_]+)", text, flags=re.M)
            name = re.sub(r"`", "", title.removeprefix("Walk: "))
            found.append(Walk(name, tuple(paths)))
    return found


def draw() -> str:
    """The picture."""
    page = PAGE.read_text(encoding="utf-8")
    order, ways = layers(), walks(page)
    width = LEFT + BOX + sum(GAP + STEP * len(way.packages) for way in ways) + 20
    height = TOP + ROW * len(order) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" font-size="13" role="img" '
        f'aria-label="The packages of Adjudge and two walks through them">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        _text(LEFT, 34, "Packages", INK, size=18, weight=600),
        _text(LEFT, 58, "Each imports only from those above.", SOFT),
        f'<path d="M14 {TOP} V{height - 34}" stroke="{SOFT}" stroke-width="2"/>',
        f'<path d="M8 {height - 40} L14 {height - 28} L20 {height - 40} Z" fill="{SOFT}"/>',
    ]
    for row, name in enumerate(order):
        top = TOP + ROW * row
        middle = top + (ROW - 6) // 2
        kind = KIND_OF.get(name, "ground")
        parts.append(f'<path d="M{LEFT} {middle} H{width - 20}" stroke="{LINE}"/>')
        parts.append(
            f'<rect x="{LEFT}" y="{top}" width="{BOX}" height="{ROW - 6}" rx="5" '
            f'fill="{KINDS[kind]}" stroke="{LINE}"/>'
        )
        parts.append(_text(LEFT + 12, middle + 5, name, INK, size=14, weight=600))
        parts.append(_text(LEFT + BOX - 12, middle + 5, kind, SOFT, size=12, anchor="end"))
    start = LEFT + BOX
    for way, colour in zip(ways, WALKS, strict=True):
        parts += _walk(way, start + GAP, colour, order)
        start += GAP + STEP * len(way.packages)
    return "\n".join([*parts, "</svg>", ""])


def _walk(way: Walk, left: float, colour: str, order: list[str]) -> list[str]:
    places = [
        (left + STEP * step + STEP / 2, TOP + ROW * order.index(package) + (ROW - 6) / 2)
        for step, package in enumerate(way.packages)
    ]
    line = " ".join(f"{x:g},{y:g}" for x, y in places)
    parts = [
        _text(left, 34, way.title, colour, size=18, weight=600),
        _text(left, 58, "Numbers: the steps below.", SOFT),
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>',
    ]
    for number, (x, y) in enumerate(places, 1):
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="12" fill="{colour}"/>')
        parts.append(_text(x, y + 4.5, str(number), PAPER, weight=600, anchor="middle"))
    return parts


def _text(
    x: float, y: float, text: str, colour: str, size: int = 13, weight: int = 400, anchor: str = ""
) -> str:
    more = f' text-anchor="{anchor}"' if anchor else ""
    return (
        f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size}" '
        f'font-weight="{weight}"{more}>{escape(text)}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
    sys.exit(0)
