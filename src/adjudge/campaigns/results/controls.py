"""Controls (WMT13 §3.1): pairs of outputs with a consensus of trusted judges, and their failures.

M_ij is how many trusted judges ranked output i of a segment better than output j. A pair with
|M_ij − M_ji| > 5 is a control. A judge meets a control wherever they rank its two outputs, and
fails it by not ranking the better one above the other: a tie fails too.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl
from django.db import transaction
from django.db.models import QuerySet

from adjudge.campaigns.models import Answer, Campaign, Judge, Segment
from adjudge.campaigns.results.tables import answer_frame, kinds_of, rows_of_kind
from adjudge.campaigns.store.queries import standing

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
    """Results of a judge on controls."""

    met: int
    failed: int


@transaction.atomic
def mark_controls(campaign: Campaign) -> int:
    """Find the controls in the answers of trusted judges so far; return the number of pairs."""
    pairs = agreed_pairs(campaign)
    segments = list(Segment.objects.filter(campaign=campaign, pk__in=pairs))
    for segment in segments:
        segment.controls = pairs[segment.pk]
    Segment.objects.filter(campaign=campaign).update(controls=None)
    Segment.objects.bulk_update(segments, ["controls"], batch_size=500)
    return sum(map(len, pairs.values()))


def agreed_pairs(campaign: Campaign) -> dict[int, list[Pair]]:
    """Pairs (better, worse) of outputs on which trusted judges agree, by segment."""
    design = campaign.design
    trusted = Answer.objects.filter(assignment__judge__group__in=design.trusted_groups)
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
        .filter(pl.col("vote").abs() > design.control_margin)
        .sort("segment", "output", "other")
    )
    pairs: dict[int, list[Pair]] = defaultdict(list)
    for segment, output, other_output, vote in margin.iter_rows():
        pairs[segment].append((output, other_output) if vote > 0 else (other_output, output))
    return dict(pairs)


def _ranks(campaign: Campaign, answers: QuerySet[Answer]) -> pl.DataFrame:
    """Ranked outputs in these answers of the campaign, one row each."""
    counting = answer_frame(standing(answers.filter(assignment__judge__campaign=campaign)))
    frames = [pl.DataFrame(schema=_RANKS)]
    if "judgements" in kinds_of(campaign):
        ranked = rows_of_kind(counting, "judgements").with_columns(pl.col("part").fill_null(0))
        frames.append(ranked.select(*_RANKS))
    if "scores" in kinds_of(campaign):
        frames.append(_implied(rows_of_kind(counting, "scores")))
    return pl.concat(frames).rename({"segment_key": "segment", "output_key": "output"})


def _implied(scores: pl.DataFrame) -> pl.DataFrame:
    """Derive ranks from scores of outputs of a segment, also across screens."""
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
    """Controls that this judge met and failed."""
    records = _records(judge.campaign, Answer.objects.filter(assignment__judge=judge))
    return records.get(judge.name, ControlRecord(0, 0))


def control_records(campaign: Campaign) -> Mapping[str, ControlRecord]:
    """Control records of all judges who met any, by name."""
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
