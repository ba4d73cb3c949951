"""Answers faster than anyone reads are flagged, never refused."""

from collections.abc import Iterable

from adjudge.campaigns.models import Answer, Campaign
from adjudge.campaigns.store.standing import seconds_spent


def is_too_fast(campaign: Campaign, read: Iterable[str], answer: Answer) -> bool:
    """Did nobody read these texts?"""
    seconds = seconds_spent(answer)
    if seconds is None or answer.skipped:
        return False
    return sum(map(len, read)) / campaign.design.fastest_reading > seconds
