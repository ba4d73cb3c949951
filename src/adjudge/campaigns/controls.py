"""Controls (WMT13 §3.1): pairs on which trusted judges agree, slipped into others' HITs.

M_ij is how many trusted judges ranked output i of a segment better than output j. A pair with
|M_ij − M_ji| > 5 is a control, and items of the common pool that show one are slipped into the
HITs of the controlled groups, at the design's share. A controlled judge meets a control
wherever they rank its two outputs, and fails it by not ranking the better one above the other:
a tie fails too. Whoever met at least 10 controls
and failed more than half of them is flagged or excluded; the work is kept.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import polars as pl
from django.db import transaction
from django.db.models import QuerySet

from adjudge.campaigns.asking import Asking
from adjudge.campaigns.export import kinds_of, latest, said
from adjudge.campaigns.models import Answer, Assignment, Campaign, Hit, Item, Judge, Segment

Pair = tuple[int, int]  # the better output, the worse
_RANKS = {
    "segment_key": pl.Int64,
    "judge": pl.String,
    "ranking": pl.Int64,
    "part": pl.Int64,  # of the screen; 0: all of it
    "output_key": pl.Int64,
    "rank": pl.Int32,
}


@dataclass(frozen=True)
class ControlRecord:
    """How a judge did on controls."""

    met: int
    failed: int


def control_for(ask: Asking, hit: Hit) -> Item | None:
    """A control for this judge to ride along with a HIT, if it is time for one."""
    plan = ask.plan
    if not plan.controls or ask.judge.group not in plan.controlled_groups:
        return None
    due = plan.controls * (len(ask.given) + plan.run + 1)
    if due - sum(one.is_control for one in ask.given) < 1:
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


@transaction.atomic
def mark_controls(campaign: Campaign) -> int:
    """Find the controls in what trusted judges have said so far; how many pairs there are."""
    pairs = consensus(campaign)
    segments = list(Segment.objects.filter(campaign=campaign, pk__in=pairs))
    for segment in segments:
        segment.controls = pairs[segment.pk]
    Segment.objects.filter(campaign=campaign).update(controls=None)
    Segment.objects.bulk_update(segments, ["controls"], batch_size=500)
    return sum(map(len, pairs.values()))


def consensus(campaign: Campaign) -> dict[int, list[Pair]]:
    """The (better, worse) pairs of outputs on which trusted judges agree, by segment."""
    plan = campaign.plan
    trusted = Answer.objects.filter(assignment__judge__group__in=plan.trusted_groups)
    ranks = _ranks(campaign, trusted.exclude(assignment__judge__state=Judge.State.EXCLUDED))
    other = ranks.rename({"output": "other", "rank": "other_rank"})
    margin = (
        ranks.join(other, on=["segment", "judge", "ranking", "part"])
        .filter(pl.col("output") < pl.col("other"))
        # A judge who met the pair twice has one vote: the sum of both, cut to −1, 0 or 1.
        .group_by("segment", "output", "other", "judge")
        .agg((pl.col("other_rank") - pl.col("rank")).sign().sum().clip(-1, 1).alias("vote"))
        .group_by("segment", "output", "other")
        .agg(pl.col("vote").sum())
        .filter(pl.col("vote").abs() > plan.control_margin)
        .sort("segment", "output", "other")
    )
    found: dict[int, list[Pair]] = defaultdict(list)
    for segment, output, other_output, vote in margin.iter_rows():
        found[segment].append((output, other_output) if vote > 0 else (other_output, output))
    return dict(found)


def _ranks(campaign: Campaign, answers: QuerySet[Answer]) -> pl.DataFrame:
    """One row per output that was ranked in these answers, as far as they are the campaign's."""
    counting = latest(answers.filter(assignment__judge__campaign=campaign))
    found = [pl.DataFrame(schema=_RANKS)]
    if "judgements" in kinds_of(campaign):
        ranked = said(counting, "judgements").with_columns(pl.col("part").fill_null(0))
        found.append(ranked.select(*_RANKS))
    if "scores" in kinds_of(campaign):
        found.append(_implied(said(counting, "scores")))
    return pl.concat(found).rename({"segment_key": "segment", "output_key": "output"})


def _implied(scores: pl.DataFrame) -> pl.DataFrame:
    """Whoever gave outputs of a segment scores has ranked them, be it on several screens."""
    mean = scores.group_by("segment_key", "judge", "output_key").agg(pl.col("score").mean())
    place = pl.col("score").rank("dense", descending=True).over("segment_key", "judge")
    return mean.select(
        "segment_key",
        "judge",
        pl.lit(0, pl.Int64).alias("ranking"),
        pl.lit(0, pl.Int64).alias("part"),
        "output_key",
        place.cast(pl.Int32).alias("rank"),
    )


def control_record(judge: Judge) -> ControlRecord:
    """The controls this judge met and failed."""
    records = _records(judge.campaign, Answer.objects.filter(assignment__judge=judge))
    return records.get(judge.name, ControlRecord(0, 0))


def control_records(campaign: Campaign) -> Mapping[str, ControlRecord]:
    """The same for all judges of a campaign who met any, by their names."""
    return _records(campaign, Answer.objects.all())


def _records(campaign: Campaign, answers: QuerySet[Answer]) -> Mapping[str, ControlRecord]:
    marked = Segment.objects.filter(campaign=campaign, controls__isnull=False)
    pairs = [
        (segment, better, worse)
        for segment, controls in marked.values_list("pk", "controls")
        for better, worse in controls or ()
    ]
    if not pairs:
        return {}
    controls = pl.DataFrame(pairs, schema=["segment", "better", "worse"], orient="row")
    ranks = _ranks(campaign, answers.filter(assignment__item__segment__in=marked))
    better = ranks.rename({"output": "better", "rank": "better_rank"})
    worse = ranks.rename({"output": "worse", "rank": "worse_rank"})
    met = controls.join(better, on=["segment", "better"]).join(
        worse, on=["segment", "worse", "judge", "ranking", "part"]
    )
    failed = (pl.col("better_rank") >= pl.col("worse_rank")).sum()
    counted = met.group_by("judge").agg(pl.len(), failed.alias("failed"))
    return {judge: ControlRecord(number, bad) for judge, number, bad in counted.iter_rows()}


def check_controls(judge: Judge, assignment: Assignment) -> None:
    """After an answer to a control: flag or exclude a judge who fails too many."""
    plan = judge.campaign.plan
    if assignment.item.segment.controls is None or judge.group not in plan.controlled_groups:
        return
    record = control_record(judge)
    if record.met < plan.controls_met or record.failed <= plan.controls_failed * record.met:
        return
    flag = f"failed {record.failed} of {record.met} controls"
    Judge.objects.filter(pk=judge.pk).update(flag=flag)
    if plan.on_failure == "stop":
        active = Judge.objects.filter(pk=judge.pk).exclude(state=Judge.State.EXCLUDED)
        active.update(state=Judge.State.EXCLUDED, reason=flag)
