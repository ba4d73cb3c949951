"""Shared parts of protocols that score single outputs in document context.

A HIT is one system's translation of a run of consecutive segments, screen by screen, so that a
judge reads it as a text: above each output stand the segments before it with the same system's
outputs.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from django.utils.translation import gettext_lazy as _

from adjudge.campaigns.design import Design
from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Assignment, Output
from adjudge.campaigns.protocol_kit.protocol import Block, Passage, Payload
from adjudge.campaigns.protocol_kit.sampling import Candidate, Exposure, draw_block

LOWEST, HIGHEST = 0, 100
CLOSE = 15  # points: about as high
CONTEXT = 5  # segments before this one that are shown
REFUSALS = {
    "no_score": _("There is no score yet."),
    "score": _("A score is a whole number from 0 to 100."),
}


def checked_score(score: object) -> int:
    """Validate a whole score within the scale; otherwise raise `Refused`."""
    if score is None:
        raise Refused("no_score", f"there is no score; give one from {LOWEST} to {HIGHEST}")
    if not isinstance(score, int) or isinstance(score, bool) or not LOWEST <= score <= HIGHEST:
        raise Refused("score", f"{score!r} is not a whole score from {LOWEST} to {HIGHEST}")
    return score


def about_as_high(ours: Payload, given: Payload) -> bool:
    """Compare a practice score with ours, within a tolerance."""
    return bool(abs(ours["score"] - given["score"]) <= CLOSE)


def draw(
    passages: Sequence[Passage], design: Design, exposure: Exposure, rng: Random
) -> list[Block]:
    """Draw the outputs of one system for a run, according to the design's `balance`."""
    systems = {
        system for passage in passages for output in passage.outputs for system in output.systems
    }
    # A system stands for its outputs here, so its key takes their place.
    whole = [Candidate(system, (system,)) for system in sorted(systems)]
    return [
        Block(passage.segment, (output,))
        for drawn in draw_block(whole, 1, design.balance, exposure, rng)
        for passage in passages
        for output in passage.outputs
        if drawn.output in output.systems
    ]


def so_far(assignment: Assignment) -> dict[str, Any]:
    """Preceding segments of the document, with the same system's outputs."""
    item = assignment.item
    order = item.segment.order
    shown: dict[int, set[int]] = {}
    outputs = Output.objects.filter(items__hit=item.hit_id).values_list("pk", "systems")
    for output, system in outputs:
        shown.setdefault(output, set()).add(system)
    # Outputs of several systems are in the HIT as those of the one that all of it is by.
    drawn = min(set.intersection(*shown.values()))
    before = Output.objects.filter(
        systems=drawn,
        part=None,
        segment__document=item.segment.document_id,
        segment__order__range=(order - CONTEXT, order - 1),
    )
    pairs = before.order_by("segment__order").values_list("segment__source", "text")
    return {"so_far": [{"source": source, "text": text} for source, text in pairs]}
