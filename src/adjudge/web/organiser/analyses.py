"""Preliminary analyses of a campaign, separately by protocol, since protocols measure
differently.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl
from django.utils.translation import gettext as _

from adjudge.campaigns.models import Campaign
from adjudge.campaigns.results.tables import edits_of, judgements_of, kinds_of, scores_of
from adjudge.core.errors import AdjudgeError, NotEnoughData, in_plain_words
from adjudge.core.tables.table import Table
from adjudge.data.selection import by_protocol

if TYPE_CHECKING:
    from adjudge.api.result import Result
    from adjudge.ranking.ranking_result import Ranking
    from adjudge.scoring.system_scores import SystemScores

Kappas = dict[str, float | None]
People: TypeAlias = "Ranking | SystemScores"
Headed = tuple[str, Table]


@dataclass(frozen=True)
class Analysis:
    """Preliminary results; empty with too few answers."""

    tables: list[Headed]
    kappa: Mapping[str, float | None]  # of each judge with the others, where they rank
    people: "Sequence[People]"  # the rankings and scores themselves
    missing: str


def analysed(campaign: Campaign) -> Analysis:
    """Run all analyses with enough answers."""
    tables: list[Headed] = []
    kappa: Kappas = {}
    people: list[People] = []
    missing = []
    for part in _parts(campaign):
        try:
            tables += part(kappa, people)
        except AdjudgeError as error:
            missing.append(in_plain_words(str(error)))
    if not tables and not missing:
        missing.append("nothing is judged yet")
    # Organisers see neither Python nor a command line.
    headed = [(heading, table.said(in_plain_words)) for heading, table in tables]
    return Analysis(headed, kappa, people, in_plain_words("; ".join(missing)))


def _parts(campaign: Campaign) -> Iterator[Callable[[Kappas, list[People]], Iterator[Headed]]]:
    """Analyses to run, starting with the ranking of the protocol with most answers."""
    kinds = kinds_of(campaign)
    if "judgements" in kinds:
        parts = by_protocol(judgements_of(campaign))
        for protocol, part in sorted(parts, key=lambda named_part: -len(named_part[1])):
            which = f": {protocol}" if len(campaign.protocols) > 1 else ""
            yield partial(_ranked, part, which)
    if "scores" in kinds:
        yield partial(_scored, scores_of(campaign))
    if "edits" in kinds:
        yield partial(_edited, edits_of(campaign))


def _ranked(
    table: pl.DataFrame, which: str, kappa: Kappas, people: list[People]
) -> Iterator[Headed]:
    # Loaded here: a server that starts (again) should answer judges soon.
    from adjudge.api.judgements import Judgements

    if table["rank"].null_count() == len(table):
        raise NotEnoughData("nothing is ranked yet")
    judgements = Judgements(table)
    ranking = judgements.rank()
    people += ranking
    yield from _headed(_("Ranking so far") + which, ranking)
    yield from _headed(_("Agreement so far") + which, judgements.agreement())
    by_judge = judgements.agreement("judge")
    # Without the reference where both are known: agreeing on it is easier (Bojar 2011 Table 3).
    for judge in sorted(by_judge, key=lambda judge: judge.with_reference):
        kappa.setdefault(judge.judge, judge.inter.kappa)


def _scored(table: pl.DataFrame, kappa: Kappas, people: list[People]) -> Iterator[Headed]:
    from adjudge.api.scores import Scores

    if table["score"].null_count() == len(table):
        raise NotEnoughData("nothing is scored yet")
    scores = Scores(table)
    ranking = scores.rank()
    people += ranking
    yield from _headed(_("Scores so far"), ranking)
    yield from _headed(_("Agreement on scores so far"), scores.agreement())


def _edited(table: pl.DataFrame, kappa: Kappas, people: list[People]) -> Iterator[Headed]:
    from adjudge.api.edits import Edits
    from adjudge.scoring.edits.data_rows import mark_repeated

    if table["output"].null_count() == len(table):
        raise NotEnoughData("nothing is edited yet")
    yield from _headed(_("Understandability so far"), Edits(mark_repeated(table)).rank())


def _headed(heading: str, result: "Result[Any]") -> Iterator[Headed]:
    return ((heading, table) for table in result.tables)
