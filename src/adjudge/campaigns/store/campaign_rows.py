"""Which rows of a backup belong to one campaign.

A row belongs where all that it is a part of belongs (foreign keys that cascade; of the log, the
campaign it tells of). Rows of a backup come in the order of their tables, owners first, so one
pass decides. Projects and people are shared by campaigns: they are not brought along, and a
campaign keeps its place in them only where they are still there.
"""

from collections.abc import Sequence
from typing import Any

from django.db import models

from adjudge.campaigns.models import AuditEntry, Campaign


class OneCampaign:
    """Tells, row after row, what belongs to the campaign of a name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._members: dict[type[models.Model], set[Any]] = {}

    @property
    def is_found(self) -> bool:
        """Was there a campaign of that name?"""
        return bool(self._members.get(Campaign))

    def takes(self, row: models.Model) -> bool:
        """Does it belong? What it refers to elsewhere is cleared where that is gone."""
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
        """The log outlives a campaign: what it kept of this one is replaced by the same again."""
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
