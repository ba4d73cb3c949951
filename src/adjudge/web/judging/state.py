"""What the judging page's script knows: items, progress and words. No system, no control."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from adjudge.campaigns.errors import NoItem
from adjudge.campaigns.models import Judge
from adjudge.campaigns.people.own_progress import judge_progress
from adjudge.campaigns.work.assignment import next_items
from adjudge.campaigns.work.screen import screen_of
from adjudge.web.judging.words import words

LOADED = 3  # items in the browser: the current one and those after it


def work_of(judge: Judge) -> dict[str, Any]:
    """What to do now, or why there is nothing (`end`)."""
    items, end = [], None
    try:
        items = [asdict(screen_of(assignment)) for assignment in next_items(judge, LOADED)]
    except NoItem as reason:
        end = reason.code
    return {"items": items, "end": end, "progress": judge_progress(judge)}


def page_state(
    work: Mapping[str, Any], judge: str, urls: Mapping[str, str], headers: Mapping[str, str]
) -> dict[str, Any]:
    """All the page starts with. `headers` go with every request; no `urls`: just to look at."""
    return {**work, "judge": judge, "urls": urls, "headers": headers, "words": words()}
