"""Work and time of each judge in total, as the basis of payment."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.results.progress import answers_so_far, saying_the_same


@dataclass(frozen=True)
class JudgeWork:
    """Work of a judge; a skipped item is not an answer, but its time counts."""

    judge: str
    group: str
    email: str
    worker: str  # what a crowd platform calls them
    state: str
    items: int
    skipped: int
    too_fast: int  # of the items
    same: int | None  # items of which nearly all say the same; look before paying
    hours: float  # of all items, each by the clock that exports use: mostly the browser's
    server_hours: float  # the same, as far as the server's clock had time for it
    first_answer: datetime | None
    last_answer: datetime | None


def work_of(campaign: Campaign) -> list[JudgeWork]:
    """Work of all judges, including excluded ones, by name."""
    answers = answers_so_far(campaign)
    return [
        _work(judge, answers.filter(pl.col("judge") == judge.pk))
        for judge in campaign.judges.order_by("name")
    ]


def _work(judge: Any, answers: pl.DataFrame) -> JudgeWork:
    first, last = answers["received"].min(), answers["received"].max()
    answered = int(answers["ranked"].sum())
    return JudgeWork(
        judge=judge.name,
        group=judge.group,
        email=judge.email,
        worker=str(judge.platform.get("worker", "")),
        state=judge.state,
        items=answered,
        skipped=len(answers) - answered,
        too_fast=int(answers.filter("ranked")["too_fast"].sum()),
        same=saying_the_same(answers.filter("ranked")),
        hours=round(float(answers["seconds"].sum()) / 3600, 4),
        server_hours=round(float(answers["server_seconds"].sum()) / 3600, 4),
        first_answer=first if isinstance(first, datetime) else None,
        last_answer=last if isinstance(last, datetime) else None,
    )
