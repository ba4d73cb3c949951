"""Shared queries: row locks, current answers, the rows of one campaign.

Row locks are always taken in this order: the judge, then the campaign.

SQLite has no row locks and needs none: there a transaction that writes is alone.

The current revision of an answer counts, timed by one of two clocks.

Rows of a backup are filtered by campaign.

A row belongs where all that it is a part of belongs (foreign keys that cascade; of the log, the
campaign it tells of). Rows of a backup come in the order of their tables, owners first, so one
pass decides. Projects and people are shared by campaigns: they are not brought along, and a
campaign keeps its place in them only where they are still there.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from adjudge.campaigns.models import Answer, AuditEntry, Campaign, Judge


def lock_judge(judge: Judge) -> Judge:
    """Lock and reload the judge for this transaction, so that two tabs of one judge take turns."""
    return Judge.objects.select_for_update(no_key=True).get(pk=judge.pk)


def lock_campaign(key: int) -> Campaign:
    """Lock and reload the campaign for this transaction, so that HITs are drawn one after
    another.
    """
    return Campaign.objects.select_for_update(no_key=True).get(pk=key)


# The first that says anything counts: the browser's without pauses, the browser's, the server's.
_CLOCKS = ("active_seconds", "browser_seconds", "seconds")


def standing(answers: QuerySet[Answer], until: datetime | None = None) -> QuerySet[Answer]:
    """Current answers: the highest revision of every assignment (at the time `until`)."""
    later = Answer.objects.filter(
        assignment=OuterRef("assignment"), revision__gt=OuterRef("revision")
    )
    if until is not None:
        answers, later = (chosen.filter(received__lte=until) for chosen in (answers, later))
    return answers.filter(~Exists(later))


def seconds_spent(answer: Answer) -> float | None:
    """Time that the judge took for an answer in seconds; None if no clock measured it."""
    times = (getattr(answer, clock) for clock in _CLOCKS)
    return next((seconds for seconds in times if seconds is not None), None)


def stored_seconds_spent() -> Coalesce:
    """Query expression for the time that the judge took."""
    return Coalesce(*_CLOCKS)


class OneCampaign:
    """Filter for the rows of the campaign of a name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._members: dict[type[models.Model], set[Any]] = {}

    @property
    def is_found(self) -> bool:
        """Test whether a campaign of that name exists."""
        return bool(self._members.get(Campaign))

    def takes(self, row: models.Model) -> bool:
        """Test whether a row belongs; references to missing rows elsewhere are cleared."""
        if isinstance(row, Campaign):
            belongs = row.name == self.name
        else:
            owners = [field for field in _references(row) if _owns(field)]
            decided = [field for field in owners if field.related_model in self._members]
            belongs = bool(decided) and all(self._is_member(row, field) for field in decided)
        members = self._members.setdefault(type(row), set())
        if belongs:
            members.add(row.pk)
            self._clear(row)
        return belongs

    def make_room(self, rows: Sequence[models.Model]) -> None:
        """Replace the kept log of this campaign, which outlives it, by the same entries."""
        entries = [row.pk for row in rows if isinstance(row, AuditEntry)]
        kept = AuditEntry.objects.filter(campaign=None, campaign_name=self.name)
        kept.filter(pk__in=entries).delete()

    def _is_member(self, row: models.Model, field: "models.ForeignKey[Any, Any]") -> bool:
        value = getattr(row, field.attname)
        nobodys = value is None and field.remote_field.on_delete is models.CASCADE
        return nobodys or value in self._members[field.related_model]

    def _clear(self, row: models.Model) -> None:
        for field in _references(row):
            value, other = getattr(row, field.attname), field.related_model
            if value is None or _owns(field) or value in self._members.get(other, ()):
                continue
            if not other._default_manager.filter(pk=value).exists():
                setattr(row, field.attname, None)


def _references(row: models.Model) -> "list[models.ForeignKey[Any, Any]]":
    return [
        field
        for field in row._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and field.related_model is not type(row)
    ]


def _owns(field: "models.ForeignKey[Any, Any]") -> bool:
    return field.related_model is Campaign or field.remote_field.on_delete is models.CASCADE
