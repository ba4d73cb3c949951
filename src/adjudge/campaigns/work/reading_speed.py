"""Answers faster than anyone reads are flagged, never refused."""

from collections.abc import Iterable

from adjudge.campaigns.models import Answer, Campaign


def is_too_fast(campaign: Campaign, read: Iterable[str], answer: Answer) -> bool:
    """Did nobody read these texts? The shortest time that a clock leaves for it counts: the
    browser's can be put forward."""
    clocks = (answer.active_seconds, answer.browser_seconds, answer.seconds)
    times = [seconds for seconds in clocks if seconds is not None]
    if not times or answer.skipped:
        return False
    return sum(map(len, read)) / campaign.design.fastest_reading > min(times)
