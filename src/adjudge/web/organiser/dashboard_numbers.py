"""Data of the dashboard: progress (refreshed often) and analysis (refreshed rarely)."""

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
    """Current progress."""

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
    """Ranking and agreement."""
    return cached(
        ("analysis", campaign.pk), ANALYSIS_FOR, lambda: analysed(campaign), version(campaign)
    )


def last_analysis(campaign: Campaign) -> Analysis | None:
    """Last computed analysis, without computing a new one."""
    analysis: Analysis | None = last(("analysis", campaign.pk))
    return analysis


def version(campaign: Campaign) -> Hashable:
    """Cache version that changes with every change by organisers."""
    judges = campaign.judges.order_by("pk").values_list("pk", "state", "quota", "reason")
    return campaign.state, campaign.name, campaign.version, tuple(judges)
