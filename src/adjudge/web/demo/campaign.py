"""Demonstration campaign: the demo corpus, judged by simulated judges."""

from django.db import transaction

from adjudge.campaigns.design import design_named
from adjudge.campaigns.models import Campaign
from adjudge.campaigns.people.invitation import Invitation, invite, replace_link
from adjudge.campaigns.people.simulated import simulate_judges
from adjudge.campaigns.setup.creation import create_campaign
from adjudge.campaigns.setup.tutorial import Tutorial
from adjudge.web.demo.corpus import corpus, quality, tutorial

NAME = "Demo (simulated judges)"
RANKINGS = 300
JUDGES = 8
GUEST = "guest"
NOISE, THRESHOLD = 0.35, 0.25  # give the agreement that WMT sees


@transaction.atomic
def demo_campaign(seed: int = 1) -> Campaign:
    """Return the demonstration campaign of this database, creating it half judged if needed."""
    existing = Campaign.objects.filter(name=NAME).first()
    if existing is not None:
        return existing
    campaign = create_campaign(
        NAME, corpus(), design_named("recommended"), tutorial=Tutorial(tutorial()), seed=seed
    )
    simulate_judges(
        campaign,
        quality,
        seed=seed,
        answers=RANKINGS,
        judges=JUDGES,
        noise=NOISE,
        threshold=THRESHOLD,
    )
    return campaign


@transaction.atomic
def invite_guest() -> Invitation:
    """Create a link for a guest; the previous one becomes invalid."""
    campaign = demo_campaign()
    known = campaign.judges.filter(name=GUEST).first()
    return invite(campaign, GUEST, group="guests") if known is None else replace_link(known)
