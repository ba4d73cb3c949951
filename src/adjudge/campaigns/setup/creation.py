"""Creation of a campaign from a test set, atomic as seen by others.

It is stored in steps, so that judges of other campaigns are served meanwhile, and becomes visible
when complete (`store.unfinished`).
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, groupby, islice
from typing import Any, TypeVar

from django.db import models, transaction

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
from adjudge.campaigns.store.unfinished import Making, making
from adjudge.core.errors import AdjudgeError
from adjudge.data.judgement_table import is_reference
from adjudge.text.testset import PartOutput, TestSet

REFERENCE = "ref"
Finish = Callable[[Campaign], object]
_Credited = tuple[Output, Sequence[str]]  # and the names of the systems that produced it
_Row = TypeVar("_Row", bound=models.Model)
ROWS = 500  # a statement


def create_campaign(
    name: str,
    texts: TestSet,
    design: Design,
    *,
    finish: Finish = lambda campaign: None,
    **told: Any,
) -> Campaign:
    """Create a campaign ready to be judged; `told` is as in `store_campaign`.

    `finish` is called in the transaction that makes the campaign visible.
    """
    check_name(name)
    with making() as made:
        campaign = store_campaign(made, texts, design, **told)
        with transaction.atomic():
            made.show(campaign, name)
            finish(campaign)
    return campaign


def store_campaign(
    made: Making,
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
    """Store a campaign that is still hidden. By default the reference is shown according to each
    protocol, and never if it may be one of the candidates.

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
    check_tutorial(tutorial, [protocol for protocol, _ in batches], design)
    campaign = made.new(
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

    def work() -> Iterator[None]:
        systems = System.objects.bulk_create(
            System(campaign=campaign, name=system, is_reference=is_reference(system))
            for system in names
        )
        Exposure.objects.bulk_create(
            Exposure(campaign=campaign, system=a, other=b)
            for a, b in combinations_with_replacement(systems, 2)
        )
        yield
        yield from store_texts(campaign, texts, systems)

    made.in_steps(work())
    return campaign


def store_texts(campaign: Campaign, texts: TestSet, systems: Sequence[System]) -> Iterator[None]:
    """Store segments and system outputs of a campaign, statement by statement."""
    asked = [PROTOCOLS.named(name) for name in campaign.protocols]
    outputs = judged_outputs(texts, campaign.design, asked)
    segments = yield from _store_segments(campaign, texts, campaign.design.run)
    parts = yield from _store_parts(segments, texts)
    by_name = {system.name: system for system in systems}
    for credited in (_whole(segments, outputs), _of_parts(parts)):
        yield from store_outputs(credited, by_name)


def check_name(name: str) -> None:
    """Refuse an invalid or existing name."""
    if not name.strip():
        raise AdjudgeError("a campaign needs a name; give one")
    if Campaign.objects.filter(name=name).exists():
        raise AdjudgeError(f"there is a campaign {name!r} already; choose another name")


def judged_outputs(
    texts: TestSet, design: Design, asked: Sequence[Protocol]
) -> Mapping[str, Sequence[str]]:
    """Whole outputs by system, including the reference if the design asks for it; empty if judges
    see parts only.
    """
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
    """All systems, by name."""
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


def _store_segments(
    campaign: Campaign, texts: TestSet, length: int
) -> Generator[None, None, list[Segment]]:
    segments: list[Segment] = []
    orders = range(1, len(texts.source) + 1)
    references = texts.reference or (None,) * len(texts.source)
    by_document = groupby(orders, key=lambda order: texts.documents[order - 1])
    for place, (name, members) in enumerate(by_document, 1):
        document = Document.objects.create(campaign=campaign, name=name, order=place)
        for part in _runs(list(members), length):
            run = Run.objects.create(campaign=campaign)
            yield
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
    yield from store_rows(Segment, segments)
    return segments


def store_rows(model: type[_Row], rows: Iterable[_Row]) -> Iterator[None]:
    """Store rows in batches."""
    left = iter(rows)
    while portion := list(islice(left, ROWS)):
        model._default_manager.bulk_create(portion)
        yield


def _runs(orders: Sequence[int], length: int) -> Iterable[Sequence[int]]:
    """Split into consecutive runs of `length`; the last run of a document may be shorter."""
    return (orders[start : start + length] for start in range(0, len(orders), length))


def _whole(
    segments: Sequence[Segment], systems: Mapping[str, Sequence[str]]
) -> Iterator[_Credited]:
    """Distinct texts of each segment, credited to the systems that produced them."""
    for place, segment in enumerate(segments):
        by_text: dict[str, list[str]] = {}
        for name, texts in systems.items():
            by_text.setdefault(texts[place], []).append(name)
        for text, names in by_text.items():
            yield Output(segment=segment, text=text), names


def _store_parts(
    segments: Sequence[Segment], texts: TestSet
) -> Generator[None, None, list[tuple[Part, Sequence[PartOutput]]]]:
    """Store the parts of segments with their candidates."""
    given: list[tuple[Part, Sequence[PartOutput]]] = [
        (Part(segment=segment, order=order, words=list(part.words), text=part.text), part.outputs)
        for place, segment in enumerate(segments)
        for order, part in enumerate(texts.parts[place] if texts.parts else (), 1)
    ]
    yield from store_rows(Part, (part for part, _ in given))
    return given


def _of_parts(parts: Iterable[tuple[Part, Sequence[PartOutput]]]) -> Iterator[_Credited]:
    """Candidates of each part."""
    for part, outputs in parts:
        for output in outputs:
            yield (
                Output(
                    segment_id=part.segment_id,
                    part=part,
                    text=output.text,
                    sentence=output.sentence,
                    start=output.start,
                ),
                output.systems,
            )


def store_outputs(credited: Iterable[_Credited], systems: Mapping[str, System]) -> Iterator[None]:
    """Store outputs and their systems."""
    credit, left = Output.systems.through, iter(credited)
    while portion := list(islice(left, ROWS)):
        Output.objects.bulk_create(output for output, _ in portion)
        yield from store_rows(
            credit,
            (
                credit(output_id=output.pk, system_id=systems[name].pk)
                for output, names in portion
                for name in names
            ),
        )
