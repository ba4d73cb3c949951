"""Drawing of HITs for judges, with the campaign's row locked."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from django.db.models import QuerySet

from adjudge.campaigns.models import (
    Answer,
    Assignment,
    Campaign,
    Hit,
    Item,
    Judge,
    Output,
    Segment,
)
from adjudge.campaigns.protocol_kit.protocol import Block, Finished, Passage
from adjudge.campaigns.protocol_kit.sampling import Candidate, Pair, pairs_shown
from adjudge.campaigns.protocols import PROTOCOLS, Protocol
from adjudge.campaigns.store.queries import standing
from adjudge.campaigns.work.assign_hit import Drawn, add_exposures, stored_exposures
from adjudge.campaigns.work.next_hit import Asking

DONE = (Assignment.State.ANSWERED, Assignment.State.SKIPPED)


def draw_hit(ask: Asking, kind: str) -> Drawn | None:
    """Draw a new HIT from one of the least drawn runs this judge has not met; for reviews, from
    runs with finished answers. None if there is none.
    """
    protocol = PROTOCOLS.named(ask.protocol)
    waiting = set[int]()
    if protocol.follows:
        waiting.update(
            _answers_to_judge(ask, protocol).values_list(
                "assignment__item__segment__run", flat=True
            )
        )
    runs = [
        (drawn, ask.rng.random(), run)
        for run, drawn in ask.giving.runs.items()
        if (run in waiting if protocol.follows else run not in ask.seen)
    ]
    exposure = ask.giving.exposure()
    for _, _, run in sorted(runs):
        segments = list(Segment.objects.filter(run=run).order_by("order"))
        answers = _answers_of_run(ask, protocol, run) if protocol.follows else {}
        passages = _passages(ask, run, segments, answers)
        blocks = protocol.draw(passages, ask.design, exposure, ask.rng)
        if blocks:
            ask.giving.draw_from(run)
            hit = Hit(campaign=ask.campaign, run_id=run, protocol=protocol.name, kind=kind)
            return _new(hit, blocks, segments)
    return None


def _new(hit: Hit, blocks: Sequence[Block], segments: Sequence[Segment]) -> Drawn:
    """Build a HIT with its items, unsaved."""
    by_key = {segment.pk: segment for segment in segments}
    items = [
        Item(hit=hit, segment=by_key[block.segment], about_id=block.about, place=place)
        for place, block in enumerate(blocks, 1)
    ]
    return Drawn(hit, items, [block.candidates for block in blocks])


def _passages(
    ask: Asking, run: int, segments: Sequence[Segment], answers: Mapping[int, Sequence[Answer]]
) -> list[Passage]:
    """Segments of a run with the outputs that this judge may judge."""
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
        for segment in segments
    ]


def _candidates(outputs: QuerySet[Output]) -> Iterator[tuple[int, int | None, Candidate]]:
    """Outputs with their segment, the index of their part and their systems."""
    rows = outputs.order_by("pk").values_list("segment", "part__order", "pk", "systems")
    for (segment, part, output), credits in groupby(rows, key=lambda row: row[:3]):
        yield segment, part, Candidate(output, tuple(row[3] for row in credits if row[3]))


def _answers_to_judge(ask: Asking, protocol: Protocol) -> QuerySet[Answer]:
    """Others' finished answers under the protocol that this one follows.

    Current revisions that nobody was asked to review yet.
    """
    finished = Answer.objects.filter(
        assignment__hit__campaign=ask.campaign,
        assignment__hit__protocol=protocol.follows,
        assignment__state=Assignment.State.ANSWERED,
        items=None,
    )
    return (
        standing(finished)
        .exclude(assignment__judge=ask.judge)
        .exclude(assignment__judge__state=Judge.State.EXCLUDED)
    )


def _answers_of_run(ask: Asking, protocol: Protocol, run: int) -> dict[int, list[Answer]]:
    """Answers to review in a run, by segment."""
    answers = _answers_to_judge(ask, protocol).filter(assignment__item__segment__run=run)
    waiting = defaultdict(list)
    for answer in answers.order_by("pk").select_related("assignment__item__segment"):
        if protocol.takes(answer.payload):
            waiting[answer.assignment.item.segment_id].append(answer)
    return dict(waiting)


def _finished(answers: Sequence[Answer], outputs: Mapping[int, Candidate]) -> tuple[Finished, ...]:
    """Answers of a segment whose output this judge may see."""
    return tuple(
        Finished(answer.pk, outputs[answer.assignment.shown[0]], answer.payload)
        for answer in answers
        if answer.assignment.shown[0] in outputs
    )


def repeat_hit(hit: Hit) -> Drawn:
    """Repeat the same blocks for the same judge."""
    again = Hit(
        campaign_id=hit.campaign_id,
        run_id=hit.run_id,
        protocol=hit.protocol,
        kind=Hit.Kind.REPEAT,
        repeat_of=hit,
    )
    items = list(hit.items.order_by("place").select_related("segment"))
    shown = _blocks(items)
    blocks = [Block(i.segment_id, tuple(shown[i.pk]), i.about_id) for i in items]
    return _new(again, blocks, [item.segment for item in items])


def hit_from_pool(hit: Hit) -> Drawn:
    """Existing HIT of the pool; for a returned exclusive one, the unjudged items."""
    items = hit.items.order_by("place").select_related("segment")
    if hit.kind == Hit.Kind.EXCLUSIVE:
        items = items.exclude(assignments__state__in=DONE)
    chosen = list(items)
    shown = _blocks(chosen)
    return Drawn(hit, chosen, [shown[item.pk] for item in chosen])


def give(ask: Asking, drawn: Drawn) -> list[Assignment]:
    """Assign items to the judge as one HIT, each with a display order of its own."""
    shown = [[candidate.output for candidate in block] for block in drawn.blocks]
    part = _part_orders(drawn, shown)
    for outputs in shown:
        ask.rng.shuffle(outputs)
        outputs.sort(key=lambda output: part.get(output, 0))  # parts stay together
    assignments = [
        Assignment(
            judge=ask.judge,
            item=item,
            hit=drawn.hit,
            place=place,
            key=secrets.token_urlsafe(16),
            shown=outputs,
            control=drawn.control,
            version=ask.campaign.version,
            assigned=ask.giving.now,
        )
        for place, (item, outputs) in enumerate(zip(drawn.items, shown, strict=True), 1)
    ]
    ask.giving.give(drawn, assignments)
    return assignments


def _part_orders(drawn: Drawn, shown: Sequence[Sequence[int]]) -> dict[int, int]:
    """Position in its segment of the part that each output translates, if parts are judged."""
    if not PROTOCOLS.named(drawn.hit.protocol).needs_parts:
        return {}
    keys = [output for outputs in shown for output in outputs]
    outputs = Output.objects.filter(pk__in=keys, part__isnull=False)
    return dict(outputs.values_list("pk", "part__order"))


def count_shown(campaign: Campaign, items: Sequence[Item], times: int) -> None:
    """Update exposure by the content of these items: +1 for each assignment, −1 when taken back."""
    blocks = _blocks(items)
    more: Counter[Pair] = Counter()
    for item in items:
        for pair, number in pairs_shown(blocks[item.pk]).items():
            more[pair] += times * number
    add_exposures(stored_exposures(campaign), more)


def _blocks(items: Sequence[Item]) -> dict[int, list[Candidate]]:
    """Outputs of items, in a stable order."""
    systems: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    shows = Item.outputs.through.objects.filter(item__in=items).order_by("pk")
    for item, output, system in shows.values_list("item", "output", "output__systems"):
        systems[item][output] += (
            [system] if system else []
        )  # a candidate of a part may have no known system
    return {
        item: [Candidate(output, tuple(producers)) for output, producers in block.items()]
        for item, block in systems.items()
    }
