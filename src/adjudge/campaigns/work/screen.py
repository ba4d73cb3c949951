"""Screens as sent to a judge's browser: texts, their order, and keys of this screen only.

They contain no system, no control mark, no key of a stored row, nothing that is the same for two
judges; and no position in the HIT, since an unusually long HIT would reveal an insertion.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b

from adjudge.campaigns.models import Answer, Assignment, Campaign, Output, Part, Segment, System
from adjudge.campaigns.protocol_kit.protocol import Protocol, Screen, ShownCandidate, ShownPart
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.store.queries import standing

SCREEN = ("item__segment", "hit", "judge__campaign")  # what a screen needs of an assignment


def candidate_keys(assignment: Assignment) -> list[str]:
    """Key of each shown position, valid for this assignment only."""
    return [
        blake2b(f"{assignment.key}/{position}".encode(), digest_size=6).hexdigest()
        for position in range(1, len(assignment.shown) + 1)
    ]


def screen_of(assignment: Assignment) -> Screen:
    """Screen of an assignment."""
    return screens_of([assignment])[0]


def screens_of(assignments: Sequence[Assignment]) -> list[Screen]:
    """Screens of a judge's assignments, with all data read at once."""
    if not assignments:
        return []
    keys = {output for assignment in assignments for output in assignment.shown}
    stored = Output.objects.select_related("part").in_bulk(keys)
    sources = _sources([assignment.item.segment for assignment in assignments])
    given = standing(Answer.objects.filter(assignment__in=assignments))
    answers = {answer.assignment_id: answer for answer in given}
    with_reference = _with_reference(assignments)
    return [
        _screen(
            assignment,
            [stored[output] for output in assignment.shown],
            sources,
            answers.get(assignment.pk),
            assignment.pk in with_reference,
        )
        for assignment in assignments
    ]


def _screen(
    assignment: Assignment,
    outputs: list[Output],
    sources: Mapping[tuple[int, int], str],
    last: Answer | None,
    with_reference: bool,
) -> Screen:
    campaign = assignment.judge.campaign
    protocol = PROTOCOLS.named(assignment.hit.protocol)
    segment = assignment.item.segment
    parts = list({output.part_id: output.part for output in outputs if output.part}.values())
    texts = {
        "source": segment.source,
        "reference": segment.reference if with_reference else None,
        "before": sources.get((segment.document_id, segment.order - 1)),
        "after": sources.get((segment.document_id, segment.order + 1)),
    }
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
    """Test whether judges see the reference, by the campaign's setting or the protocol's default.

    By default it is not shown if it may hide among the candidates: a screen without it would reveal
    it.
    """
    if campaign.show_reference is None:
        return protocol.shows_reference and campaign.design.reference == "off"
    return campaign.show_reference


def _with_reference(assignments: Sequence[Assignment]) -> set[int]:
    """Assignments whose screens show the reference: never beside itself as a candidate, whatever
    the setting.
    """
    shown = {
        assignment.pk: assignment
        for assignment in assignments
        if shows_reference(assignment.judge.campaign, PROTOCOLS.named(assignment.hit.protocol))
    }
    if not shown or assignments[0].judge.campaign.design.reference == "off":
        return set(shown)
    keys = {output for assignment in shown.values() for output in assignment.shown}
    references = System.objects.filter(is_reference=True, outputs__in=keys)
    hidden = set(references.values_list("outputs", flat=True))
    return {key for key, assignment in shown.items() if hidden.isdisjoint(assignment.shown)}


def _sources(segments: Sequence[Segment]) -> dict[tuple[int, int], str]:
    """Sources around these segments, by document and position."""
    around = Segment.objects.filter(
        document__in={segment.document_id for segment in segments},
        order__in={segment.order + step for segment in segments for step in (-1, 1)},
    )
    rows = around.values_list("document", "order", "source")
    return {(document, order): source for document, order, source in rows}


def _candidate(key: str, output: Output, parts: list[Part]) -> ShownCandidate:
    part = parts.index(output.part) if output.part else None
    return ShownCandidate(key, output.text, part, output.sentence, output.start)
