"""Error spans as Appraise and Pearmut write them.

A span is an object with `start_i` and `end_i`, the first and the last character of the marked
text (a span of one character has both equal), or `"missing"` in both for text that the
translation lacks; with `severity`; and with a category, `error_type` in Appraise (a list from the
general to the particular), `category` in Pearmut. A severity that the annotator left undecided is
read as neutral, which weighs nothing.
"""

from collections.abc import Mapping
from typing import Any

from adjudge.data.mqm import CATEGORIES, KNOWN_CATEGORIES

MISSING = "missing"
_UNDECIDED = (None, "", "undecided")


def score_spans(spans: Any, text: str | None = None) -> list[dict[str, Any]]:
    """A list of spans as the score table holds them; `ValueError` says what is wrong.

    With the `text`, a span that begins behind it (on a token such as `[missing]`) is an omission,
    and one that ends behind it ends with it.
    """
    if not isinstance(spans, list):
        raise ValueError(f"{str(spans)[:80]!r} is no list of spans")
    return [_score_span(span, None if text is None else len(text)) for span in spans]


def _score_span(span: Any, length: int | None) -> dict[str, Any]:
    if not isinstance(span, Mapping):
        raise ValueError(f"span {str(span)[:80]!r} is no object")
    start, end = span.get("start_i"), span.get("end_i")
    if start == end == MISSING:
        start, end = None, None
    elif type(start) is not int or type(end) is not int or not 0 <= start <= end < 2**31 - 1:
        raise ValueError(f"span from {str(start)[:20]!r} to {str(end)[:20]!r} is none")
    elif length is not None:
        start, end = (start, min(end, length - 1)) if start < length else (None, None)
    severity = span.get("severity")
    category = span.get("error_type", span.get("category"))
    if isinstance(category, list):
        category = "/".join(map(str, category))
    for name in (severity, category):
        if not isinstance(name, str | None):
            raise ValueError(f"{str(name)[:80]!r} is no severity or category")
    return {
        "start": start,
        "end": None if end is None else end + 1,
        "severity": "neutral" if severity in _UNDECIDED else str(severity).lower(),
        "category": KNOWN_CATEGORIES.get(category.lower(), category) if category else None,
    }


def written_span(span: Mapping[str, Any]) -> dict[str, Any]:
    """A span of the score table as Pearmut writes it."""
    missing = span["start"] is None
    return {
        "start_i": MISSING if missing else span["start"],
        "end_i": MISSING if missing else span["end"] - 1,
        "severity": span["severity"],
        "category": CATEGORIES.get(span["category"], span["category"]),
    }
