"""Assignment of work to one judge in one transaction, and the order of protocols.

All data of a transaction are read once, and stored once.

The queries are what giving out work costs. So HITs that are drawn one after another know of each
other in memory, and go to the database together (`Giving.store`). The campaign's row is locked.

Several protocols take turns in batches in random order (WMT07 §3).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from django.db.models import Case, F, When

from adjudge.campaigns.models import (
    Assignment,
    Campaign,
    Exposure,
    Hit,
    Item,
    Judge,
    Run,
    Segment,
    System,
)
from adjudge.campaigns.protocol_kit.sampling import Candidate, Pair, pairs_shown
from adjudge.campaigns.protocol_kit.sampling import Exposure as Shown
from adjudge.campaigns.work.adaptive import needs_of

if TYPE_CHECKING:
    from adjudge.campaigns.work.control_items import Controls


_State = Assignment.State


@dataclass(frozen=True)
class Given:
    """Item given to the judge."""

    protocol: str
    state: str
    kind: str
    hit: int
    repeat_of: int | None
    run: int
    is_control: bool  # in a HIT given as a control, or slipped in as one by earlier versions


def given_to(judge: Judge) -> list[Given]:
    """All items ever given to the judge, in order."""
    rows = judge.assignments.order_by("pk").values_list(
        "hit__protocol",
        "state",
        "hit__kind",
        "hit",
        "hit__repeat_of",
        "item__segment__run",
        "item__hit",
        "control",
    )
    return [
        Given(protocol, state, kind, hit, repeat_of, run, control or hit != own_hit)
        for protocol, state, kind, hit, repeat_of, run, own_hit, control in rows
    ]


@dataclass(frozen=True)
class Drawn:
    """HIT with its items and their content, stored or still to be stored."""

    hit: Hit
    items: Sequence[Item]  # with their segments
    blocks: Sequence[Sequence[Candidate]]  # of each item
    control: bool = False  # given to check the judge


class Giving:
    """State of one transaction: judge, locked campaign, time, and unsaved assignments."""

    def __init__(self, judge: Judge, campaign: Campaign, now: datetime) -> None:
        self.judge, self.campaign, self.now = judge, campaign, now
        self.design = campaign.design
        self.everything = given_to(judge)  # ever, in order, under any protocol
        self.controls: dict[str, Controls] = {}  # as they were found, by protocol
        self._waiting: list[tuple[Drawn, list[Assignment]]] = []
        self._shown_more: Counter[Pair] = Counter()
        self._drawn_more: Counter[int] = Counter()  # how often, by run

    @cached_property
    def own(self) -> frozenset[int]:
        """Judge's own systems, which they never judge (WMT07 §3)."""
        return frozenset(self.judge.own_systems.values_list("pk", flat=True))

    @cached_property
    def runs(self) -> dict[int, int]:
        """Number of draws of each run of the campaign."""
        return dict(self.campaign.runs.order_by("pk").values_list("pk", "drawn"))

    @cached_property
    def documents(self) -> dict[int, int]:
        """Document of each run."""
        segments = Segment.objects.filter(campaign=self.campaign)
        return dict(segments.order_by().values_list("run", "document").distinct())

    def exposure(self) -> Shown:
        """Exposure so far, with targets, for a draw to continue."""
        shown = Counter({pair: times for pair, (_, times) in self._stored.items()})
        shown.update(self._shown_more)
        return Shown(shown, self._weights, needs_of(self.campaign))

    @cached_property
    def _weights(self) -> dict[int, float]:
        if self.design.reference != "rarer":
            return {}
        references = System.objects.filter(campaign=self.campaign, is_reference=True)
        rate = self.design.reference_rate
        return dict.fromkeys(references.values_list("pk", flat=True), rate)

    @cached_property
    def _stored(self) -> dict[Pair, tuple[int, int]]:
        return stored_exposures(self.campaign)

    @property
    def open_items(self) -> int:
        """Number of items given but not stored yet."""
        return sum(len(assignments) for _, assignments in self._waiting)

    def draw_from(self, run: int) -> None:
        """Count a run as drawn."""
        self.runs[run] += 1
        self._drawn_more[run] += 1

    def give(self, drawn: Drawn, assignments: list[Assignment]) -> None:
        """Give a HIT to the judge; `store` saves it."""
        hit = drawn.hit
        hit.holder = self.judge if hit.kind == Hit.Kind.EXCLUSIVE else None
        hit.given += 1
        for block in drawn.blocks:
            self._shown_more.update(pairs_shown(block))
        number = hit.pk or -1 - len(self.everything)  # one that no stored HIT has
        self.everything += [
            Given(
                hit.protocol,
                _State.OPEN,
                hit.kind,
                number,
                hit.repeat_of_id,
                item.segment.run_id,
                drawn.control,
            )
            for item in drawn.items
        ]
        self._waiting.append((drawn, assignments))

    def store(self) -> None:
        """Store all assignments since the last call."""
        self.campaign.save(update_fields=["drawn"])
        if not self._waiting:
            return
        new = [drawn for drawn, _ in self._waiting if drawn.hit.pk is None]
        for drawn, _ in self._waiting:
            if drawn.hit.pk is not None:
                drawn.hit.save(update_fields=["holder", "given"])
        self._store_new(new)
        Assignment.objects.bulk_create(
            assignment for _, assignments in self._waiting for assignment in assignments
        )
        for times in set(self._drawn_more.values()):
            runs = [run for run, number in self._drawn_more.items() if number == times]
            Run.objects.filter(pk__in=runs).update(drawn=F("drawn") + times)
        add_exposures(self._stored, self._shown_more)
        self._waiting.clear()
        self._drawn_more.clear()
        self._shown_more.clear()
        del self._stored

    def _store_new(self, new: Sequence[Drawn]) -> None:
        if not new:
            return
        Hit.objects.bulk_create(drawn.hit for drawn in new)
        rows = [
            (item, block)
            for drawn in new
            for item, block in zip(drawn.items, drawn.blocks, strict=True)
        ]
        Item.objects.bulk_create(item for item, _ in rows)
        shows = Item.outputs.through
        shows.objects.bulk_create(
            shows(item_id=item.pk, output_id=candidate.output)
            for item, block in rows
            for candidate in block
        )


