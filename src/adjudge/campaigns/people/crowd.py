"""Crowd workers: judges from a crowd platform, one task at a time.

A worker is one judge, however many tasks they take. Every new task asks for `items` more
(rounded up to whole HITs); coming back to a task asks for nothing more. What is skipped is not
paid: another item comes instead. Judges are numbered: the platform's name of a worker stays in
the database and is in no export.

Entry is signed unless the organiser asks for unsigned entry. Prolific signs who comes
(`web.judging.signed`). Mechanical Turk does not, so each worker gets an address that we signed for
them (`signature_of`). A task belongs to the first worker who brings it, and there are only so many
`tasks`.

Unsigned, anybody can claim to be any worker. So a claim gives nothing: every browser session is a
judge of its own, holds a task only once it has given an answer that took time to read, and only
the same session goes on with its work.

In both cases, what the platform does not know afterwards is excluded (`check_with_platform`).
"""

import hmac
import secrets
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Literal, get_args

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from adjudge.campaigns.models import Answer, Assignment, Campaign, Judge, Task
from adjudge.campaigns.people.invitation import invite
from adjudge.campaigns.people.judges import exclude
from adjudge.campaigns.store.queries import lock_campaign, lock_judge, standing
from adjudge.core.errors import AdjudgeError, one_of, within

Platform = Literal["mturk", "prolific"]
_LONGEST_NAME = 200  # of a worker or a task, as platforms call them
_TOO_FAST_ALLOWED = 0.1  # of the answers of a task, but always one: a slip of the finger
UNSIGNED = (
    "Entry is unsigned: anybody who has the address can work under any worker's name. Compare with "
    "the platform's own list of results before you pay."
)


@dataclass(frozen=True)
class Crowd:
    """Connection of a campaign with a platform."""

    platform: Platform
    key: str  # in the address that workers come to
    items: int  # a task
    group: str
    completion_code: str  # Prolific's, for those who have finished
    tasks: int = 100  # ordered on the platform
    signed: bool = True  # who comes has proved who they are
    secret: str = ""  # with which we sign, where the platform does not


def open_to_crowd(
    campaign: Campaign,
    platform: str,
    items: int,
    completion_code: str = "",
    group: str = "crowd",
    *,
    tasks: int = 100,
    signed: bool = True,
) -> Crowd:
    """Admit workers of a platform; a second call changes the settings and keeps the address.

    Without signatures, workers need not prove their identity (see `UNSIGNED`).
    """
    one_of(platform, get_args(Platform), "platform")
    within(items, "items", 1)
    within(tasks, "tasks", 1)
    if platform == "prolific" and not completion_code:
        raise AdjudgeError(
            "Prolific needs the study's completion code; give it with `completion_code`"
        )
    key = campaign.crowd.get("key") or secrets.token_urlsafe(16)
    secret = campaign.crowd.get("secret") or secrets.token_urlsafe(32)
    crowd = Crowd(platform, key, items, group, completion_code, tasks, signed, secret)  # type: ignore[arg-type]
    campaign.crowd = asdict(crowd)
    campaign.save(update_fields=["crowd"])
    return crowd


def crowd_of(campaign: Campaign) -> Crowd | None:
    """Crowd settings of this campaign, if any."""
    return Crowd(**campaign.crowd) if campaign.crowd else None


def crowd_campaign(key: str) -> Campaign | None:
    """Campaign with this crowd key."""
    return Campaign.objects.filter(crowd__key=key).first()


def platform_name(name: str) -> str:
    """Clean the name of a worker or task of surrounding white space and the like."""
    return unicodedata.normalize("NFKC", name).strip()


def signature_of(crowd: Crowd, worker: str) -> str:
    """Signature that authenticates our address for this worker."""
    if not crowd.secret:
        raise AdjudgeError("this campaign has no secret to sign with; open it to the crowd again")
    said = f"{crowd.key}/{platform_name(worker).casefold()}".encode()
    return hmac.new(crowd.secret.encode(), said, "sha256").hexdigest()


def address_of(crowd: Crowd, site: str) -> str:
    """Entry address for the platform; Mechanical Turk appends the worker itself."""
    address = f"{site.rstrip('/')}/crowd/{crowd.key}/"
    if crowd.platform == "prolific":
        names = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
        address += "?" + "&".join(f"{name}={{{{%{name}%}}}}" for name in names)
    return address


def signed_addresses(crowd: Crowd, workers: Iterable[str], site: str) -> dict[str, str]:
    """Signed entry addresses for workers of Mechanical Turk, one each."""
    if crowd.platform == "prolific":
        raise AdjudgeError("Prolific signs who comes; leave the list of workers out")
    address = address_of(crowd, site)
    return {worker: f"{address}?signature={signature_of(crowd, worker)}" for worker in workers}


def check_signature(crowd: Crowd, worker: str, signature: str) -> None:
    """Refuse an address that was not issued to this worker."""
    if not hmac.compare_digest(signature_of(crowd, worker).encode(), signature.encode()):
        raise AdjudgeError(
            "the address was not signed for this worker; open the one you were given"
        )


def start_task(
    campaign: Campaign, worker: str, task: str, *, here: Iterable[Judge] = (), **details: str
) -> Judge:
    """Find or create the judge of this worker, with the work of this task.

    `here`: the judges signed in on this browser; with unsigned entry, only they may resume.
    """
    worker, task = platform_name(worker), platform_name(task)
    for name in (worker, task, *details.values()):
        if len(name) > _LONGEST_NAME or not name.isprintable():
            raise AdjudgeError("the platform's parameters are damaged; go back to the platform")
    if not worker or not task:
        raise AdjudgeError("the platform did not say who you are; go back to it and start there")
    if Crowd(**campaign.crowd).signed:
        known = _known(campaign, worker)
    else:
        mine = [judge for judge in here if judge.campaign_id == campaign.pk]
        known = next((judge for judge in mine if _same(judge.platform, worker)), None)
    _refuse_taken(campaign, worker, task, known)
    return _with_task(known or _new(campaign, worker), task, details)


