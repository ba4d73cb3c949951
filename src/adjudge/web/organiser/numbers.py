"""What the dashboard shows: how it is going (often renewed) and what it shows (at times)."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from adjudge.campaigns.export import judgements_of
from adjudge.campaigns.models import Campaign
from adjudge.campaigns.progress import (
    GroupProgress,
    JudgeProgress,
    Progress,
    answers_so_far,
    groups_of,
    judges_of,
    progress_of,
)
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.report.tables import Table
from adjudge.web.organiser.cached import Dated, cached, last

LIVE_FOR = timedelta(seconds=5)
ANALYSIS_FOR = timedelta(minutes=1)
METHOD = "expected-wins"


@dataclass(frozen=True)
class Live:
    """How it is going."""

    progress: Progress
    groups: list[GroupProgress]
    judges: list[JudgeProgress]


@dataclass(frozen=True)
class Analysis:
    """What the judgements show so far; nothing where there are too few."""

    ranking: Table | None
    agreement: Table | None
    kappa: Mapping[str, float | None]  # of each judge with the others
    missing: str


def live(campaign: Campaign) -> Dated[Live]:
    """Progress in all its parts."""

    def compute() -> Live:
        answers = answers_so_far(campaign)
        return Live(
            progress_of(campaign, answers=answers),
            groups_of(campaign, answers=answers),
            judges_of(campaign, answers=answers),
        )

    return cached(("live", campaign.pk), LIVE_FOR, compute, version(campaign))


def analysis(campaign: Campaign) -> Dated[Analysis]:
    """The ranking and the agreement."""
    return cached(
        ("analysis", campaign.pk), ANALYSIS_FOR, lambda: _analyse(campaign), version(campaign)
    )


def last_analysis(campaign: Campaign) -> Analysis | None:
    """What was worked out last, if anything was; nothing is worked out now."""
    found: Analysis | None = last(("analysis", campaign.pk))
    return found


def version(campaign: Campaign) -> Hashable:
    """What organisers change: it shows at once."""
    judges = campaign.judges.order_by("pk").values_list("pk", "state", "quota", "reason")
    return campaign.state, tuple(judges)


def _analyse(campaign: Campaign) -> Analysis:
    # Loaded here: a server that starts (again) should answer judges soon.
    from adjudge.agreement.bootstrap import Bootstrap
    from adjudge.agreement.judges import agreement_by_judge
    from adjudge.agreement.pairwise import agreement
    from adjudge.judgements.comparisons import compare
    from adjudge.ranking import Resampling, method_named, rank
    from adjudge.report.agreement import agreement_table
    from adjudge.report.ranking import ranking_table

    table = judgements_of(campaign)
    bootstrap = Bootstrap()
    try:
        if table["rank"].null_count() == len(table):
            raise NotEnoughData("nothing is ranked yet")
        ranking = rank(compare(table), method_named(METHOD), Resampling())
        agreed = agreement(table, bootstrap=bootstrap)
    except AdjudgeError as error:
        return Analysis(None, None, {}, str(error))
    by_judge = agreement_by_judge(table, bootstrap=Bootstrap(replicates=1))
    # Without the reference where both are known: agreeing on it is easier (Bojar 2011 Table 3).
    kappa = {
        one.judge: one.inter.kappa for one in sorted(by_judge, key=lambda j: -j.with_reference)
    }
    return Analysis(ranking_table(ranking), agreement_table(agreed, bootstrap), kappa, "")
