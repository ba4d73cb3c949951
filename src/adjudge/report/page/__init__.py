"""Report as one self-contained page, which needs no network, no server and no JavaScript.

The page's script only sorts tables, saves them as CSV or JSON, switches the colour scheme and opens
everything before printing. All numbers are in one JSON element at the end, `summary`.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from adjudge.core.tables.table import Row, plain_row
from adjudge.report.contents import Chapter, Report
from adjudge.report.drawing.theme import DARK, LIGHT
from adjudge.report.method import method_section
from adjudge.report.page.views import chapter_view, table_view

DIGITS = 12  # beyond these, sums depend on how many threads made them

_HERE = Path(__file__).parent
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


def write(report: Report, folder: str | None = None) -> str:
    """Write the page; figures are embedded, so there is no folder for them."""
    several = len(report.chapters) > 1
    anchors = report.anchors()
    chapters = [
        chapter_view(chapter, anchor, number)
        for number, (chapter, anchor) in enumerate(zip(report.chapters, anchors, strict=True))
    ]
    overview = replace(table_view(report.overview, "overview"), title="")  # a heading says it
    context = {
        "report": report,
        "overview": overview.linked(anchors) if several else None,
        "chapters": chapters,
        "method": list(method_section(report.settings, report.metrics)),
        "rankings": f"{sum(chapter.summary.rankings for chapter in report.chapters):,}",
        "replicates": f"{report.settings.replicates:,}",
    }
    return render("report.html", context, summary(report))


def render(template: str, context: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """Render a template with the style, the script and all its data."""
    return (
        _templates()
        .get_template(template)
        .render(
            policy=content_security_policy(),
            style=Markup(_colours() + _file("report.css")),
            script=Markup(_file("report.js")),
            summary=_json(data),
            **context,
        )
    )


def content_security_policy() -> str:
    """Policy that blocks all loading, and all scripts but the page's own."""
    digest = hashlib.sha256(_file("report.js").encode()).digest()
    return _POLICY.format(hash=base64.b64encode(digest).decode())


def summary(report: Report) -> dict[str, Any]:
    """Machine-readable summary of the report."""
    return {
        "title": report.title,
        "version": report.version,
        "settings": report.settings.recorded(),
        "inputs": [asdict(file) for file in report.inputs],
        "command": report.command,
        **({"signature": report.signature} if report.signature else {}),
        "overview": as_data(report.overview.rows),
        "pairs": [
            {
                "pair": chapter.pair,
                "answer": str(chapter.answer),
                "tables": {name: as_data(rows) for name, rows in _rows(chapter).items()},
                "notes": {name: list(table.notes) for name, table in chapter.tables.items()},
                "omitted": [asdict(omission) for omission in chapter.omissions],
            }
            for chapter in report.chapters
        ],
    }


def _rows(chapter: Chapter) -> dict[str, Sequence[Row]]:
    """Rows of every table of a chapter, including those of figures."""
    return {
        **{name: table.machine_rows() for name, table in chapter.tables.items()},
        **{shown.name: shown.table.machine_rows() for shown in chapter.illustrations},
    }


def as_data(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Convert rows to JSON, with numbers rounded to DIGITS digits."""
    return [
        {
            key: float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
            for key, value in plain_row(row).items()
        }
        for row in rows
    ]


def _json(data: Mapping[str, Any]) -> Markup:
    """Encode JSON so that it cannot end the enclosing element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def _colours() -> str:
    """Figure colours of both schemes."""
    both = zip(LIGHT.colours(), DARK.colours(), strict=True)
    pairs = "".join(f"{name}:light-dark({light},{dark});" for (name, light), (_, dark) in both)
    return f":root{{{pairs}}}\n"


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
