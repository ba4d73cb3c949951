"""Drawing HITs and giving them to judges. Called with the campaign's row locked."""

import secrets
from collections import Counter, defaultdict
from collections.abc import Sequence

from django.db.models import F

from adjudge.campaigns.adaptive import needs_of
from adjudge.campaigns.asking import Asking
from adjudge.campaigns.design import Design
from adjudge.campaigns.models import (
    Assignment,
    Campaign,
    Exposure,
    Hit,
    Item,
    Output,
    Run,
    Segment,
    System,
)
from adjudge.campaigns.protocols import protocol_named
from adjudge.campaigns.sampling import Candidate, Pair, pairs_shown
from adjudge.campaigns.sampling import Exposure as Shown

Blocks = list[tuple[Segment, list[int]]]  # segments and the outputs shown for them


def exposure_of(campaign: Campaign, plan: Design) -> Shown:
    """What was shown so far, and how much each system and pair should be."""
    shown = Exposure.objects.filter(campaign=campaign).values_list("system", "other", "shown")
    weights = {}
    if plan.reference == "rarer":
        references = System.objects.filter(campaign=campaign, is_reference=True)
        weights = dict.fromkeys(references.values_list("pk", flat=True), plan.reference_rate)
    needs = needs_of(campaign) if plan.balance == "adaptive" else {}
    return Shown(Counter({(a, b): n for a, b, n in shown}), weights, needs)


def draw_hit(ask: Asking, kind: str) -> Hit | None:
    """A new HIT from one of the least drawn runs this judge has not met; None if there is none."""
    rows = Run.objects.filter(campaign=ask.campaign).order_by("pk").values_list("drawn", "pk")
    runs = [(drawn, ask.rng.random(), run) for drawn, run in rows if run not in ask.seen]
    shown = exposure_of(ask.campaign, ask.plan)
    for _, _, run in sorted(runs):
        blocks = _draw_blocks(ask, run, shown)
        if blocks:
            Run.objects.filter(pk=run).update(drawn=F("drawn") + 1)
            hit = Hit.objects.create(campaign=ask.campaign, run_id=run, kind=kind)
            _store_items(hit, blocks)
            return hit
    return None


def _draw_blocks(ask: Asking, run: int, shown: Shown) -> Blocks:
    protocol = protocol_named(ask.campaign.protocol)
    segments = list(Segment.objects.filter(run=run).order_by("order"))
    candidates: dict[int, dict[int, list[int]]] = {segment.pk: {} for segment in segments}
    credits = Output.systems.through.objects.filter(output__segment__run=run).order_by("pk")
    for of_segment, output, system in credits.values_list("output__segment", "output", "system"):
        candidates[of_segment].setdefault(output, []).append(system)
    blocks = []
    for segment in segments:
        free = [
            Candidate(output, tuple(systems))
            for output, systems in candidates[segment.pk].items()
            if not ask.own.intersection(systems)
        ]
        block = protocol.draw(free, segment.words, ask.plan, shown, ask.rng)
        shown.add(block)
        if block:
            blocks.append((segment, [one.output for one in block]))
    return blocks


def _store_items(hit: Hit, blocks: Blocks) -> None:
    items = Item.objects.bulk_create(
        Item(hit=hit, segment=segment, place=place) for place, (segment, _) in enumerate(blocks, 1)
    )
    shows = Item.outputs.through
    shows.objects.bulk_create(
        shows(item_id=item.pk, output_id=output)
        for item, (_, outputs) in zip(items, blocks, strict=True)
        for output in outputs
    )


def repeat_hit(hit: Hit) -> Hit:
    """The same blocks once more, for the same judge."""
    again = Hit.objects.create(
        campaign_id=hit.campaign_id, run_id=hit.run_id, kind=Hit.Kind.REPEAT, repeat_of=hit
    )
    items = hit.items.order_by("place").prefetch_related("outputs")
    _store_items(again, [(i.segment, [output.pk for output in i.outputs.all()]) for i in items])
    return again


def give(ask: Asking, hit: Hit, items: Sequence[Item]) -> list[Assignment]:
    """Assign items to the judge as one HIT, each with its outputs in an order of its own."""
    blocks = _blocks(items)
    order = {item: [one.output for one in block] for item, block in blocks.items()}
    for item in items:
        ask.rng.shuffle(order[item.pk])
    assignments = Assignment.objects.bulk_create(
        Assignment(
            judge=ask.judge,
            item=item,
            hit=hit,
            place=place,
            key=secrets.token_urlsafe(16),
            shown=order[item.pk],
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
        systems[item][output].append(system)
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
