"""Answers faster than anyone reads are flagged, never refused; crowd work of them is not paid.

The floor is the length of what has to be read (`Protocol.reads`) at the design's
`fastest_reading`, 250 characters a second. People read English silently at 238 words a minute
(Brysbaert 2019, a meta-analysis of 190 studies), about 24 characters a second with the spaces: the
floor is a tenth of what an ordinary reader needs, so that nobody who skims is under it.
"""

from collections.abc import Iterable

from adjudge.campaigns.models import Answer, Campaign


def is_too_fast(
    campaign: Campaign, read: Iterable[str], answer: Answer, server: float | None
) -> bool:
    """Did nobody read these texts? The shortest time that a clock leaves for it counts: the
    browser's can be put forward. `server`: the seconds that the server's leaves."""
    clocks = (answer.active_seconds, answer.browser_seconds, server)
    times = [seconds for seconds in clocks if seconds is not None]
    if not times or answer.skipped:
        return False
    return sum(map(len, read)) / campaign.design.fastest_reading > min(times)
