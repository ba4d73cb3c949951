"""Blind editing: correct an output without its source or reference, or give it up.

WMT13 §4, Bojar 2011 §4.1. The editor sees one output and, as context, what the same system made
of the segment before and after it in the document; guessing is welcome. A HIT is one system's
outputs of a run, so that the context is what the editor corrects next. Stored as
`{"edit": text, "incomprehensible": false}`, the text null where the output was given up.
Somebody else judges the edit under `review`.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Assignment, Output
from adjudge.campaigns.protocol_kit.edited_text import REFUSALS, edited_text, reworded, rows
from adjudge.campaigns.protocol_kit.one_system import draw
from adjudge.campaigns.protocol_kit.protocol import Payload, Protocol, Screen


def scale(candidates: int, design: Design) -> dict[str, Any]:
    """Return an empty scale."""
    return {}


def check(answer: Payload, screen: Screen) -> dict[str, Any]:
    """Validate a text or the mark of an incomprehensible output."""
    given_up = answer.get("incomprehensible")
    if set(answer) != {"edit", "incomprehensible"} or not isinstance(given_up, bool):
        raise Refused("form", "an answer is an edit or the mark incomprehensible; reload the page")
    text = edited_text(answer["edit"])
    if given_up and text:
        raise Refused("form", "an output is either edited or incomprehensible; reload the page")
    if not given_up and not text:
        raise Refused("empty", "the edit is empty; write it, or mark it as incomprehensible")
    return {"edit": text or None, "incomprehensible": given_up}


def neighbours(assignment: Assignment) -> dict[str, Any]:
    """Same system's outputs for the segments before and after, in this document."""
    segment = assignment.item.segment
    nearby = Output.objects.filter(
        segment__document=segment.document_id,
        segment__order__in=(segment.order - 1, segment.order + 1),
        part=None,
        systems__outputs=assignment.shown[0],
    )
    # Several systems made this output: the context is of one of them, always the same.
    texts = dict(nearby.order_by("-systems").values_list("segment__order", "text"))
    return {"before": texts.get(segment.order - 1), "after": texts.get(segment.order + 1)}


def simulated(screen: Screen, seen: Sequence[float], rng: Random) -> dict[str, Any]:
    """Simulate an answer: bad outputs are incomprehensible, good ones stay unchanged."""
    if seen[0] < -2:
        return {"edit": None, "incomprehensible": True}
    text = screen.texts[0]
    return {
        "edit": text if seen[0] > 1 else reworded(text.split(), rng),
        "incomprehensible": False,
    }


def agrees(ours: Payload, given: Payload) -> bool | None:
    """Compare marks or equal texts; two different texts cannot be compared."""
    if ours["incomprehensible"] != given["incomprehensible"]:
        return False
    return True if ours["edit"] == given["edit"] else None


def says(payload: Payload, screen: Screen) -> object:
    """Edit, or the fact that nothing was changed."""
    return "unchanged" if payload["edit"] == edited_text(screen.texts[0]) else payload


PROTOCOL = Protocol(
    name="blind-edit",
    summary="correct an output without seeing the source, or say that it makes no sense",
    paper="WMT13 §4, Bojar 2011 §4.1",
    kind="edits",
    draw=draw,
    scale=scale,
    check=check,
    rows=rows,
    simulated=simulated,
    hides=frozenset({"source", "reference", "before", "after"}),
    details=neighbours,
    alone={"before": None, "after": None},
    agrees=agrees,
    says=says,
    refusals=REFUSALS,
)
