"""How finished crowd work goes back to its platform.

Mechanical Turk: a form that posts assignmentId to `{turkSubmitTo}/mturk/externalSubmit`.
Prolific: a link that carries the study's completion code.
"""

from dataclasses import dataclass
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest

from adjudge.campaigns.models import Judge
from adjudge.campaigns.people.crowd import TaskWork, answered_by, crowd_of, work_on_task
from adjudge.core.errors import AdjudgeError


@dataclass(frozen=True)
class HandBack:
    """Where a worker goes with finished work: a form to post, or (without fields) a link."""

    url: str
    fields: dict[str, str]


def hand_back(request: HttpRequest, judge: Judge, done: int) -> HandBack | None:
    """How the judge gives back the task at hand; None if nothing of it was done, or no task."""
    crowd = crowd_of(judge.campaign)
    if crowd is None or not judge.tasks.exists() or not _earned(judge, done):
        return None
    if not work_on_task(judge).counts:
        return None
    if crowd.platform == "prolific":
        code = quote(crowd.completion_code, safe="")
        return HandBack(f"{settings.PROLIFIC_ORIGIN}/submissions/complete?cc={code}", {})
    fields = {"assignmentId": request.GET.get("assignmentId", ""), "judged": str(done)}
    return HandBack(mturk_submit_url(request), fields)


def _earned(judge: Judge, answered: int) -> bool:
    """Is there work to be paid for? Of a task that ended early (nothing is left, the campaign is
    closed), only where they answered at least as much as they skipped."""
    skipped = work_on_task(judge).skipped
    quota = judge.quota is not None and answered_by(judge) >= judge.quota
    return quota or (answered > 0 and answered >= skipped)


def too_fast_for_it(judge: Judge) -> TaskWork | None:
    """The work on a task that is not handed back because it was faster than anyone reads."""
    if crowd_of(judge.campaign) is None or not judge.tasks.exists():
        return None
    work = work_on_task(judge)
    return None if work.counts else work


def mturk_submit_url(request: HttpRequest) -> str:
    """Where Mechanical Turk wants this task handed back; only to addresses known as theirs."""
    origin = request.GET.get("turkSubmitTo", "").rstrip("/")
    if origin not in settings.MTURK_ORIGINS:
        raise AdjudgeError("turkSubmitTo is no address of Mechanical Turk; go back and start there")
    return f"{origin}/mturk/externalSubmit"