def stored_exposures(campaign: Campaign) -> dict[Pair, tuple[int, int]]:
    """Row key and count of every pair of systems."""
    rows = Exposure.objects.filter(campaign=campaign)
    return {
        (system, other): (key, shown)
        for key, system, other, shown in rows.values_list("pk", "system", "other", "shown")
    }


def add_exposures(stored: Mapping[Pair, tuple[int, int]], more: Mapping[Pair, int]) -> None:
    """Increase the exposure of pairs in one statement."""
    by_number: dict[int, list[int]] = defaultdict(list)
    for pair, number in more.items():
        if number:
            by_number[number].append(stored[pair][0])
    if by_number:
        keys = [key for some in by_number.values() for key in some]
        steps = [When(pk__in=some, then=number) for number, some in by_number.items()]
        Exposure.objects.filter(pk__in=keys).update(shown=F("shown") + Case(*steps))


def in_turn(campaign: Campaign, judge: Judge, hits: Iterable[tuple[str, int]]) -> list[str]:
    """Protocols open to this judge, in order of their turns.

    `hits`: the protocol and the screens of every HIT they were given, in order. Every round through
    the batches has an order of its own. A protocol without work at its turn is tried again at the
    next HIT, and then gets one batch, not all that it missed.
    """
    sizes = {
        name: screens
        for name, screens in campaign.batches
        if not judge.protocols or name in judge.protocols
    }
    round_, over, current, screens = 0, set[str](), "", 0  # over: protocols whose batch has been
    for protocol, more in hits:
        if protocol != current or _full(sizes, current, screens):
            over.add(current)
            if protocol in over:
                round_, over = round_ + 1, set()
            current, screens = protocol, 0
        screens += more
    if _full(sizes, current, screens):
        over.add(current)
        if over.issuperset(sizes):
            round_, over = round_ + 1, set()
        current = ""
    order = sorted(sizes)
    Random(f"{campaign.seed}/{judge.pk}/batches/{round_}").shuffle(order)
    return sorted(order, key=lambda name: (name != current, name in over))


def _full(sizes: Mapping[str, int | None], protocol: str, screens: int) -> bool:
    size = sizes.get(protocol)
    return size is not None and screens >= size
