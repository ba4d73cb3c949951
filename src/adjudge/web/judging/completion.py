"""Submission of finished crowd work to its platform.

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
    """Target of a submission: a form to post, or (without fields) a link."""

    url: str
    fields: dict[str, str]


def hand_back(request: HttpRequest, judge: Judge, done: int) -> HandBack | None:
    """Submission of the current task; None without any work or task."""
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
    """Test for payable work; in a task that ended early, the judge must have answered at least as
    much as they skipped.
    """
    skipped = work_on_task(judge).skipped
    quota = judge.quota is not None and answered_by(judge) >= judge.quota
    return quota or (answered > 0 and answered >= skipped)


def too_fast_for_it(judge: Judge) -> TaskWork | None:
    """Work on a task that is withheld because it was faster than reading allows."""
    if crowd_of(judge.campaign) is None or not judge.tasks.exists():
        return None
    work = work_on_task(judge)
    return None if work.counts else work


def mturk_submit_url(request: HttpRequest) -> str:
    """Mechanical Turk's submission address for this task, restricted to known hosts."""
    origin = request.GET.get("turkSubmitTo", "").rstrip("/")
    if origin not in settings.MTURK_ORIGINS:
        raise AdjudgeError(
            "turkSubmitTo is not an address of Mechanical Turk; go back and start there"
        )
    return f"{origin}/mturk/externalSubmit"
