"""What the dashboard shows: how it is going (often renewed) and what it shows (at times)."""

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import timedelta

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.results.progress import (
    GroupProgress,
    JudgeProgress,
    Progress,
    ProtocolProgress,
    answers_so_far,
    groups_of,
    judges_of,
    progress_of,
    protocols_of,
)
from adjudge.web.organiser.analyses import Analysis, analysed
from adjudge.web.organiser.cache import Dated, cached, last

LIVE_FOR = timedelta(seconds=5)
ANALYSIS_FOR = timedelta(minutes=1)


@dataclass(frozen=True)
class Live:
    """How it is going."""

    progress: Progress
    groups: list[GroupProgress]
    protocols: list[ProtocolProgress]
    judges: list[JudgeProgress]


def live(campaign: Campaign) -> Dated[Live]:
    """Progress in all its parts."""

    def compute() -> Live:
        answers = answers_so_far(campaign)
        return Live(
            progress_of(campaign, answers=answers),
            groups_of(campaign, answers=answers),
            protocols_of(campaign, answers),
            judges_of(campaign, answers=answers),
        )

    return cached(("live", campaign.pk), LIVE_FOR, compute, version(campaign))


def analysis(campaign: Campaign) -> Dated[Analysis]:
    """The ranking and the agreement."""
    return cached(
        ("analysis", campaign.pk), ANALYSIS_FOR, lambda: analysed(campaign), version(campaign)
    )


def last_analysis(campaign: Campaign) -> Analysis | None:
    """What was worked out last, if anything was; nothing is worked out now."""
    analysis: Analysis | None = last(("analysis", campaign.pk))
    return analysis


def version(campaign: Campaign) -> Hashable:
    """What organisers change: it shows at once."""
    judges = campaign.judges.order_by("pk").values_list("pk", "state", "quota", "reason")
    return campaign.state, campaign.name, campaign.version, tuple(judges)
