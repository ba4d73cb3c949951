"""Controls (WMT13 §3.1) slipped into the HITs of the judges who are to be controlled.

Items of the common pool that show a control (`results.controls`) go along with the HITs of the
controlled groups, at the design's share. Whoever met at least 10 controls and failed more than
half of them is flagged or excluded; the work is kept.
"""

from collections.abc import Collection, Iterable

from adjudge.campaigns.models import Assignment, Hit, Item, Judge, Segment
from adjudge.campaigns.results.controls import Pair, control_record
from adjudge.campaigns.work.asking import Asking


def control_for(ask: Asking, hit: Hit) -> Item | None:
    """A control for this judge to ride along with a HIT, if it is time for one."""
    design = ask.design
    if not design.controls or ask.judge.group not in design.controlled_groups:
        return None
    due = design.controls * (len(ask.given) + design.run + 1)
    if due - sum(given.is_control for given in ask.given) < 1:
        return None
    segments = Segment.objects.filter(campaign=ask.campaign, controls__isnull=False)
    free = list(segments.exclude(run__in={*ask.seen, hit.run_id}).order_by("pk"))
    ask.rng.shuffle(free)
    return next((item for segment in free if (item := _control_item(ask, segment))), None)


def _control_item(ask: Asking, segment: Segment) -> Item | None:
    """An item of the common pool that shows a control of this segment."""
    pool = segment.items.filter(hit__kind=Hit.Kind.COMMON, hit__protocol=ask.protocol)
    pool = pool.order_by("pk").select_related("segment")
    for item in pool.prefetch_related("outputs__systems"):
        shown = {output.pk for output in item.outputs.all()}
        systems = {system.pk for output in item.outputs.all() for system in output.systems.all()}
        if _shown_pairs(segment.controls or (), shown) and not ask.own.intersection(systems):
            return item
    return None


def _shown_pairs(controls: Iterable[Pair], shown: Collection[int]) -> list[Pair]:
    return [(better, worse) for better, worse in controls if better in shown and worse in shown]


def check_controls(judge: Judge, assignment: Assignment) -> None:
    """After an answer to a control: flag or exclude a judge who fails too many."""
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
