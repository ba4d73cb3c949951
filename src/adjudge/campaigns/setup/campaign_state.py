"""Lookup, closing and reopening of campaigns."""

from datetime import datetime

from django.utils import timezone

from adjudge.campaigns.models import Campaign
from adjudge.core.errors import AdjudgeError, instead_of


def campaign_named(name: str) -> Campaign:
    """Find the campaign of that name."""
    campaign = Campaign.objects.filter(name=name).first()
    if campaign is None:
        names = list(Campaign.objects.order_by("name").values_list("name", flat=True))
        raise AdjudgeError(f"no campaign {name!r}; {instead_of(name, names)}")
    return campaign


def close(campaign: Campaign, now: datetime | None = None) -> None:
    """Stop assigning work; later answers are kept but not exported."""
    campaign.state, campaign.closed = Campaign.State.CLOSED, now or timezone.now()
    campaign.save(update_fields=["state", "closed"])


def reopen(campaign: Campaign) -> None:
    """Reopen; answers received meanwhile count."""
    campaign.state, campaign.closed = Campaign.State.OPEN, None
    campaign.save(update_fields=["state", "closed"])
