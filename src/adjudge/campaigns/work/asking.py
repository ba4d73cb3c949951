"""One judge asking for a HIT: what of all they were given decides what they get."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from random import Random

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import Assignment, Campaign, Judge
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.work.giving import Given, Giving

_State = Assignment.State


@dataclass(frozen=True)
class Asking:
    """What a judge is being given, chance for this draw, and the protocol they are asked under."""

    giving: Giving
    rng: Random
    protocol: str = ""

    @property
    def judge(self) -> Judge:
        """Who asks."""
        return self.giving.judge

    @property
    def campaign(self) -> Campaign:
        """The campaign, locked."""
        return self.giving.campaign

    @property
    def design(self) -> Design:
        """The campaign's design."""
        return self.giving.design

    @property
    def own(self) -> frozenset[int]:
        """The judge's own systems, which they never judge (WMT07 §3)."""
        return self.giving.own

    @property
    def everything(self) -> list[Given]:
        """All the judge was ever given, in order, under any protocol."""
        return self.giving.everything

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
