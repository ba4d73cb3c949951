"""Making a campaign from a test set, whole or not at all."""

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement, groupby

from django.db import transaction

from adjudge.campaigns.batches import batches_from
from adjudge.campaigns.design import Design
from adjudge.campaigns.models import (
    Campaign,
    Document,
    Exposure,
    Output,
    Run,
    Segment,
    System,
)
from adjudge.errors import AdjudgeError
from adjudge.judgements.schema import is_reference
from adjudge.texts import TestSet

REFERENCE = "ref"
_ROWS = 500  # a statement


@transaction.atomic
def create_campaign(
    name: str,
    texts: TestSet,
    design: Design,
    *,
    protocols: Sequence[str] = ("ranking",),
    show_reference: bool | None = None,
    instructions: str = "",
    seed: int = 1,
) -> Campaign:
    """Store a campaign ready to be judged. The reference is shown unless told otherwise.

    One protocol, or several with the screens of a batch, such as `ranking:5` (`batches`).
    """
    systems = _systems(texts, design)
    batches = batches_from(protocols)
    check_name(name)
    campaign = Campaign.objects.create(
        name=name,
        source_language=texts.source_language,
        target_language=texts.target_language,
        batches=batches,
        design=design.to_json(),
        show_reference=texts.reference is not None if show_reference is None else show_reference,
        instructions=instructions,
        seed=seed,
    )
    stored = System.objects.bulk_create(
        System(campaign=campaign, name=system, is_reference=is_reference(system))
        for system in systems
    )
    Exposure.objects.bulk_create(
        Exposure(campaign=campaign, system=a, other=b)
        for a, b in combinations_with_replacement(stored, 2)
    )
    segments = _store_segments(campaign, texts, design.run)
    _store_outputs(segments, {system.name: system for system in stored}, systems)
    return campaign


def check_name(name: str) -> None:
    """Refuse a name that is none, or taken."""
    if not name.strip():
        raise AdjudgeError("a campaign needs a name; give one")
    if Campaign.objects.filter(name=name).exists():
        raise AdjudgeError(f"there is a campaign {name!r} already; choose another name")


def _systems(texts: TestSet, design: Design) -> dict[str, Sequence[str]]:
    """The outputs by system, with the reference as one more where the design says so."""
    systems: dict[str, Sequence[str]] = dict(texts.systems)
    for name in systems:
        if is_reference(name):
            raise AdjudgeError(
                f"system {name!r} would be taken for the reference; rename it, or leave it out "
                "and choose how often the reference appears"
            )
    if design.reference != "off":
        if texts.reference is None:
            raise AdjudgeError(
                f"the reference is to appear as a system ({design.reference}) but there is none; "
                "give it with --reference or turn it off with --set reference=off"
            )
        systems[REFERENCE] = texts.reference
    if len(systems) < 2:
        raise AdjudgeError(f"{len(systems)} system to compare; give at least two")
    return systems


def _store_segments(campaign: Campaign, texts: TestSet, length: int) -> list[Segment]:
    segments: list[Segment] = []
    orders = range(1, len(texts.source) + 1)
    references = texts.reference or (None,) * len(texts.source)
    by_document = groupby(orders, key=lambda order: texts.documents[order - 1])
    for place, (name, members) in enumerate(by_document, 1):
        document = Document.objects.create(campaign=campaign, name=name, order=place)
        for part in _runs(list(members), length):
            run = Run.objects.create(campaign=campaign)
            segments.extend(
                Segment(
                    campaign=campaign,
                    document=document,
                    run=run,
                    name=texts.names[order - 1],
                    order=order,
                    source=texts.source[order - 1],
                    reference=references[order - 1],
                )
                for order in part
            )
    return list(Segment.objects.bulk_create(segments, _ROWS))


def _runs(orders: Sequence[int], length: int) -> Iterable[Sequence[int]]:
    """Consecutive runs of `length`; the last of a document may be shorter."""
    return (orders[start : start + length] for start in range(0, len(orders), length))


def _store_outputs(
    segments: Sequence[Segment], stored: dict[str, System], systems: dict[str, Sequence[str]]
) -> None:
    """Each distinct text of a segment once, credited to every system that produced it."""
    outputs: list[Output] = []
    credits: list[list[System]] = []
    for segment in segments:
        by_text: dict[str, list[System]] = {}
        for name, texts in systems.items():
            by_text.setdefault(texts[segment.order - 1], []).append(stored[name])
        outputs.extend(Output(segment=segment, text=text) for text in by_text)
        credits.extend(by_text.values())
    outputs = list(Output.objects.bulk_create(outputs, _ROWS))
    credit = Output.systems.through
    credit.objects.bulk_create(
        (
            credit(output_id=output.pk, system_id=system.pk)
            for output, producers in zip(outputs, credits, strict=True)
            for system in producers
        ),
        _ROWS,
    )
