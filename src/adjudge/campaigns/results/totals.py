"""Totals of each campaign in few queries."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Q
from django.utils import timezone

from adjudge.campaigns.models import Answer, Assignment, Campaign, Judge
from adjudge.campaigns.store.queries import standing

_LATELY = timedelta(minutes=10)


@dataclass(frozen=True)
class Totals:
    """Totals of one campaign."""

    campaign: str
    answers: int
    skips: int
    too_fast: int
    judges: int
    active_judges: int
    open_items: int


def totals_of_campaigns() -> list[Totals]:
    """Totals of all campaigns, by name."""
    since = timezone.now() - _LATELY
    by_campaign = "assignment__judge__campaign"
    answers = (
        standing(Answer.objects.all())
        .values(by_campaign)
        .annotate(
            answers=Count("pk", filter=Q(skipped="")),
            skips=Count("pk", filter=~Q(skipped="")),
            too_fast=Count("pk", filter=Q(too_fast=True)),
        )
    )
    counted = {row.pop(by_campaign): row for row in answers.order_by(by_campaign)}
    judges = Judge.objects.values("campaign").annotate(judges=Count("pk"))
    invited = dict(judges.order_by("campaign").values_list("campaign", "judges"))
    recent = Answer.objects.filter(received__gte=since).values(by_campaign)
    active = recent.annotate(judges=Count("assignment__judge", distinct=True))
    at_work = dict(active.order_by(by_campaign).values_list(by_campaign, "judges"))
    given = Assignment.objects.filter(state=Assignment.State.OPEN).values("judge__campaign")
    opened = given.annotate(items=Count("pk")).order_by("judge__campaign")
    unfinished = dict(opened.values_list("judge__campaign", "items"))
    return [
        Totals(
            campaign=name,
            judges=invited.get(key, 0),
            active_judges=at_work.get(key, 0),
            open_items=unfinished.get(key, 0),
            **counted.get(key, {"answers": 0, "skips": 0, "too_fast": 0}),
        )
        for key, name in Campaign.objects.order_by("name").values_list("pk", "name")
    ]
