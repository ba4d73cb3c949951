"""What a campaign's answers show so far, each protocol by itself: they measure differently."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import polars as pl
from django.utils.translation import gettext as _

from adjudge.campaigns.export import edits_of, judgements_of, kinds_of, scores_of
from adjudge.campaigns.models import Campaign
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.judgements.selection import by_protocol
from adjudge.report.tables import Table

METHOD = "expected-wins"
Kappas = dict[str, float | None]
Headed = tuple[str, Table]


@dataclass(frozen=True)
class Analysis:
    """What the answers show so far; nothing where there are too few."""

    tables: list[Headed]
    kappa: Mapping[str, float | None]  # of each judge with the others, where they rank
    missing: str


def analysed(campaign: Campaign) -> Analysis:
    """All that was asked, as far as there are enough answers."""
    tables: list[Headed] = []
    kappa: Kappas = {}
    missing = []
    for part in _parts(campaign):
        try:
            tables += part(kappa)
        except AdjudgeError as error:
            missing.append(str(error))
    if not tables and not missing:
        missing.append("nothing is judged yet")
    return Analysis(tables, kappa, "; ".join(missing))


def _parts(campaign: Campaign) -> Iterator[Callable[[Kappas], Iterator[Headed]]]:
    """What to work out, the ranking of the protocol with most answers first."""
    kinds = kinds_of(campaign)
    if "judgements" in kinds:
        parts = by_protocol(judgements_of(campaign))
        for protocol, part in sorted(parts, key=lambda one: -len(one[1])):
            which = f": {protocol}" if len(campaign.protocols) > 1 else ""
            yield partial(_ranked, part, which)
    if "scores" in kinds:
        yield partial(_scored, scores_of(campaign))
    if "edits" in kinds:
        yield partial(_edited, edits_of(campaign))


def _ranked(table: pl.DataFrame, which: str, kappa: Kappas) -> Iterator[Headed]:
    # Loaded here: a server that starts (again) should answer judges soon.
    from adjudge.agreement.judges import agreement_by_judge
    from adjudge.agreement.pairwise import agreement
    from adjudge.comparisons.comparisons import compare
    from adjudge.ranking import Resampling, rank
    from adjudge.report.agreement import agreement_table
    from adjudge.report.ranking import ranking_table

    if table["rank"].null_count() == len(table):
        raise NotEnoughData("nothing is ranked yet")
    bootstrap = Resampling("segment")
    ranking = rank(compare(table), METHOD)
    agreed = agreement(table, resampling=bootstrap)
    yield _("Ranking so far") + which, ranking_table(ranking)
    yield _("Agreement so far") + which, agreement_table(agreed, bootstrap)
    by_judge = agreement_by_judge(table, resampling=Resampling(replicates=1))
    # Without the reference where both are known: agreeing on it is easier (Bojar 2011 Table 3).
    for one in sorted(by_judge, key=lambda judge: judge.with_reference):
        kappa.setdefault(one.judge, one.inter.kappa)


def _scored(table: pl.DataFrame, kappa: Kappas) -> Iterator[Headed]:
    from adjudge.report.scores import score_agreement_table, system_scores_table
    from adjudge.scoring.agreement import ScoreAgreement, score_agreement
    from adjudge.scoring.scored import by_scale, code
    from adjudge.scoring.system_scores import system_scores
    from adjudge.statistics.resampling import Resampling

    if table["score"].null_count() == len(table):
        raise NotEnoughData("nothing is scored yet")
    bootstrap = Resampling("segment")
    agreed: list[ScoreAgreement] = []
    for part in by_scale(table):
        result = system_scores(code(*part), resampling=bootstrap)
        yield _("Scores so far"), system_scores_table(result)
        agreed += score_agreement(*part, bootstrap)
    if agreed:
        yield _("Agreement on scores so far"), score_agreement_table(agreed, bootstrap)


def _edited(table: pl.DataFrame, kappa: Kappas) -> Iterator[Headed]:
    from adjudge.report.understandability import understandability_tables
    from adjudge.understandability import mark_repeated, understood

    if table["output"].null_count() == len(table):
        raise NotEnoughData("nothing is edited yet")
    result = understood(mark_repeated(table))
    for one in understandability_tables(result):
        yield _("Understandability so far"), one
