"""Answers faster than anyone reads are flagged, never refused."""

from collections.abc import Iterable

from adjudge.campaigns.models import Answer, Campaign


def is_too_fast(campaign: Campaign, read: Iterable[str], answer: Answer) -> bool:
    """Did nobody read these texts? By the browser's active time, or else by the server's clock."""
    known = (answer.active_seconds, answer.browser_seconds, answer.seconds)
    seconds = next((one for one in known if one is not None), None)
    if seconds is None or answer.skipped:
        return False
    return sum(map(len, read)) / campaign.plan.fastest_reading > seconds
