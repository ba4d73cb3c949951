"""Insertion of controls (WMT13 §3.1) into the work of judges.

A control is a HIT of the common pool that shows pairs of outputs on which trusted judges agree
(`results.controls`), given whole: it begins and ends where HITs do, its items stand in their own
document, and it is as long as others. Every such HIT is as likely as every other, so that items of
short and of long ones are controls equally often. At what share of the HITs they come follows from
the design's share of items. Whoever met at least 10 controls and failed more than half of them is
flagged or excluded; the work is kept.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from adjudge.campaigns.models import Assignment, Hit, Item, Judge, Segment
from adjudge.campaigns.results.controls import Pair, control_record
from adjudge.campaigns.work.next_hit import Asking


@dataclass(frozen=True)
class Controls:
    """HITs of the common pool with controls."""

    hits: frozenset[int]
    share: float  # of the HITs of a judge that have to be of these


NO_CONTROLS = Controls(frozenset(), 0.0)


def controls_for(ask: Asking) -> Controls:
    """Controls for this judge under this protocol, and their frequency."""
    design = ask.design
    if not design.controls or ask.judge.group not in design.controlled_groups:
        return NO_CONTROLS
    known = ask.giving.controls
    if ask.protocol not in known:
        known[ask.protocol] = _find(ask)
    return known[ask.protocol]


def _find(ask: Asking) -> Controls:
    pool = Item.objects.filter(
        hit__campaign=ask.campaign,
        hit__kind=Hit.Kind.COMMON,
        hit__protocol=ask.protocol,
        hit__retired=False,
    )
    marked = Segment.objects.filter(campaign=ask.campaign, controls__isnull=False)
    pairs = {pk: controls or () for pk, controls in marked.values_list("pk", "controls")}
    if not pairs:
        return NO_CONTROLS
    shown: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    rows = pool.filter(segment__in=marked).values_list("hit", "pk", "segment", "outputs")
    for hit, item, segment, output in rows:
        shown[hit, item, segment].add(output)
    items = Counter(
        hit for (hit, _, segment), outputs in shown.items() if shows_one(pairs[segment], outputs)
    )
    if not items:
        return NO_CONTROLS
    hits = pool.values("hit").distinct().count()
    length, controls = pool.count() / hits, items.total() / len(items)
    return Controls(frozenset(items), min(1.0, ask.design.controls * length / controls))


def shows_one(controls: Iterable[Pair], shown: Collection[int]) -> bool:
    """Test whether both outputs of a control are among these."""
    return any(better in shown and worse in shown for better, worse in controls)


def check_controls(judge: Judge, assignment: Assignment) -> None:
    """Flag or exclude a judge who fails too many controls, after an answer to one."""
    design = judge.campaign.design
    if assignment.item.segment.controls is None or judge.group not in design.controlled_groups:
        return
    record = control_record(judge)
    if record.met < design.controls_met or record.failed <= design.controls_failed * record.met:
        return
    flag = f"failed {record.failed} of {record.met} controls"
    Judge.objects.filter(pk=judge.pk).update(flag=flag)
    if design.on_failure == "stop":
        active = Judge.objects.filter(pk=judge.pk).exclude(state=Judge.State.EXCLUDED)
        active.update(state=Judge.State.EXCLUDED, reason=flag)
