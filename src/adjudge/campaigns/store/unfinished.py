"""Campaigns in creation or deletion, in steps and hidden meanwhile.

`Campaign.objects` leaves them out, their judges cannot enter, and the name they will have is
free until they have it. What an interrupted process left is removed by the next one that makes
or deletes a campaign.
"""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, OperationalError, connection, models, transaction
from django.utils import timezone

from adjudge.campaigns.models import (
    Answer,
    Assignment,
    Campaign,
    Hit,
    Item,
    Judge,
    Output,
    Part,
    Remark,
    Run,
    Segment,
    Task,
)
from adjudge.campaigns.store.short_transactions import in_steps
from adjudge.core.errors import AdjudgeError

# Every step says that somebody is at it.
ABANDONED = timedelta(minutes=10)
_ROWS = 500  # deleted at a time
# What there may be much of, and whose it is; what depends on others first.
_PARTS: tuple[tuple[type[models.Model], str], ...] = (
    (Remark, "judge__campaign"),
    (Answer, "assignment__judge__campaign"),
    (Assignment, "judge__campaign"),
    (Item, "hit__campaign"),
    (Hit, "campaign"),
    (Task, "campaign"),
    (Judge, "campaign"),
    (Output, "segment__campaign"),
    (Part, "segment__campaign"),
    (Segment, "campaign"),
    (Run, "campaign"),
)


class Making:
    """Campaigns in creation."""

    def __init__(self) -> None:
        self.campaigns: list[Campaign] = []

    def new(self, **values: Any) -> Campaign:
        """Create a hidden campaign."""
        campaign = Campaign(**values)
        self.adopt(campaign)
        campaign.save(force_insert=True)
        return campaign

    def adopt(self, campaign: Campaign) -> None:
        """Adopt a campaign to be stored; it gets its name when shown."""
        campaign.name, campaign.making = _nameless(), timezone.now()
        self.campaigns.append(campaign)

    @property
    def unfinished(self) -> list[Campaign]:
        """Campaigns that are still hidden."""
        return [campaign for campaign in self.campaigns if campaign.making is not None]

    def in_steps(self, work: Iterable[object]) -> None:
        """Store rows of these campaigns in steps."""
        in_steps(work, self._beat)

    def show(self, campaign: Campaign, name: str) -> None:
        """Show the complete campaign under its name when the transaction ends."""
        there = Campaign.everything.filter(pk=campaign.pk, making__isnull=False)
        try:
            with transaction.atomic():
                shown = there.update(name=name, making=None)
        except IntegrityError:
            raise AdjudgeError(
                f"there is a campaign {name!r} already; choose another name"
            ) from None
        if not shown:
            raise AdjudgeError(f"the campaign {name!r} was removed meanwhile; create it again")
        campaign.name, campaign.making = name, None

    def _beat(self) -> None:
        keys = [campaign.pk for campaign in self.campaigns]
        Campaign.everything.filter(pk__in=keys, making__isnull=False).update(making=timezone.now())


@contextmanager
def making() -> Iterator[Making]:
    """Create campaigns; remove them if the block does not complete."""
    made = Making()
    if connection.in_atomic_block:
        with transaction.atomic():
            yield made
            remove(made.unfinished)
        return
    remove_abandoned()
    try:
        yield made
    finally:
        remove(made.unfinished)


def hide(campaign: Campaign) -> None:
    """Hide a campaign and free its name when the transaction ends."""
    campaign.name, campaign.making = _nameless(), timezone.now()
    campaign.save(update_fields=["name", "making"])
    campaign.audit.update(campaign=None)


def remove(campaigns: Iterable[Campaign]) -> None:
    """Delete hidden campaigns in steps; failures are retried later."""
    for campaign in campaigns:
        # Its row may be another's, where it could not be stored.
        if not Campaign.everything.filter(pk=campaign.pk, name=campaign.name).exists():
            continue
        made = Making()
        made.campaigns.append(campaign)
        with nullcontext() if connection.in_atomic_block else suppress(OperationalError):
            made.in_steps(_removed(campaign))


def remove_abandoned() -> None:
    """Delete remains of interrupted processes."""
    limit = timezone.now() - ABANDONED
    for campaign in Campaign.everything.filter(making__lt=limit):
        claimed = Campaign.everything.filter(pk=campaign.pk, making=campaign.making)
        if claimed.update(making=timezone.now()):
            remove([campaign])


def _removed(campaign: Campaign) -> Iterator[None]:
    for model, owner in _PARTS:
        rows = model._default_manager.filter(**{owner: campaign.pk})
        while keys := list(rows.order_by("-pk").values_list("pk", flat=True)[:_ROWS]):
            model._default_manager.filter(pk__in=keys).delete()
            yield
    campaign.delete()


def _nameless() -> str:
    return f"(unfinished {secrets.token_hex(8)})"
