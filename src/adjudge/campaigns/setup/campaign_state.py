"""Finding a campaign, closing it and opening it again."""

from datetime import datetime

from django.utils import timezone

from adjudge.campaigns.models import Campaign
from adjudge.core.errors import AdjudgeError, instead_of


def campaign_named(name: str) -> Campaign:
    """The campaign of that name."""
    campaign = Campaign.objects.filter(name=name).first()
    if campaign is None:
        names = list(Campaign.objects.order_by("name").values_list("name", flat=True))
        raise AdjudgeError(f"no campaign {name!r}; {instead_of(name, names)}")
    return campaign


def close(campaign: Campaign, now: datetime | None = None) -> None:
    """Give out no more work. Later answers are kept but no longer exported."""
    campaign.state, campaign.closed = Campaign.State.CLOSED, now or timezone.now()
    campaign.save(update_fields=["state", "closed"])


def reopen(campaign: Campaign) -> None:
    """Go on; what came in meanwhile counts."""
    campaign.state, campaign.closed = Campaign.State.OPEN, None
    campaign.save(update_fields=["state", "closed"])