def _same(platform: dict[str, str], worker: str) -> bool:
    """Match names of workers, which differ in more than case."""
    return str(platform.get("worker")).casefold() == worker.casefold()


def _refuse_taken(campaign: Campaign, worker: str, task: str, judge: Judge | None) -> None:
    """Refuse a task of somebody else, or one too many, before a judge is created."""
    crowd = Crowd(**campaign.crowd)
    known = campaign.tasks.filter(name__iexact=task).select_related("judge")
    if crowd.signed:
        taken, begun = [one for one in known if not _same(one.judge.platform, worker)], bool(known)
    else:
        taken = list(_worked_on(known, crowd).exclude(judge=judge))
        begun = any(one.judge == judge for one in known)
    if taken:
        raise AdjudgeError("this task was taken by somebody else; go back to the platform")
    if not begun and _tasks_in_use(campaign, crowd) >= crowd.tasks:
        raise AdjudgeError("all tasks of this campaign are taken; go back to the platform")


def _tasks_in_use(campaign: Campaign, crowd: Crowd) -> int:
    """Number of tasks that were worked on or, with known workers, started recently."""
    tasks = _worked_on(campaign.tasks.all(), crowd)
    if crowd.signed:
        limit = timezone.now() - timedelta(hours=campaign.design.abandoned_hours)
        tasks = tasks | campaign.tasks.filter(created__gte=limit)
    return tasks.values("name").distinct().count()


def _worked_on(tasks: QuerySet[Task], crowd: Crowd) -> QuerySet[Task]:
    """Tasks with an answer; with unsigned entry, one that took time to read."""
    answered = Assignment.objects.filter(
        judge=OuterRef("judge"),
        state=Assignment.State.ANSWERED,
        finished__gte=OuterRef("created"),
    )
    if not crowd.signed:
        answered = answered.filter(answers__too_fast=False)
    return tasks.filter(Exists(answered))


def _known(campaign: Campaign, worker: str) -> Judge | None:
    """Judge who proved to be this worker before."""
    proved = campaign.judges.filter(platform__unsigned__isnull=True)
    return proved.filter(platform__worker__iexact=worker).first()


@transaction.atomic
def _new(campaign: Campaign, worker: str) -> Judge:
    campaign = lock_campaign(campaign.pk)  # no worker twice, no number twice
    crowd = Crowd(**campaign.crowd)
    number = campaign.judges.filter(platform__platform=crowd.platform).count() + 1
    name = f"{crowd.platform}-{number:04d}"
    platform = {"platform": crowd.platform, "worker": worker}
    if not crowd.signed:
        platform["unsigned"] = "yes"
    elif known := _known(campaign, worker):
        return known
    return invite(campaign, name, group=crowd.group, platform=platform).judge


@transaction.atomic
def _with_task(judge: Judge, name: str, details: dict[str, str]) -> Judge:
    judge = lock_judge(judge)
    campaign = lock_campaign(judge.campaign_id)
    _refuse_taken(campaign, str(judge.platform.get("worker")), name, judge)
    if not campaign.tasks.filter(judge=judge, name__iexact=name).exists():
        answered = answered_by(judge)
        campaign.tasks.create(judge=judge, name=name, details=details, answered_before=answered)
        judge.quota = answered + Crowd(**campaign.crowd).items
        judge.save(update_fields=["quota"])
    return judge


def answered_by(judge: Judge) -> int:
    """Number of answers of the judge; skips are not paid."""
    return judge.assignments.filter(state=Assignment.State.ANSWERED).count()


def check_with_platform(campaign: Campaign, known: Collection[tuple[str, str]]) -> list[Judge]:
    """Exclude workers whose tasks are not confirmed by the platform.

    `known`: the workers and their tasks according to the platform.
    """
    listed = {_folded(worker, task) for worker, task in known}
    strangers = {
        task.judge_id: task.judge
        for task in campaign.tasks.select_related("judge__campaign").order_by("pk")
        if _folded(str(task.judge.platform.get("worker")), task.name) not in listed
        and task.judge.state != Judge.State.EXCLUDED
    }
    for judge in strangers.values():
        exclude(judge, "came with a task that the platform does not know")
    return list(strangers.values())


def _folded(*names: str) -> tuple[str, ...]:
    return tuple(platform_name(name).casefold() for name in names)


@dataclass(frozen=True)
class TaskWork:
    """Work of a judge on the current task."""

    answered: int
    skipped: int
    too_fast: int  # of what they answered

    @property
    def counts(self) -> bool:
        """Test for sufficient reading time; one slip is forgiven, and one in ten of many."""
        allowed = max(1, _TOO_FAST_ALLOWED * self.answered)
        return not self.too_fast or (self.too_fast <= allowed and self.too_fast < self.answered)


def work_on_task(judge: Judge) -> TaskWork:
    """Work of the judge since the current task began."""
    task = judge.tasks.order_by("pk").last()
    given = Answer.objects.filter(assignment__judge=judge)
    if task is not None:
        given = given.filter(assignment__finished__gte=task.created)
    said = list(standing(given).values_list("skipped", "too_fast"))
    fast = [too_fast for skipped, too_fast in said if not skipped]
    return TaskWork(len(fast), len(said) - len(fast), sum(fast))


def answered_before_task(judge: Judge) -> int:
    """Number of answers of the judge before the current task."""
    task = judge.tasks.order_by("pk").last()
    return task.answered_before if task else 0
