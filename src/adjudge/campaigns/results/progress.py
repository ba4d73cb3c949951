"""Progress of a campaign: work done, by judge, pace, and expected end."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import polars as pl
from django.utils import timezone

from adjudge.campaigns.models import Answer, Assignment, Campaign, Judge
from adjudge.campaigns.results.controls import ControlRecord, control_records
from adjudge.campaigns.store.queries import standing, stored_seconds_spent

ACTIVE_FOR = timedelta(minutes=15)  # after an answer
PACE_OVER = timedelta(hours=24)
_FEWEST_ALIKE = 3  # answers that say the same are worth a look,
_NEARLY_ALL = 0.9  # if they are so many of all


@dataclass(frozen=True)
class Progress:
    """Progress of a campaign at one moment."""

    campaign: str
    pair: str
    state: str
    systems: int
    segments: int
    judges: int
    active_judges: int  # gave an answer in the last quarter of an hour
    rankings: int
    skipped: int
    open: int  # given to a judge who has not answered yet
    too_fast: int
    target: int | None
    median_seconds: float | None  # per ranking
    rankings_per_hour: float  # over the last day, or since the first if that is less
    expected_end: datetime | None  # when the target will be reached at this pace


@dataclass(frozen=True)
class JudgeProgress:
    """Progress of a judge at one moment."""

    judge: str
    group: str
    state: str
    reason: str
    flag: str
    rankings: int
    skipped: int
    repeats: int
    quota: int | None
    too_fast: int
    same: int | None  # answers that say the same of different texts, where nearly all do
    controls_met: int
    controls_failed: int
    median_seconds: float | None
    rankings_per_hour: float  # over the last day, or since the first if that is less
    last_answer: datetime | None
    active: bool


@dataclass(frozen=True)
class GroupProgress:
    """Progress of a group of judges at one moment."""

    group: str
    judges: int
    active_judges: int
    rankings: int
    median_seconds: float | None


@dataclass(frozen=True)
class ProtocolProgress:
    """Progress of one of a campaign's protocols at one moment."""

    protocol: str
    screens: int | None  # of a batch
    answers: int
    skipped: int
    judges: int  # who answered
    median_seconds: float | None


_SCHEMA: dict[str, Any] = {
    "judge": pl.Int64,
    "group": pl.String,
    "kind": pl.String,
    "protocol": pl.String,
    "skipped": pl.String,
    "too_fast": pl.Boolean,
    "says": pl.String,
    "seconds": pl.Float64,
    "server_seconds": pl.Float64,
    "received": pl.Datetime("us", "UTC"),
}


def answers_so_far(campaign: Campaign) -> pl.DataFrame:
    """Answers that count, in one query, from which all progress is computed."""
    given = Answer.objects.filter(assignment__judge__campaign=campaign)
    rows = standing(given).values_list(
        "assignment__judge",
        "assignment__judge__group",
        "assignment__hit__kind",
        "assignment__hit__protocol",
        "skipped",
        "too_fast",
        "says",
        stored_seconds_spent(),
        "seconds",
        "received",
    )
    frame = pl.DataFrame(list(rows.order_by("assignment")), schema=_SCHEMA, orient="row")
    return frame.with_columns((pl.col("skipped") == "").alias("ranked"))


def progress_of(
    campaign: Campaign, now: datetime | None = None, answers: pl.DataFrame | None = None
) -> Progress:
    """Progress of the campaign as a whole."""
    now = now or timezone.now()
    answers = answers_so_far(campaign) if answers is None else answers
    ranked = answers.filter("ranked")
    pace = rankings_per_hour(ranked["received"], now)
    opened = Assignment.objects.filter(judge__campaign=campaign, state=Assignment.State.OPEN)
    return Progress(
        campaign=campaign.name,
        pair=campaign.pair,
        state=campaign.state,
        systems=campaign.systems.filter(is_reference=False).count(),
        segments=campaign.segments.count(),
        judges=campaign.judges.count(),
        active_judges=answers.filter(pl.col("received") > now - ACTIVE_FOR)["judge"].n_unique(),
        rankings=len(ranked),
        skipped=len(answers) - len(ranked),
        open=opened.count(),
        too_fast=int(ranked["too_fast"].sum()),
        target=campaign.design.target,
        median_seconds=_median(ranked),
        rankings_per_hour=pace,
        expected_end=_expected_end(campaign, len(ranked), pace, now),
    )


