"""Access control of campaigns for organisers.

| role          | sees                          | changes |
|---------------|-------------------------------|---------|
| administrator | every campaign                | every campaign, all accounts |
| owner         | the campaign and its seed     | the campaign; shares it with others |
| analyst       | the campaign without its seed | nothing |

Who creates a campaign on the pages owns it. One made by command has the owner it was given, or
none: then administrators see it, until they share it. An analyst may also be a participant or a
judge, so analysts do not learn the seed, from which follows what judges will be shown.
"""

from dataclasses import dataclass

from django.db.models import QuerySet

from adjudge.campaigns.models import Access, Campaign
from adjudge.campaigns.store.audit import record, recorded
from adjudge.core.errors import AdjudgeError, one_of

Role = Access.Role


@dataclass(frozen=True)
class Organiser:
    """Organiser, by user name."""

    name: str
    is_administrator: bool = False


def visible_campaigns(organiser: Organiser) -> QuerySet[Campaign]:
    """Campaigns that an organiser may see."""
    if organiser.is_administrator:
        return Campaign.objects.all()
    return Campaign.objects.filter(access__organiser=organiser.name)


def may_see(organiser: Organiser, campaign: Campaign) -> bool:
    """Test for read access: administrators, owners and analysts."""
    return organiser.is_administrator or _role(organiser, campaign) is not None


def may_change(organiser: Organiser, campaign: Campaign) -> bool:
    """Test for write access: administrators and owners, who also see the seed and share the
    campaign.
    """
    return organiser.is_administrator or _role(organiser, campaign) == Role.OWNER


def _role(organiser: Organiser, campaign: Campaign) -> str | None:
    own = campaign.access.filter(organiser=organiser.name)
    return own.values_list("role", flat=True).first()


def record_creation(campaign: Campaign, by: str, owner: str | None) -> None:
    """Record the creation of a campaign and its owner."""
    record(campaign, by, "created the campaign", {"owner": owner} if owner else {})
    if owner is not None:
        campaign.access.create(organiser=owner, role=Role.OWNER)


def share(campaign: Campaign, name: str, role: str, by: str) -> None:
    """Make an organiser owner or analyst of a campaign."""
    chosen = one_of(role, Role.values, "role")
    with recorded(campaign, by, "shared the campaign", organiser=name, role=chosen):
        campaign.access.update_or_create(organiser=name, defaults={"role": chosen})


def unshare(campaign: Campaign, name: str, by: str) -> None:
    """Revoke an organiser's access to a campaign."""
    with recorded(campaign, by, "ended the sharing of the campaign", organiser=name):
        ended, _ = campaign.access.filter(organiser=name).delete()
        if not ended:
            raise AdjudgeError(f"{campaign.name} is not shared with {name}; nothing was changed")


def end_all(name: str, by: str) -> None:
    """Revoke all access of an organiser."""
    for access in Access.objects.filter(organiser=name).select_related("campaign"):
        unshare(access.campaign, name, by)
