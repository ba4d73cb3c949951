"""What a judge's browser may know of an item: texts, an order, and keys made for this screen.

No system, no control mark, no key of a stored row, nothing that is the same for two judges; and
no place in the HIT, for a HIT longer than others would tell that something was slipped in.
"""

from collections.abc import Sequence
from hashlib import blake2b

from adjudge.campaigns.models import Assignment, Campaign, Output, Part, Segment, System
from adjudge.campaigns.protocol_kit.protocol import Protocol, Screen, ShownCandidate, ShownPart
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.store.standing import standing

SCREEN = ("item__segment", "hit", "judge__campaign")  # what a screen needs of an assignment


def candidate_keys(assignment: Assignment) -> list[str]:
    """The name of each shown position, good for this assignment only."""
    return [
        blake2b(f"{assignment.key}/{position}".encode(), digest_size=6).hexdigest()
        for position in range(1, len(assignment.shown) + 1)
    ]


def screen_of(assignment: Assignment) -> Screen:
    """The screen for an assignment."""
    campaign = assignment.judge.campaign
    protocol = PROTOCOLS.named(assignment.hit.protocol)
    segment = assignment.item.segment
    outputs = _outputs(assignment)
    parts = list({output.part_id: output.part for output in outputs if output.part}.values())
    texts = {
        "source": segment.source,
        "reference": segment.reference if _shows_reference(campaign, protocol, outputs) else None,
        "before": _source(segment, segment.order - 1),
        "after": _source(segment, segment.order + 1),
    }
    last = standing(assignment.answers.all()).first()
    return Screen(
        key=assignment.key,
        protocol=protocol.name,
        scale=protocol.scale(len(outputs), campaign.design),
        parts=tuple(ShownPart(part.text, tuple(part.words)) for part in parts),
        candidates=tuple(
            _candidate(key, output, parts)
            for key, output in zip(candidate_keys(assignment), outputs, strict=True)
        ),
        details=protocol.details(assignment),
        source_language=campaign.source_language,
        target_language=campaign.target_language,
        given=last.payload if last is not None and not last.skipped else None,
        **{name: None if name in protocol.hides else text for name, text in texts.items()},
    )


def shows_reference(campaign: Campaign, protocol: Protocol) -> bool:
    """Do judges see the reference, as the campaign says or, without a word, as the protocol has it?

    Without a word, not where it may hide among the candidates: a screen without it would tell.
    """
    if campaign.show_reference is None:
        return protocol.shows_reference and campaign.design.reference == "off"
    return campaign.show_reference


def _shows_reference(campaign: Campaign, protocol: Protocol, outputs: Sequence[Output]) -> bool:
    """Never beside itself as a candidate, whatever the campaign says."""
    if not shows_reference(campaign, protocol):
        return False
    if campaign.design.reference == "off":
        return True
    shown = [output.pk for output in outputs]
    return not System.objects.filter(is_reference=True, outputs__in=shown).exists()


def _outputs(assignment: Assignment) -> list[Output]:
    """The outputs, in the order this judge sees them."""
    stored = Output.objects.select_related("part").in_bulk(assignment.shown)
    return [stored[output] for output in assignment.shown]


def _source(segment: Segment, order: int) -> str | None:
    """A neighbour in the same document."""
    same = Segment.objects.filter(document=segment.document_id, order=order)
    return same.values_list("source", flat=True).first()


def _candidate(key: str, output: Output, parts: list[Part]) -> ShownCandidate:
    part = parts.index(output.part) if output.part else None
    return ShownCandidate(key, output.text, part, output.sentence, output.start)
