"""Remarks of judges to the organisers: comments on items, messages, reasons for skipping."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from adjudge.campaigns.errors import Refused
from adjudge.campaigns.models import Answer, Campaign, Judge, Remark
from adjudge.campaigns.store.queries import lock_judge, standing
from adjudge.campaigns.work.answers import LONGEST_KEY, SHORTEST_KEY

LONGEST_REMARK = 2000

Kind = Literal["comment", "message", "skipped"]


@dataclass(frozen=True)
class Said:
    """Text by a judge: a comment on an item, a message, or a reason for skipping."""

    kind: Kind
    judge: str
    judge_key: int
    at: datetime
    text: str
    document: str | None  # of the item
    segment: str | None
    source: str | None


@transaction.atomic
def remark(
    judge: Judge, key: str, text: str, about: str | None = None, now: datetime | None = None
) -> Remark:
    """Store a comment on the item of the key `about`, or (None) a message; idempotent per `key`."""
    text = text.strip()
    if not text or len(text) > LONGEST_REMARK or "\0" in text:
        raise Refused("remark", f"write 1 to {LONGEST_REMARK} characters")
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise Refused("key", f"a remark needs a key of {SHORTEST_KEY} to {LONGEST_KEY} characters")
    lock_judge(judge)
    earlier = Remark.objects.filter(key=key).first()
    if earlier is not None:
        if earlier.judge_id != judge.pk:
            raise Refused("key", "this key belongs to another remark; send a new one")
        return earlier
    given = None if about is None else judge.assignments.filter(key=about).first()
    if about is not None and given is None:
        raise Refused("item", "this item was not given to you; reload the page")
    received = now or timezone.now()
    return Remark.objects.create(
        judge=judge, assignment=given, key=key, text=text, received=received
    )


def said_in(campaign: Campaign, judge: Judge | None = None) -> list[Said]:
    """Texts by judges (or by one of them), the newest first."""
    remarks = Remark.objects.filter(judge__campaign=campaign)
    skips = _skips(campaign)
    if judge is not None:
        remarks, skips = remarks.filter(judge=judge), skips.filter(assignment__judge=judge)
    segment = "assignment__item__segment"
    of_item = (f"{segment}__document__name", f"{segment}__name", f"{segment}__source")
    written = [
        Said("comment" if row[4] is not None else "message", *row)
        for row in remarks.values_list("judge__name", "judge", "received", "text", *of_item)
    ]
    who = ("assignment__judge__name", "assignment__judge", "received", "skipped")
    written += [Said("skipped", *row) for row in skips.values_list(*who, *of_item)]
    return sorted(written, key=lambda said: said.at, reverse=True)


def skip_reasons(campaign: Campaign) -> list[tuple[str, int]]:
    """Reasons for skipping, the most frequent first."""
    return Counter(_skips(campaign).values_list("skipped", flat=True)).most_common()


def _skips(campaign: Campaign) -> QuerySet[Answer]:
    answers = Answer.objects.filter(assignment__judge__campaign=campaign)
    return standing(answers).exclude(skipped="")
