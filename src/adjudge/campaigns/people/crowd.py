"""Judges who come from a crowd platform, a task at a time.

A worker is one judge, however many tasks they take. Every new task asks for `items` more
(rounded up to whole HITs); coming back to a task asks for nothing more. What is skipped is not
paid: another item comes instead. Judges are numbered: the platform's name of a worker stays in
the database and is in no export.

Who comes with made-up names gets little from it: a task belongs to the first worker who brings
it, there are only so many `tasks`, Prolific can sign who comes (`signed`, `web.judging.signed`),
and what the platform does not know afterwards is excluded (`check_with_platform`).
"""

import secrets
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Literal, get_args

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from adjudge.campaigns.models import Assignment, Campaign, Judge
from adjudge.campaigns.people.invitation import invite
from adjudge.campaigns.people.judges import exclude
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
    tasks: int = 100  # ordered on the platform
    signed: bool = False  # Prolific signs who comes


def open_to_crowd(
    campaign: Campaign,
    platform: str,
    items: int,
    completion_code: str = "",
    group: str = "crowd",
    *,
    tasks: int = 100,
    signed: bool = False,
) -> Crowd:
    """Let workers of a platform in; a second call changes how, and keeps the address."""
    one_of(platform, get_args(Platform), "platform")
    within(items, "items", 1)
    within(tasks, "tasks", 1)
    if signed and platform != "prolific":
        raise AdjudgeError("only Prolific signs who comes; leave `signed` out")
    if platform == "prolific" and not completion_code:
        raise AdjudgeError(
            "Prolific needs the study's completion code; give it with `completion_code`"
        )
    key = campaign.crowd.get("key") or secrets.token_urlsafe(16)
    crowd = Crowd(platform, key, items, group, completion_code, tasks, signed)  # type: ignore[arg-type]
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
    _refuse_taken(campaign, worker, task)
    judge = _known(campaign, worker) or _new(campaign, worker)
    return _with_task(judge, task, details)


def _refuse_taken(campaign: Campaign, worker: str, task: str) -> None:
    """Refuse, before a judge is made, a task of somebody else, or one too many."""
    known = campaign.tasks.filter(name=task).select_related("judge").first()
    if known is not None and known.judge.platform.get("worker") != worker:
        raise AdjudgeError("this task was taken by somebody else; go back to the platform")
    if known is None and _tasks_in_use(campaign) >= Crowd(**campaign.crowd).tasks:
        raise AdjudgeError("all tasks of this campaign are taken; go back to the platform")


def _tasks_in_use(campaign: Campaign) -> int:
    """Tasks that were worked on, or begun so lately that they may be."""
    limit = timezone.now() - timedelta(hours=campaign.design.abandoned_hours)
    answered = Assignment.objects.filter(
        judge=OuterRef("judge"),
        state=Assignment.State.ANSWERED,
        finished__gte=OuterRef("created"),
    )
    in_use = Q(created__gte=limit) | Exists(answered)
    return campaign.tasks.filter(in_use).count()


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
    _refuse_taken(campaign, str(judge.platform.get("worker")), name)
    if not campaign.tasks.filter(name=name).exists():
        answered = answered_by(judge)
        campaign.tasks.create(judge=judge, name=name, details=details, answered_before=answered)
        judge.quota = answered + Crowd(**campaign.crowd).items
        judge.save(update_fields=["quota"])
    return judge


def answered_by(judge: Judge) -> int:
    """What the judge has answered in all: what they skipped is not paid."""
    return judge.assignments.filter(state=Assignment.State.ANSWERED).count()


def check_with_platform(campaign: Campaign, known: Collection[tuple[str, str]]) -> list[Judge]:
    """Exclude the workers who came with a task that the platform does not know as theirs.

    `known`: the workers and their tasks, as the platform lists them.
    """
    strangers = {
        task.judge_id: task.judge
        for task in campaign.tasks.select_related("judge__campaign").order_by("pk")
        if (task.judge.platform.get("worker"), task.name) not in known
        and task.judge.state != Judge.State.EXCLUDED
    }
    for judge in strangers.values():
        exclude(judge, "came with a task that the platform does not know")
    return list(strangers.values())


def answered_before_task(judge: Judge) -> int:
    """What the judge had answered when their present task began."""
    task = judge.tasks.order_by("pk").last()
    return task.answered_before if task else 0
