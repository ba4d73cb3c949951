"""What was asked of judges, and since when: every change makes a new version, and is logged.

An assignment keeps the version it was given under, and exports say it (`design`). The first
version is stored when it ends: a campaign that was never changed has none.

Where a change touches what is shown together, HITs that were drawn before are given to nobody
else: a new system would never meet the others in them.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from adjudge.campaigns.design import Design
from adjudge.campaigns.models import Assignment, Campaign, DesignVersion, Hit, Run
from adjudge.campaigns.store.audit import record
from adjudge.campaigns.store.locks import lock_campaign

# Values of the design that decide what a HIT shows.
_SHOWN_TOGETHER = ("block", "long_words", "long_block", "reference_rate", "balance")


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
            if _draws(after) != _draws(before):
                _retire_hits(locked)
            details |= {"version": locked.version}
        record(locked, who, what, details)
    campaign.refresh_from_db()


def _draws(asked: Mapping[str, Any]) -> list[object]:
    """All that decides what is shown together, of what judges are asked."""
    values = Design.from_json(asked["values"]).to_json()
    return [asked["systems"], *(values[name] for name in _SHOWN_TOGETHER)]


def _retire_hits(campaign: Campaign) -> None:
    """What was drawn before stays with those who have it; others get what is drawn from now on.

    Runs of which nobody has judged what was drawn count as not drawn.
    """
    hits = campaign.hits.filter(retired=False, kind__in=(Hit.Kind.EXCLUSIVE, Hit.Kind.COMMON))
    kept = Assignment.objects.exclude(state=Assignment.State.RETURNED)
    for run in hits.exclude(assignments__in=kept).values_list("run", flat=True):
        Run.objects.filter(pk=run, drawn__gt=0).update(drawn=F("drawn") - 1)
    hits.update(retired=True)


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
