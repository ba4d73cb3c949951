"""Making a campaign from a test set, whole or not at all."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, groupby

from django.db import transaction

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import (
    Campaign,
    Document,
    Exposure,
    Output,
    Part,
    Run,
    Segment,
    System,
    secret_seed,
)
from adjudge.campaigns.protocols import PROTOCOLS, Protocol
from adjudge.campaigns.setup.batches import batches_from
from adjudge.campaigns.setup.empty_outputs import refuse_empty
from adjudge.campaigns.setup.tutorial import NO_TUTORIAL, Tutorial, check_tutorial
from adjudge.errors import AdjudgeError
from adjudge.judgements.judgement_table import is_reference
from adjudge.texts import PartOutput, TestSet

REFERENCE = "ref"
_Credited = tuple[Output, Sequence[str]]  # and the names of the systems that produced it
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
    contact: str = "",
    tutorial: Tutorial = NO_TUTORIAL,
    seed: int | None = None,
    allow_empty: bool = False,
) -> Campaign:
    """Store a campaign ready to be judged. Unless told, the reference is shown as each protocol
    has it, and not at all where it may be one of the candidates.

    One protocol, or several with the screens of a batch, such as `ranking:5` (`batches`). Without
    a reference none is shown or judged, whatever the design says, and the design stored says so.
    What judges are shown follows from the seed: a secret one, unless the campaign is simulated
    and has to come out the same again. Empty outputs are refused unless `allow_empty`.
    """
    if texts.reference is None:
        design = replace(design, reference="off")
    batches = batches_from(protocols)
    outputs = judged_outputs(texts, design, [PROTOCOLS.named(protocol) for protocol, _ in batches])
    if not allow_empty:
        refuse_empty(outputs, texts)
    names = _systems(texts, outputs)
    check_name(name)
    check_tutorial(tutorial, [protocol for protocol, _ in batches], design)
    campaign = Campaign.objects.create(
        name=name,
        source_language=texts.source_language,
        target_language=texts.target_language,
        batches=batches,
        design_values=design.to_json(),
        show_reference=show_reference,
        instructions=instructions,
        contact=contact,
        tutorial=list(tutorial.items),
        seed=secret_seed() if seed is None else seed,
    )
    stored = System.objects.bulk_create(
        System(campaign=campaign, name=system, is_reference=is_reference(system))
        for system in names
    )
    Exposure.objects.bulk_create(
        Exposure(campaign=campaign, system=a, other=b)
        for a, b in combinations_with_replacement(stored, 2)
    )
    store_texts(campaign, texts)
    return campaign


def store_texts(campaign: Campaign, texts: TestSet) -> None:
    """Store segments after those that are there, and what the campaign's systems made of them."""
    asked = [PROTOCOLS.named(name) for name in campaign.protocols]
    outputs = judged_outputs(texts, campaign.design, asked)
    segments = _store_segments(campaign, texts, campaign.design.run)
    by_name = {system.name: system for system in campaign.systems.all()}
    _store_outputs([*_whole(segments, outputs), *_of_parts(segments, texts)], by_name)


def check_name(name: str) -> None:
    """Refuse a name that is none, or taken."""
    if not name.strip():
        raise AdjudgeError("a campaign needs a name; give one")
    if Campaign.objects.filter(name=name).exists():
        raise AdjudgeError(f"there is a campaign {name!r} already; choose another name")


def judged_outputs(
    texts: TestSet, design: Design, asked: Sequence[Protocol]
) -> Mapping[str, Sequence[str]]:
    """The whole outputs by system, with the reference as one more where the design says so;
    none where judges meet parts only."""
    for protocol in asked:
        if protocol.needs_parts and not texts.parts:
            raise AdjudgeError(
                f"protocol {protocol.name} asks about phrases and there are none; give them with "
                "`segments`"
            )
    if all(protocol.needs_parts for protocol in asked):
        return {}
    systems: dict[str, Sequence[str]] = dict(texts.systems)
    if design.reference != "off" and texts.reference is not None:
        systems[REFERENCE] = texts.reference
    if len(systems) < 2:
        raise AdjudgeError(f"{len(systems)} system to compare; give at least two")
    return systems


def _systems(texts: TestSet, outputs: Mapping[str, Sequence[str]]) -> list[str]:
    """All systems there are, by name."""
    of_parts = {system for output in _part_outputs(texts) for system in output.systems}
    for name in (*texts.systems, *of_parts):
        if is_reference(name):
            raise AdjudgeError(
                f"system {name!r} would be taken for the reference; rename it, or leave it out "
                "and choose how often the reference appears"
            )
    return list(dict.fromkeys([*texts.systems, *outputs, *sorted(of_parts)]))


def _part_outputs(texts: TestSet) -> Iterator[PartOutput]:
    return (output for parts in texts.parts for part in parts for output in part.outputs)


def _store_segments(campaign: Campaign, texts: TestSet, length: int) -> list[Segment]:
    segments: list[Segment] = []
    before, documents = campaign.segments.count(), campaign.documents.count()
    orders = range(1, len(texts.source) + 1)
    references = texts.reference or (None,) * len(texts.source)
    by_document = groupby(orders, key=lambda order: texts.documents[order - 1])
    for place, (name, members) in enumerate(by_document, documents + 1):
        document = Document.objects.create(campaign=campaign, name=name, order=place)
        for part in _runs(list(members), length):
            run = Run.objects.create(campaign=campaign)
            segments.extend(
                Segment(
                    campaign=campaign,
                    document=document,
                    run=run,
                    name=texts.names[order - 1],
                    order=before + order,
                    source=texts.source[order - 1],
                    reference=references[order - 1],
                )
                for order in part
            )
    return list(Segment.objects.bulk_create(segments, _ROWS))


def _runs(orders: Sequence[int], length: int) -> Iterable[Sequence[int]]:
    """Consecutive runs of `length`; the last of a document may be shorter."""
    return (orders[start : start + length] for start in range(0, len(orders), length))


def _whole(
    segments: Sequence[Segment], systems: Mapping[str, Sequence[str]]
) -> Iterator[_Credited]:
    """Each distinct text of a segment once, credited to every system that produced it."""
    for place, segment in enumerate(segments):
        by_text: dict[str, list[str]] = {}
        for name, texts in systems.items():
            by_text.setdefault(texts[place], []).append(name)
        for text, names in by_text.items():
            yield Output(segment=segment, text=text), names


def _of_parts(segments: Sequence[Segment], texts: TestSet) -> Iterator[_Credited]:
    """The candidates of each part, once the parts are stored."""
    given = [
        (segment, order, part)
        for place, segment in enumerate(segments)
        for order, part in enumerate(texts.parts[place] if texts.parts else (), 1)
    ]
    stored = Part.objects.bulk_create(
        (
            Part(segment=segment, order=order, words=list(part.words), text=part.text)
            for segment, order, part in given
        ),
        _ROWS,
    )
    for part, (segment, _, phrase) in zip(stored, given, strict=True):
        for output in phrase.outputs:
            yield (
                Output(
                    segment=segment,
                    part=part,
                    text=output.text,
                    sentence=output.sentence,
                    start=output.start,
                ),
                output.systems,
            )


def _store_outputs(credited: Sequence[_Credited], systems: Mapping[str, System]) -> None:
    outputs = Output.objects.bulk_create((output for output, _ in credited), _ROWS)
    credit = Output.systems.through
    credit.objects.bulk_create(
        (
            credit(output_id=output.pk, system_id=systems[name].pk)
            for output, (_, names) in zip(outputs, credited, strict=True)
            for name in names
        ),
        _ROWS,
    )
