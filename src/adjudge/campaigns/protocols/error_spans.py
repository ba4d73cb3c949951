"""Error spans: mark errors in an output with their severity, then score it from 0 to 100.

ESA (Kocmi et al. 2024): spans are minor or major, something left out is said beside the text,
and the score comes after the marks, by the same person. With the design's `error_categories` a
span also has a category of MQM (Freitag et al. 2021). A HIT is one system's run of segments, as
for direct assessment (`one_system`).

Stored as `{"spans": [{"start": 3, "end": 9, "severity": "major", "category": "grammar"}],
"score": 71}`: `start` and `end` count characters (Unicode code points) of the output, the end
exclusive. Something left out has no place (both null) and the category `omission`. Spans do not
overlap, and are stored in the order of the text, omissions last.
"""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import polars as pl
from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.protocol_kit.one_system import (
    HIGHEST,
    LOWEST,
    REFUSALS,
    about_as_high,
    checked_score,
    draw,
    so_far,
)
from adjudge.campaigns.protocol_kit.protocol import Payload, Protocol, Screen
from adjudge.data.mqm import CATEGORIES, OMISSION, SEVERITIES
from adjudge.data.score_table import SPAN

MOST_SPANS = 50
_FIELDS = {"start", "end", "severity", "category"}
_PAYLOAD = pl.Struct({"spans": pl.List(SPAN), "score": pl.Float64})


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Severities, and the categories of a span: none for ESA."""
    categories = [name for name in CATEGORIES if name != OMISSION]
    return {
        "severities": list(SEVERITIES),
        "categories": categories if design.error_categories == "mqm" else [],
        "most": MOST_SPANS,
    }


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate spans within the text without overlap, with severities, and a whole score."""
    spans = answer.get("spans")
    if set(answer) != {"spans", "score"} or not isinstance(spans, list):
        raise Refused("form", "an answer is a list of spans and a score; reload the page")
    if len(spans) > MOST_SPANS:
        raise Refused("many_spans", f"{len(spans)} marks; mark the worst {MOST_SPANS} errors")
    for span in spans:
        if not isinstance(span, dict) or set(span) != _FIELDS:
            raise Refused("form", f"a span is {', '.join(sorted(_FIELDS))}; reload the page")
        _check_place(span, len(screen.texts[0]))
        _check_kind(span, screen)
    placed = sorted((span for span in spans if span["start"] is not None), key=lambda s: s["start"])
    if any(after["start"] < before["end"] for before, after in pairwise(placed)):
        raise Refused("span", "two marks overlap; make them one")
    omitted = [span for span in spans if span["start"] is None]
    return {"spans": [*placed, *omitted], "score": checked_score(answer["score"])}


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_place(span: Payload, length: int) -> None:
    start, end = span["start"], span["end"]
    if start is None and end is None:
        return
    if not _whole(start) or not _whole(end) or not 0 <= start < end <= length:
        raise Refused("span", f"a mark from {start!r} to {end!r} lies outside the text")


def _check_kind(span: Payload, screen: Screen) -> None:
    if span["severity"] not in SEVERITIES:
        raise Refused("severity", f"an error is {' or '.join(SEVERITIES)}; choose one")
    known = screen.scale["categories"] or [None]
    allowed = [OMISSION] if span["start"] is None else known
    if span["category"] not in allowed:
        raise Refused(
            "category", f"{span['category']!r} is not a category of this mark; choose one"
        )


def rows(answers: pl.DataFrame) -> pl.DataFrame:
    """Rows of scores with marked errors, one per output."""
    said = pl.col("payload").str.json_decode(_PAYLOAD)
    return answers.with_columns(
        pl.col("shown").list.first().alias("output_key"),
        pl.lit(1).alias("position"),
        pl.lit(PROTOCOL.name).alias("scale"),
        said.struct.field("score"),
        said.struct.field("spans"),
    ).drop("shown", "payload")


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: worse outputs have more marked words and a lower score."""
    text = screen.texts[0]
    words, end_of_last = [], 0
    for word in text.split():
        end_of_last = text.index(word, end_of_last)
        words.append((end_of_last, end_of_last + len(word)))
        end_of_last += len(word)
    errors = min(len(words), max(0, round(1.5 - seen[0] + rng.uniform(-1, 1))), MOST_SPANS)
    spans = [
        {
            "start": start,
            "end": end,
            "severity": SEVERITIES[rng.random() < 0.5 - seen[0] / 5],
            "category": rng.choice(screen.scale["categories"] or [None]),
        }
        for start, end in sorted(rng.sample(words, errors))
    ]
    score = round(70 + 10 * seen[0] + rng.uniform(-5, 5))
    return {"spans": spans, "score": min(HIGHEST, max(LOWEST, score))}


def agrees(ours: Payload, given: Payload) -> bool:
    """Compare with ours: marks present or absent, and a score of similar height."""
    met = all(any(_touch(a, b) for b in given["spans"]) for a in ours["spans"])
    invented = bool(given["spans"]) and not ours["spans"]
    return met and not invented and about_as_high(ours, given)


def _touch(a: Payload, b: Payload) -> bool:
    if a["start"] is None or b["start"] is None:
        return bool(a["start"] == b["start"])
    return bool(a["start"] < b["end"] and b["start"] < a["end"])


PROTOCOL = Protocol(
    name="error-spans",
    summary="mark the errors in an output and how bad they are, then score it from 0 to 100",
    paper="ESA (Kocmi et al. 2024), MQM (Freitag et al. 2021)",
    kind="scores",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    agrees=agrees,
    alone={"so_far": []},
    hides=frozenset({"before"}),
    shows_reference=False,
    details=so_far,
    refusals={
        **REFUSALS,
        "span": _("A mark does not lie within the translation, or lies on another one."),
        "severity": _("A mark does not say how bad the error is."),
        "category": _("A mark does not say what kind of error it is."),
        "many_spans": _("There are too many marks."),
    },
    ends={"error-spans": (LOWEST, HIGHEST)},
)
