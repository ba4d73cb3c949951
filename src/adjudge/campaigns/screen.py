"""What a judge's browser may know of an item: texts, an order, and keys made for this screen.

No system, no control mark, no key of a stored row, nothing that is the same for two judges; and
no place in the HIT, for a HIT longer than others would tell that something was slipped in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from adjudge.campaigns.models import Assignment, Output, Segment
from adjudge.campaigns.protocols import protocol_named


@dataclass(frozen=True)
class ShownCandidate:
    """An output as a judge sees it."""

    key: str
    text: str


@dataclass(frozen=True)
class Screen:
    """An item as a judge sees it."""

    key: str  # of the assignment
    protocol: str
    scale: Mapping[str, Any]
    source: str
    reference: str | None
    before: str | None  # the source segment before this one in its document
    after: str | None
    candidates: tuple[ShownCandidate, ...]
    source_language: str
    target_language: str
    given: Mapping[str, Any] | None  # what the judge said before, when they come back to it


def candidate_keys(assignment: Assignment) -> list[str]:
    """The name of each shown position, good for this assignment only."""
    return [
        blake2b(f"{assignment.key}/{position}".encode(), digest_size=6).hexdigest()
        for position in range(1, len(assignment.shown) + 1)
    ]


def texts_shown(assignment: Assignment) -> list[str]:
    """The outputs, in the order this judge sees them."""
    texts = dict(Output.objects.filter(pk__in=assignment.shown).values_list("pk", "text"))
    return [texts[output] for output in assignment.shown]


def screen_of(assignment: Assignment) -> Screen:
    """The screen for an assignment."""
    campaign = assignment.judge.campaign
    segment = assignment.item.segment
    neighbours = dict(
        Segment.objects.filter(
            document=segment.document_id, order__in=(segment.order - 1, segment.order + 1)
        ).values_list("order", "source")
    )
    last = assignment.answers.order_by("-revision").first()
    return Screen(
        key=assignment.key,
        protocol=campaign.protocol,
        scale=protocol_named(campaign.protocol).scale(len(assignment.shown)),
        source=segment.source,
        reference=segment.reference if campaign.show_reference else None,
        before=neighbours.get(segment.order - 1),
        after=neighbours.get(segment.order + 1),
        candidates=tuple(
            ShownCandidate(key, text)
            for key, text in zip(candidate_keys(assignment), texts_shown(assignment), strict=True)
        ),
        source_language=campaign.source_language,
        target_language=campaign.target_language,
        given=last.payload if last is not None and not last.skipped else None,
    )
