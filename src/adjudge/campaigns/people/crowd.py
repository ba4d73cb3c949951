"""Judges who come from a crowd platform, a task at a time.

A worker is one judge, however many tasks they take. Every new task asks for `items` more
(rounded up to whole HITs); coming back to a task asks for nothing more. Judges are numbered:
the platform's name of a worker stays in the database and is in no export.
"""

import secrets
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from django.db import transaction

from adjudge.campaigns.models import Assignment, Campaign, Judge
from adjudge.campaigns.people.invitation import invite
from adjudge.campaigns.store.locks import lock_campaign, lock_judge
from adjudge.errors import AdjudgeError, one_of, within

Platform = Literal["mturk", "prolific"]
_LONGEST_NAME = 200  # of a worker or a task, as platforms call them


@dataclass(frozen=True)
class Crowd:
    """How a campaign meets a platform."""

    platform: Platform
    key: str  # in the address that workers come to
    items: int  # a task
    group: str
    completion_code: str  # Prolific's, for those who have finished


def open_to_crowd(
    campaign: Campaign,
    platform: str,
    items: int,
    completion_code: str = "",
    group: str = "crowd",
) -> Crowd:
    """Let workers of a platform in; a second call changes how, and keeps the address."""
    one_of(platform, get_args(Platform), "platform")
    within(items, "items", 1)
    if platform == "prolific" and not completion_code:
        raise AdjudgeError(
            "Prolific needs the study's completion code; give it with `completion_code`"
        )
    key = campaign.crowd.get("key") or secrets.token_urlsafe(16)
    crowd = Crowd(platform, key, items, group, completion_code)  # type: ignore[arg-type]
    campaign.crowd = asdict(crowd)
    campaign.save(update_fields=["crowd"])
    return crowd


def crowd_of(campaign: Campaign) -> Crowd | None:
    """How this campaign meets a platform, if it does."""
    return Crowd(**campaign.crowd) if campaign.crowd else None


def crowd_campaign(key: str) -> Campaign | None:
    """The campaign to which workers with this key come."""
    return Campaign.objects.filter(crowd__key=key).first()


def start_task(campaign: Campaign, worker: str, task: str, **details: str) -> Judge:
    """The judge who is this worker, with as much to do as this task asks for."""
    for name in (worker, task, *details.values()):
        if len(name) > _LONGEST_NAME or not name.isprintable():
            raise AdjudgeError("the platform's parameters are damaged; go back to the platform")
    if not worker or not task:
        raise AdjudgeError("the platform did not say who you are; go back to it and start there")
    judge = _known(campaign, worker) or _new(campaign, worker)
    return _with_task(judge, task, details)


def _known(campaign: Campaign, worker: str) -> Judge | None:
    return campaign.judges.filter(platform__worker=worker).first()


@transaction.atomic
def _new(campaign: Campaign, worker: str) -> Judge:
    campaign = lock_campaign(campaign.pk)  # no worker twice, no number twice
    crowd = Crowd(**campaign.crowd)
    number = campaign.judges.filter(platform__platform=crowd.platform).count() + 1
    name = f"{crowd.platform}-{number:04d}"
    platform = {"platform": crowd.platform, "worker": worker}
    return (
        _known(campaign, worker)
        or invite(campaign, name, group=crowd.group, platform=platform).judge
    )


@transaction.atomic
def _with_task(judge: Judge, name: str, details: dict[str, str]) -> Judge:
    judge = lock_judge(judge)
    campaign = lock_campaign(judge.campaign_id)
    task = campaign.tasks.filter(name=name).first()
    if task is not None and task.judge_id != judge.pk:
        raise AdjudgeError("this task was taken by somebody else; go back to the platform")
    if task is None:
        answered = answered_by(judge)
        campaign.tasks.create(judge=judge, name=name, details=details, answered_before=answered)
        judge.quota = answered + Crowd(**campaign.crowd).items
        judge.save(update_fields=["quota"])
    return judge


def answered_by(judge: Judge) -> int:
    """What the judge has answered in all: what they skipped is not paid."""
    return judge.assignments.filter(state=Assignment.State.ANSWERED).count()


def answered_before_task(judge: Judge) -> int:
    """What the judge had answered when their present task began."""
    task = judge.tasks.order_by("pk").last()
    return task.answered_before if task else 0
