"""Drawing HITs and giving them to judges. Called with the campaign's row locked."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from django.db.models import F, QuerySet

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import (
    Answer,
    Assignment,
    Campaign,
    Exposure,
    Hit,
    Item,
    Judge,
    Output,
    Run,
    Segment,
    System,
)
from adjudge.campaigns.protocol_kit.protocol import Block, Finished, Passage
from adjudge.campaigns.protocol_kit.sampling import Candidate, Pair, pairs_shown
from adjudge.campaigns.protocol_kit.sampling import Exposure as Shown
from adjudge.campaigns.protocols import PROTOCOLS, Protocol
from adjudge.campaigns.store.standing import standing
from adjudge.campaigns.work.adaptive import needs_of
from adjudge.campaigns.work.asking import Asking


def exposure_of(campaign: Campaign, design: Design) -> Shown:
    """What was shown so far, and how much each system and pair should be."""
    shown = Exposure.objects.filter(campaign=campaign).values_list("system", "other", "shown")
    weights = {}
    if design.reference == "rarer":
        references = System.objects.filter(campaign=campaign, is_reference=True)
        weights = dict.fromkeys(references.values_list("pk", flat=True), design.reference_rate)
    return Shown(Counter({(a, b): n for a, b, n in shown}), weights, needs_of(campaign))


def draw_hit(ask: Asking, kind: str) -> Hit | None:
    """A new HIT from one of the least drawn runs this judge has not met, or, where answers are
    judged, that have some; None if there is none."""
    protocol = PROTOCOLS.named(ask.protocol)
    answers = _answers_to_judge(ask, protocol) if protocol.follows else {}
    waiting = {
        answer.assignment.item.segment.run_id
        for of_segment in answers.values()
        for answer in of_segment
    }
    rows = Run.objects.filter(campaign=ask.campaign).order_by("pk").values_list("drawn", "pk")
    runs = [
        (drawn, ask.rng.random(), run)
        for drawn, run in rows
        if (run in waiting if protocol.follows else run not in ask.seen)
    ]
    shown = exposure_of(ask.campaign, ask.design)
    for _, _, run in sorted(runs):
        blocks = protocol.draw(_passages(ask, run, answers), ask.design, shown, ask.rng)
        if blocks:
            Run.objects.filter(pk=run).update(drawn=F("drawn") + 1)
            hit = Hit.objects.create(
                campaign=ask.campaign, run_id=run, protocol=protocol.name, kind=kind
            )
            _store_items(hit, blocks)
            return hit
    return None


def _passages(ask: Asking, run: int, answers: Mapping[int, Sequence[Answer]]) -> list[Passage]:
    """The segments of a run with what this judge may judge of them."""
    outputs: dict[int, dict[int, Candidate]] = defaultdict(dict)
    parts: dict[int, dict[int, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for segment, part, candidate in _candidates(Output.objects.filter(segment__run=run)):
        if ask.own.intersection(candidate.systems):
            continue
        if part is None:
            outputs[segment][candidate.output] = candidate
        else:
            parts[segment][part].append(candidate)
    return [
        Passage(
            segment.pk,
            segment.words,
            tuple(outputs[segment.pk].values()),
            tuple(tuple(candidates) for _, candidates in sorted(parts[segment.pk].items())),
            _finished(answers.get(segment.pk, ()), outputs[segment.pk]),
        )
        for segment in Segment.objects.filter(run=run).order_by("order")
    ]


def _candidates(outputs: QuerySet[Output]) -> Iterator[tuple[int, int | None, Candidate]]:
    """Outputs with their segment, the place of their part and the systems that produced them."""
    rows = outputs.order_by("pk").values_list("segment", "part__order", "pk", "systems")
    for (segment, part, output), credits in groupby(rows, key=lambda row: row[:3]):
        yield segment, part, Candidate(output, tuple(row[3] for row in credits if row[3]))


def _answers_to_judge(ask: Asking, protocol: Protocol) -> dict[int, list[Answer]]:
    """Others' finished answers under the protocol that this one follows, by segment.

    As they stand now, and only those that nobody was asked about yet.
    """
    finished = Answer.objects.filter(
        assignment__hit__campaign=ask.campaign,
        assignment__hit__protocol=protocol.follows,
        assignment__state=Assignment.State.ANSWERED,
        items=None,
    )
    others = (
        standing(finished)
        .exclude(assignment__judge=ask.judge)
        .exclude(assignment__judge__state=Judge.State.EXCLUDED)
    )
    waiting = defaultdict(list)
    for answer in others.order_by("pk").select_related("assignment__item__segment"):
        if protocol.takes(answer.payload):
            waiting[answer.assignment.item.segment_id].append(answer)
    return dict(waiting)


def _finished(answers: Sequence[Answer], outputs: Mapping[int, Candidate]) -> tuple[Finished, ...]:
    """The answers of a segment whose output this judge may see."""
    return tuple(
        Finished(answer.pk, outputs[answer.assignment.shown[0]], answer.payload)
        for answer in answers
        if answer.assignment.shown[0] in outputs
    )


def _store_items(hit: Hit, blocks: Sequence[Block]) -> None:
    items = Item.objects.bulk_create(
        Item(hit=hit, segment_id=block.segment, about_id=block.about, place=place)
        for place, block in enumerate(blocks, 1)
    )
    shows = Item.outputs.through
    shows.objects.bulk_create(
        shows(item_id=item.pk, output_id=candidate.output)
        for item, block in zip(items, blocks, strict=True)
        for candidate in block.candidates
    )


def repeat_hit(hit: Hit) -> Hit:
    """The same blocks once more, for the same judge."""
    again = Hit.objects.create(
        campaign_id=hit.campaign_id,
        run_id=hit.run_id,
        protocol=hit.protocol,
        kind=Hit.Kind.REPEAT,
        repeat_of=hit,
    )
    items = list(hit.items.order_by("place"))
    shown = _blocks(items)
    _store_items(again, [Block(i.segment_id, tuple(shown[i.pk]), i.about_id) for i in items])
    return again


def give(ask: Asking, hit: Hit, items: Sequence[Item]) -> list[Assignment]:
    """Assign items to the judge as one HIT, each with its outputs in an order of its own."""
    blocks = _blocks(items)
    part = dict(
        Output.objects.filter(items__in=items, part__isnull=False).values_list("pk", "part__order")
    )
    order = {item: [candidate.output for candidate in block] for item, block in blocks.items()}
    for item in items:
        ask.rng.shuffle(order[item.pk])
        order[item.pk].sort(key=lambda output: part.get(output, 0))  # parts stay together
    assignments = Assignment.objects.bulk_create(
        Assignment(
            judge=ask.judge,
            item=item,
            hit=hit,
            place=place,
            key=secrets.token_urlsafe(16),
            shown=order[item.pk],
            version=ask.campaign.version,
            assigned=ask.now,
        )
        for place, item in enumerate(items, 1)
    )
    hit.holder = ask.judge if hit.kind == Hit.Kind.EXCLUSIVE else None
    hit.given += 1
    hit.save(update_fields=["holder", "given"])
    _count(ask.campaign, list(blocks.values()), 1)
    return list(assignments)


def count_shown(campaign: Campaign, items: Sequence[Item], times: int) -> None:
    """Count what these items show: +1 for each time they were given, −1 when taken back."""
    blocks = _blocks(items)
    _count(campaign, [blocks[item.pk] for item in items], times)


def _blocks(items: Sequence[Item]) -> dict[int, list[Candidate]]:
    """The outputs of items, in a stable order."""
    systems: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    shows = Item.outputs.through.objects.filter(item__in=items).order_by("pk")
    for item, output, system in shows.values_list("item", "output", "output__systems"):
        systems[item][output] += [system] if system else []  # of a part, perhaps nobody's
    return {
        item: [Candidate(output, tuple(producers)) for output, producers in block.items()]
        for item, block in systems.items()
    }


def _count(campaign: Campaign, blocks: Sequence[Sequence[Candidate]], times: int) -> None:
    total: Counter[Pair] = Counter()
    for block in blocks:
        total.update(pairs_shown(block))
    by_number = defaultdict(list)
    stored = Exposure.objects.filter(campaign=campaign).values_list("pk", "system", "other")
    for pk, system, other in stored:
        by_number[total[system, other]].append(pk)
    for number, keys in by_number.items():
        if number:
            Exposure.objects.filter(pk__in=keys).update(shown=F("shown") + times * number)
