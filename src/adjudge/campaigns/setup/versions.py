"""What was asked of judges, and since when: every change makes a new version, and is logged.

An assignment keeps the version it was given under, and exports say it (`design`). The first
version is stored when it ends: a campaign that was never changed has none.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils import timezone

from adjudge.campaigns.models import Campaign, DesignVersion
from adjudge.campaigns.store.audit import record
from adjudge.campaigns.store.locks import lock_campaign


def asked_now(campaign: Campaign) -> dict[str, Any]:
    """All that decides what judges are given and told."""
    return {
        "values": campaign.design_values,
        "protocols": campaign.batches,
        "instructions": campaign.instructions,
        "show_reference": campaign.show_reference,
        "systems": sorted(campaign.systems.values_list("name", flat=True)),
        "documents": campaign.documents.count(),
        "segments": campaign.segments.count(),
    }


@contextmanager
def changing(campaign: Campaign, who: str, what: str, **details: Any) -> Iterator[Campaign]:
    """The campaign, locked, to be changed; then the log says so, and there is a new version if
    anything that judges are asked is another."""
    with transaction.atomic():
        locked = lock_campaign(campaign.pk)
        before = asked_now(locked)
        yield locked
        after = asked_now(locked)
        if after != before:
            if locked.version == 1:
                _store(locked, locked.created, before)
            locked.version += 1
            locked.save(update_fields=["version"])
            _store(locked, timezone.now(), after)
            details |= {"version": locked.version}
        record(locked, who, what, details)
    campaign.refresh_from_db()


def _store(campaign: Campaign, since: Any, asked: Mapping[str, Any]) -> None:
    DesignVersion.objects.create(
        campaign=campaign, number=campaign.version, since=since, said=dict(asked)
    )


def versions_of(campaign: Campaign) -> list[dict[str, Any]]:
    """Every version there was, as it can be written to a file."""
    stored = [
        {"design": str(version.number), "since": version.since, **version.said}
        for version in campaign.versions.order_by("number")
    ]
    return stored or [{"design": "1", "since": campaign.created, **asked_now(campaign)}]
