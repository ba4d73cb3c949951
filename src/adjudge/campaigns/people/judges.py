"""Administration of judges by organisers, without deletion."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from adjudge.campaigns.models import Assignment, Campaign, Judge
from adjudge.campaigns.store.queries import lock_campaign
from adjudge.campaigns.work.assignment import take_back
from adjudge.core.errors import AdjudgeError, instead_of

# What the log says of each thing that may be done about a judge.
IN_THE_LOG: Mapping[str, str] = {
    "pause": "paused a judge",
    "resume": "let a judge go on",
    "exclude": "excluded a judge",
    "extend": "extended a judge's quota",
    "revoke": "revoked a judge's link",
}


def judge_named(campaign: Campaign, name: str) -> Judge:
    """Find the judge of that name."""
    judge = campaign.judges.filter(name=name).select_related("campaign").first()
    if judge is None:
        names = list(campaign.judges.order_by("name").values_list("name", flat=True))
        raise AdjudgeError(f"no judge {name!r} in {campaign.name}; {instead_of(name, names)}")
    return judge


def pause(judge: Judge, reason: str = "") -> None:
    """Stop assigning work to this judge until `resume`."""
    if judge.state == Judge.State.EXCLUDED:
        raise AdjudgeError(f"judge {judge.name} is excluded and has no work; resume them instead")
    _set_state(judge, Judge.State.PAUSED, reason)


def resume(judge: Judge) -> None:
    """Resume work, and include the judge in the analysis again."""
    _set_state(judge, Judge.State.ACTIVE, "")


@transaction.atomic
def exclude(judge: Judge, reason: str) -> None:
    """Exclude from the analysis, with a reason; open items return to the pool."""
    if not reason.strip():
        raise AdjudgeError("excluding a judge needs a reason; give one with `reason`")
    _set_state(judge, Judge.State.EXCLUDED, reason)
    campaign = lock_campaign(judge.campaign_id)
    opened = judge.assignments.filter(state=Assignment.State.OPEN)
    take_back(campaign, list(opened.select_related("item")), timezone.now())


def extend(judge: Judge, items: int) -> None:
    """Raise the quota of a judge by this number of items."""
    if judge.quota is None:
        raise AdjudgeError(f"judge {judge.name} has no quota to extend")
    judge.quota += items
    judge.save(update_fields=["quota"])


def _set_state(judge: Judge, state: Judge.State, reason: str) -> None:
    judge.state, judge.reason = state, reason
    judge.save(update_fields=["state", "reason"])
