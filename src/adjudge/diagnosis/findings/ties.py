"""Ties: systems with many ties, and the effect of rewarding ties.

"≥ others", (wins + ties) / comparisons, favours systems that are often tied; "> others",
wins / comparisons, those that rarely are; wins / (wins + losses) leaves ties out
(Bojar 2011 §2.3). The value is the share of ties among all comparisons, its interval allowing
for the comparisons of one block going together.
"""

import numpy as np

from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import NOTHING_TO_DO, Answer, DetailRow, Finding, Severity, grade
from adjudge.diagnosis.order_change import Numbers, ranks
from adjudge.ranking.counting.cells import win_ratio
from adjudge.ranking.methods.at_least_others import scores as at_least_others
from adjudge.ranking.methods.others_strict import scores as better_than_others
from adjudge.stats.tests import share


def tie_share(evidence: Evidence) -> Numbers:
    """Share of ties among each system's comparisons."""
    counts = evidence.counts
    return np.asarray(counts.ties.sum(axis=1) / np.maximum(counts.comparisons.sum(axis=1), 1))


def _ties(evidence: Evidence) -> Answer:
    data = evidence.comparisons
    tied = np.bincount(data.ranking, data.outcome == 0).astype(float)
    tied_share = share(tied, np.bincount(data.ranking).astype(float))
    proper = evidence.proper
    rewarded = at_least_others(evidence.counts)[proper]
    unrewarded = better_than_others(evidence.counts)[proper]
    change = evidence.change(unrewarded, rewarded)
    severity = grade(change)
    meaning = f"{100 * tied_share.value:.0f} % of comparisons are ties; rewarding them (≥ for >) "
    if change.moved:
        gain = ranks(unrewarded) - ranks(rewarded)
        most = int(np.argmax(gain))
        meaning += (
            f"lifts {evidence.short[most]} from rank {ranks(unrewarded)[most]} "
            f"to {ranks(rewarded)[most]}; {change}"
        )
    else:
        meaning += "leaves the order of the systems as it is"
    return Answer(
        severity,
        meaning,
        NOTHING_TO_DO
        if severity is Severity.none
        else "Rank with a method that leaves ties out (expected-wins, win-ratio) or models "
        "them (davidson), and say which.",
        tied_share.value,
        tied_share.low,
        tied_share.high,
        change,
        _details(evidence, rewarded, unrewarded),
    )


def _details(evidence: Evidence, rewarded: Numbers, unrewarded: Numbers) -> list[DetailRow]:
    names = evidence.among_systems.systems
    tied = tie_share(evidence)[evidence.proper]
    ignored = win_ratio(evidence.among_systems)
    return [
        {
            "system": names[i],
            "tie_share": float(tied[i]),
            "at_least_others": float(rewarded[i]),
            "at_least_rank": int(ranks(rewarded)[i]),
            "better_than_others": float(unrewarded[i]),
            "better_rank": int(ranks(unrewarded)[i]),
            "win_ratio": float(ignored[i]),
            "win_ratio_rank": int(ranks(ignored)[i]),
        }
        for i in np.argsort(-tied, kind="stable")
    ]


FINDING = Finding(
    "ties",
    "Who gains from rewarding ties?",
    "share of comparisons that are ties",
    "share",
    "Bojar 2011 §2.3",
    _ties,
    about=frozenset({"at-least-others", "others-strict", "heuristic2"}),
)
