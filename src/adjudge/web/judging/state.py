"""State sent to the judging page's script: items, progress and texts, without systems or
controls.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.models import Assignment, Judge
from adjudge.campaigns.people.own_progress import judge_progress
from adjudge.campaigns.protocols import PROTOCOLS
from adjudge.campaigns.work.assignment import items_at_hand, next_items
from adjudge.campaigns.work.screen import screens_of
from adjudge.web.judging.words import words

Upcoming = tuple[list[Assignment], str | None]
LOADED = 10  # items at least, so that a judge can go on for a while without a network


def loaded(judge: Judge) -> int:
    """Number of items preloaded by a browser: at least a batch."""
    batches = [
        screens or PROTOCOLS.named(protocol).batch for protocol, screens in judge.campaign.batches
    ]
    return max(LOADED, *batches)


def upcoming(judge: Judge) -> Upcoming:
    """Assign the next items, or give the reason why there are none."""
    try:
        return next_items(judge, loaded(judge)), None
    except NoItem as reason:
        return [], reason.code


def at_hand(judge: Judge) -> Upcoming:
    """Initial items of a page: those in progress, which need no write, or the next ones."""
    try:
        items = items_at_hand(judge, loaded(judge))
    except NoItem as reason:
        return [], reason.code
    return (items, None) if items else upcoming(judge)


def work_of(
    judge: Judge, known: Collection[str] = (), coming: Upcoming | None = None
) -> dict[str, Any]:
    """Work of the judge without the items known to the browser (`known`), or the reason for the end
    (`end`); `coming`: items assigned already.
    """
    assignments, end = at_hand(judge) if coming is None else coming
    new = [assignment for assignment in assignments if assignment.key not in known]
    items = [asdict(screen) for screen in screens_of(new)]
    return {"items": items, "end": end, "progress": judge_progress(judge)}


def page_state(
    work: Mapping[str, Any], judge: str, urls: Mapping[str, str], headers: Mapping[str, str]
) -> dict[str, Any]:
    """Initial state of the page; `headers` accompany every request; without `urls`, for viewing
    only.
    """
    return {**work, "judge": judge, "urls": urls, "headers": headers, "words": words()}
