"""Choice of the kind of the next HIT from a judge's earlier work.

Judges must not be able to predict a control, a repeat or a HIT of the common pool from their
position. HITs of a kind therefore come at equal distances from a random start for each judge
(systematic sampling): at every place, the chance is the share asked for, and the number comes out
right to within one HIT.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import floor
from random import Random

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import Assignment, Campaign, Hit, Judge
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.work.assign_hit import Given, Giving

_State = Assignment.State


@dataclass(frozen=True)
class Asking:
    """State of a request: what the judge is given, random generator, and protocol."""

    giving: Giving
    rng: Random
    protocol: str = ""

    @property
    def judge(self) -> Judge:
        """Judge who asks."""
        return self.giving.judge

    @property
    def campaign(self) -> Campaign:
        """Locked campaign."""
        return self.giving.campaign

    @property
    def design(self) -> Design:
        """Design of the campaign."""
        return self.giving.design

    @property
    def own(self) -> frozenset[int]:
        """Judge's own systems, which they never judge (WMT07 §3)."""
        return self.giving.own

    @property
    def everything(self) -> list[Given]:
        """All items ever given to the judge, in order, under any protocol."""
        return self.giving.everything

    @cached_property
    def given(self) -> list[Given]:
        """Items given to the judge under this protocol, in order, except those taken back."""
        return [given for given in self._all if given.state != _State.RETURNED]

    @cached_property
    def seen(self) -> frozenset[int]:
        """Runs from which the judge was ever given anything under this protocol.

        Under any protocol, if judges must not know the source.
        """
        blind = "source" in PROTOCOLS.named(self.protocol).hides
        return frozenset(given.run for given in (self.everything if blind else self._all))

    @cached_property
    def _all(self) -> list[Given]:
        return [given for given in self.everything if given.protocol == self.protocol]

    def hits(self) -> list[tuple[str, int]]:
        """Protocol and items of each HIT, in order, without those taken back."""
        kept = (given for given in self.everything if given.state != _State.RETURNED)
        sizes = Counter((given.hit, given.protocol) for given in kept)
        return [(protocol, items) for (_, protocol), items in sizes.items()]

    def towards_quota(self) -> int:
        """Number of items that count towards the quota; a crowd worker's skips do not."""
        free = {_State.RETURNED, _State.SKIPPED} if self.judge.platform else {_State.RETURNED}
        return sum(given.state not in free for given in self.everything)

    @cached_property
    def _hits_given(self) -> list[tuple[Given, int]]:
        """First item of every HIT under this protocol, and the number of items before it."""
        first: dict[int, tuple[Given, int]] = {}
        for before, given in enumerate(self.given):
            first.setdefault(given.hit, (given, before))
        return list(first.values())

    def is_due(self, what: str, share: float, number: int) -> bool:
        """Test whether a HIT of kind `what` is due, given its share."""
        start = Random(f"{self.campaign.seed}/{self.judge.pk}/{self.protocol}/{what}").random()
        return floor((number + 1) * share + start) > floor(number * share + start)

    def hits_so_far(self) -> int:
        """Number of HITs given to the judge."""
        return len(self._hits_given)

    def repeat_is_due(self, share: float) -> bool:
        """Test whether a repeat is due, at this share of the HITs that are not controls.

        Repeats impossible at the beginning are made up for later.
        """
        first = self.design.repeat_gap + self.design.run
        work = self.judge.quota or len(self.giving.runs) * self.design.run
        share = min(1.0, share * work / (work - first)) if work > first else share
        late = [
            given for given, before in self._hits_given if before >= first and not given.is_control
        ]
        start = Random(f"{self.campaign.seed}/{self.judge.pk}/{self.protocol}/repeat").random()
        repeats = sum(given.kind == Hit.Kind.REPEAT for given in late)
        return len(self.given) >= first and floor((len(late) + 1) * share + start) > repeats

    def repeats_are_owed(self) -> bool:
        """Test whether repeats are missing when all other work is done."""
        repeats = sum(given.kind == Hit.Kind.REPEAT for given in self.given)
        return round(self.design.repeats * len(self.given)) > repeats

    def documents_met(self) -> Counter[int]:
        """Number of HITs from each document given to the judge, under any protocol."""
        runs = {given.hit: given.run for given in self.everything}
        return Counter(self.giving.documents[run] for run in runs.values())

    def ordinary_hits(self) -> int:
        """Number of HITs that are neither controls nor repeats."""
        return sum(
            not given.is_control and given.kind != Hit.Kind.REPEAT for given, _ in self._hits_given
        )

    def repeatable(self) -> list[int]:
        """Judge's finished HITs, old enough and not yet repeated."""
        gap = self.design.repeat_gap
        recent = {given.hit for given in self.given[-gap:]} if gap else set()
        repeated = {given.repeat_of for given in self._all}
        unfinished = {given.hit for given in self._all if given.state != _State.ANSWERED}
        first = {given.hit for given in self.given if given.repeat_of is None}
        return sorted(first - recent - repeated - unfinished)
