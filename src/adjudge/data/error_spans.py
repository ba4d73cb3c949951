"""Error spans as Appraise and Pearmut write them.

A span is an object with `start_i` and `end_i`, the first and the last character of the marked
text (a span of one character has both equal), or `"missing"` in both for text that the
translation lacks; with `severity`; and with a category, `error_type` in Appraise (a list from the
general to the particular), `category` in Pearmut. A severity that the annotator left undecided is
read as neutral, which weighs nothing.
"""

from collections.abc import Mapping
from typing import Any

from adjudge.data.mqm import KNOWN_CATEGORIES

MISSING = "missing"
_UNDECIDED = (None, "", "undecided")


def score_span(span: Any) -> dict[str, Any]:
    """A span as the score table holds it; raises `ValueError` with what is wrong with it."""
    if not isinstance(span, Mapping):
        raise ValueError(f"span {str(span)[:80]!r} is no object")
    start, end = span.get("start_i"), span.get("end_i")
    if start == end == MISSING:
        start, end = None, None
    elif type(start) is not int or type(end) is not int or not 0 <= start <= end < 2**31 - 1:
        raise ValueError(f"span from {str(start)[:20]!r} to {str(end)[:20]!r} is none")
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


def score_spans(spans: Any) -> list[dict[str, Any]]:
    """A list of spans as the score table holds them; `ValueError` says what is wrong."""
    if not isinstance(spans, list):
        raise ValueError(f"{str(spans)[:80]!r} is no list of spans")
    return [score_span(span) for span in spans]