def rankings_per_hour(received: pl.Series, now: datetime) -> float:
    """Pace over the last day, or since the first ranking if that is less."""
    first = received.min()
    if not isinstance(first, datetime):
        return 0.0
    since = max(first, now - PACE_OVER)
    hours = max((now - since).total_seconds() / 3600, 1 / 60)
    return float((received >= since).sum()) / hours


def _expected_end(campaign: Campaign, rankings: int, pace: float, now: datetime) -> datetime | None:
    target = campaign.design.target
    if target is None or pace <= 0 or campaign.state == Campaign.State.CLOSED:
        return None
    left = min(max(0, target - rankings) / pace, 24 * 365 * 100)
    return now + timedelta(hours=left)


def _median(answers: pl.DataFrame) -> float | None:
    median = answers["seconds"].median()
    return float(median) if isinstance(median, int | float) else None


def judges_of(
    campaign: Campaign, now: datetime | None = None, answers: pl.DataFrame | None = None
) -> list[JudgeProgress]:
    """Progress of all judges, the busiest first."""
    now = now or timezone.now()
    answers = answers_so_far(campaign) if answers is None else answers
    by_judge = {
        int(str(key)): part for (key,), part in answers.partition_by("judge", as_dict=True).items()
    }
    none = pl.DataFrame(schema=_SCHEMA).with_columns(pl.lit(True).alias("ranked"))
    controls = control_records(campaign)
    rows = [
        _judge_row(judge, by_judge.get(judge.pk, none), controls.get(judge.name), now)
        for judge in campaign.judges.all()
    ]
    return sorted(rows, key=lambda row: (-row.rankings, row.judge))


def _judge_row(
    judge: Judge, answers: pl.DataFrame, controls: ControlRecord | None, now: datetime
) -> JudgeProgress:
    ranked = answers.filter("ranked")
    last = answers["received"].max()
    return JudgeProgress(
        judge=judge.name,
        group=judge.group,
        state=judge.state,
        reason=judge.reason,
        flag=judge.flag,
        rankings=len(ranked),
        skipped=len(answers) - len(ranked),
        repeats=int((ranked["kind"] == "repeat").sum()),
        quota=judge.quota,
        too_fast=int(ranked["too_fast"].sum()),
        same=saying_the_same(ranked),
        controls_met=controls.met if controls else 0,
        controls_failed=controls.failed if controls else 0,
        median_seconds=_median(ranked),
        rankings_per_hour=rankings_per_hour(ranked["received"], now),
        last_answer=last if isinstance(last, datetime) else None,
        active=isinstance(last, datetime) and last > now - ACTIVE_FOR,
    )


def saying_the_same(answers: pl.DataFrame) -> int | None:
    """Number of a judge's answers with the same content, if nearly all of three or more."""
    known = answers.filter(pl.col("says") != "").group_by("protocol", "says").len()["len"]
    most, number = known.max(), int(known.sum())
    if not isinstance(most, int) or number < _FEWEST_ALIKE or most < _NEARLY_ALL * number:
        return None
    return most


def groups_of(
    campaign: Campaign, now: datetime | None = None, answers: pl.DataFrame | None = None
) -> list[GroupProgress]:
    """Progress of all groups of judges, by name."""
    now = now or timezone.now()
    answers = answers_so_far(campaign) if answers is None else answers
    members = list(campaign.judges.values_list("group", flat=True))
    rows = []
    for group in sorted(set(members)):
        part = answers.filter(pl.col("group") == group)
        active = part.filter(pl.col("received") > now - ACTIVE_FOR)
        rows.append(
            GroupProgress(
                group=group,
                judges=members.count(group),
                active_judges=active["judge"].n_unique(),
                rankings=int(part["ranked"].sum()),
                median_seconds=_median(part.filter("ranked")),
            )
        )
    return rows


def protocols_of(campaign: Campaign, answers: pl.DataFrame | None = None) -> list[ProtocolProgress]:
    """Progress of all protocols of the campaign, in order."""
    answers = answers_so_far(campaign) if answers is None else answers
    rows = []
    for protocol, screens in campaign.batches:
        part = answers.filter(pl.col("protocol") == protocol)
        answered = part.filter("ranked")
        rows.append(
            ProtocolProgress(
                protocol=protocol,
                screens=screens,
                answers=len(answered),
                skipped=len(part) - len(answered),
                judges=answered["judge"].n_unique(),
                median_seconds=_median(answered),
            )
        )
    return rows
