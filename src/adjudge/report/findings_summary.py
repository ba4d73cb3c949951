"""Summary of the ranking in words: which systems differ significantly, at which level and for which
population.

A system is called better only if it is in an earlier cluster (WMT13 §3.4), since clusters separate
where rank ranges do. Systems of one cluster do not all differ significantly; the plan says how many
more rankings would separate them.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np

from adjudge.core.errors import AdjudgeError
from adjudge.ranking.ranking_result import Ranking
from adjudge.report.analysis import Analysis
from adjudge.simulation.planning import LARGEST, Plan
from adjudge.simulation.tables.planning import advice

MOST_NAMES = 4  # in a sentence; more are counted
MOST_GROUPS = 2  # of systems whose order is open that are spelled out
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Answer:
    """Known and unknown parts of the answer; `first` lists the possibly best systems."""

    known: str
    unknown: str
    first: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.known} {self.unknown}".strip()


def answer(analysis: Analysis) -> Answer:
    """Summarise which systems are better than which."""
    ranking = analysis.ranking
    groups = _clusters(ranking, analysis.short)
    number = int(ranking.placed.sum())
    first = groups[0]
    sure = f"({100 * ranking.level:g} %, {ranking.holds_for})"
    if ranking.resampling.unit == "none":
        known = f"Of {number} systems, {isolated(first[0])} has the highest score."
        return Answer(known, "Nothing was resampled, so nobody knows how sure that is.", first)
    who = named(first, "or")
    best = f"{who} is the best" if len(first) == 1 else f"the best is {who}"
    if len(groups) == 1:
        known = f"No single best of the {number} systems can be identified {sure}."
    elif number == 2:
        known = f"{who} is better than {named(groups[1], 'or')} {sure}."
    elif len(groups) == number:
        known = f"All {number} systems differ significantly {sure}: {best}."
    else:
        known = (
            f"{number} systems in {len(groups)} clusters, those of each better than those of the "
            f"next {sure}: {best}."
        )
    return Answer(known, _unknown(analysis, groups), first)


def _unknown(analysis: Analysis, groups: Sequence[tuple[str, ...]]) -> str:
    open_groups = [group for group in groups if len(group) > 1]
    if not open_groups:
        return ""
    try:
        plan: Plan | None = analysis.plan
    except AdjudgeError:
        plan = None
    sentences = []
    for group in open_groups[:MOST_GROUPS]:
        just_named = group is groups[0] and len(groups) > 1
        who = f"These {_NUMBERS.get(len(group), len(group))}" if just_named else named(group, "and")
        sentences.append(_not_told_apart(who, group, plan, analysis))
    left = len(open_groups) - len(sentences)
    if left:
        sentences.append(f"The same holds in {left} further cluster{'s' if left > 1 else ''}.")
    if plan is not None:
        sentences.append(f"{advice(plan)}.")
    return " ".join(sentences)


def _not_told_apart(who: str, group: tuple[str, ...], plan: Plan | None, analysis: Analysis) -> str:
    """Sentence on systems that do not differ significantly, with the rankings that would separate
    them.
    """
    two = len(group) == 2
    said = f"{who} do not {'' if two else 'all '}differ significantly"
    within = [
        separation
        for separation in (plan.separations if plan else ())
        if not separation.separated
        and {analysis.short[separation.better], analysis.short[separation.worse]} <= set(group)
    ]
    if not within:
        return said + "."
    easiest = min(within, key=lambda separation: separation.more_rankings or np.inf)
    if easiest.more_rankings is None:
        return f"{said}; {LARGEST:.0f} times as many rankings would hardly change that."
    more = f"about {about(easiest.more_rankings):,} more rankings{_by_whom(plan)} would separate"
    chance = f"with a chance of {100 * plan.goal.chance:g} %" if plan else ""
    if two:
        return f"{said}: {more} them, {chance}."
    better, worse = (isolated(analysis.short[name]) for name in (easiest.better, easiest.worse))
    return f"{said}: {more} {better} from {worse} first, {chance}."


def _by_whom(plan: Plan | None) -> str:
    """Phrase for further units: ` by further judges of further segments`."""
    words = {"judge": " by further judges", "document": " of further documents"}
    words |= {"segment": " of further segments"}
    units = plan.goal.unit.split("+") if plan else []
    return "".join(words.get(unit, "") for unit in units)


def about(number: int) -> int:
    """Round to two significant digits."""
    return number if number < 10 else int(round(number, 1 - floor(log10(number))))


def _clusters(ranking: Ranking, short: dict[str, str]) -> list[tuple[str, ...]]:
    return [
        tuple(
            short[system]
            for system, cluster in zip(ranking.systems, ranking.cluster, strict=True)
            if cluster == number
        )
        for number in range(1, int(ranking.cluster.max()) + 1)
    ]


def named(names: Sequence[str], last: str) -> str:
    """Join names: `A, B and C`; of many, the first few and the number of the others."""
    shown = [isolated(name) for name in names] or [""]
    if len(shown) > MOST_NAMES:
        left = len(shown) - MOST_NAMES + 1
        shown = [*shown[: MOST_NAMES - 1], f"{'one of ' if last == 'or' else ''}{left} others"]
    return f"{', '.join(shown[:-1])} {last} {shown[-1]}" if len(shown) > 1 else shown[0]


def isolated(name: str) -> str:
    """Isolate a name, so that right-to-left text does not reorder its sentence."""
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in name)
    return f"\u2068{name}\u2069" if turns else name
