"""One judge asking for work: everything about them that decides what they get, read once."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from random import Random

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import Assignment, Campaign, Judge
from adjudge.campaigns.protocols import PROTOCOLS

_State = Assignment.State


@dataclass(frozen=True)
class Given:
    """An item the judge was given."""

    protocol: str
    state: str
    kind: str
    hit: int
    repeat_of: int | None
    run: int
    is_control: bool  # slipped in from another HIT


def given_to(judge: Judge) -> tuple[Given, ...]:
    """All the judge was ever given, in order."""
    rows = judge.assignments.order_by("pk").values_list(
        "hit__protocol",
        "state",
        "hit__kind",
        "hit",
        "hit__repeat_of",
        "item__segment__run",
        "item__hit",
    )
    return tuple(
        Given(protocol, state, kind, hit, repeat_of, run, hit != own_hit)
        for protocol, state, kind, hit, repeat_of, run, own_hit in rows
    )


@dataclass(frozen=True)
class Asking:
    """A judge, the campaign (locked), chance for this draw, the time, and what they would do."""

    judge: Judge
    campaign: Campaign
    rng: Random
    now: datetime
    everything: tuple[Given, ...]  # the judge was given, in order, under any protocol
    protocol: str = ""

    @cached_property
    def design(self) -> Design:
        """The campaign's design."""
        return self.campaign.design

    @cached_property
    def own(self) -> frozenset[int]:
        """The judge's own systems, which they never judge (WMT07 §3)."""
        return frozenset(self.judge.own_systems.values_list("pk", flat=True))

    @cached_property
    def given(self) -> list[Given]:
        """What the judge was given under this protocol, in order; without what was taken back."""
        return [given for given in self._all if given.state != _State.RETURNED]

    @cached_property
    def seen(self) -> frozenset[int]:
        """The runs of which the judge was ever given anything under this protocol.

        Under any protocol, where judges must not know the source.
        """
        blind = "source" in PROTOCOLS.named(self.protocol).hides
        return frozenset(given.run for given in (self.everything if blind else self._all))

    @cached_property
    def _all(self) -> list[Given]:
        return [given for given in self.everything if given.protocol == self.protocol]

    def hits(self) -> list[tuple[str, int]]:
        """The protocol and the items of each HIT, in order, without what was taken back."""
        kept = (given for given in self.everything if given.state != _State.RETURNED)
        sizes = Counter((given.hit, given.protocol) for given in kept)
        return [(protocol, items) for (_, protocol), items in sizes.items()]

    def towards_quota(self) -> int:
        """How many items the judge has or is at; a crowd worker is paid for no skip."""
        free = {_State.RETURNED, _State.SKIPPED} if self.judge.platform else {_State.RETURNED}
        return sum(given.state not in free for given in self.everything)

    def counts(self) -> Counter[str]:
        """How many items of each kind of HIT the judge was given, controls apart."""
        return Counter(given.kind for given in self.given if not given.is_control)

    def repeatable(self) -> list[int]:
        """The judge's finished HITs, long enough ago and not yet repeated."""
        gap = self.design.repeat_gap
        recent = {given.hit for given in self.given[-gap:]} if gap else set()
        repeated = {given.repeat_of for given in self._all}
        unfinished = {given.hit for given in self._all if given.state != _State.ANSWERED}
        first = {given.hit for given in self.given if given.repeat_of is None}
        return sorted(first - recent - repeated - unfinished)
