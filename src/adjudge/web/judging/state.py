"""What the judging page's script knows: items, progress and words. No system, no control."""

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
    """How many items a browser gets: the current one and those after it; no less than a batch."""
    batches = [
        screens or PROTOCOLS.named(protocol).batch for protocol, screens in judge.campaign.batches
    ]
    return max(LOADED, *batches)


def upcoming(judge: Judge) -> Upcoming:
    """Give out what comes next; the reason where there is nothing."""
    try:
        return next_items(judge, loaded(judge)), None
    except NoItem as reason:
        return [], reason.code


def at_hand(judge: Judge) -> Upcoming:
    """What a page starts with: what the judge has, which needs no write, or what comes next."""
    try:
        items = items_at_hand(judge, loaded(judge))
    except NoItem as reason:
        return [], reason.code
    return (items, None) if items else upcoming(judge)


def work_of(
    judge: Judge, known: Collection[str] = (), coming: Upcoming | None = None
) -> dict[str, Any]:
    """What to do now, without the items the browser has (`known`), or why there is nothing
    (`end`). `coming`: what was given out already."""
    assignments, end = at_hand(judge) if coming is None else coming
    new = [assignment for assignment in assignments if assignment.key not in known]
    items = [asdict(screen) for screen in screens_of(new)]
    return {"items": items, "end": end, "progress": judge_progress(judge)}


def page_state(
    work: Mapping[str, Any], judge: str, urls: Mapping[str, str], headers: Mapping[str, str]
) -> dict[str, Any]:
    """All the page starts with. `headers` go with every request; no `urls`: just to look at."""
    return {**work, "judge": judge, "urls": urls, "headers": headers, "words": words()}
