"""Influence: does the order hang on one judge, or on one document?

The campaign is ranked again without each judge (document) in turn: the win counts of all less
those of the one, for all of them in one call. A system is moved when its rank changes; a pair
is overturned when it changes places although the rank ranges of the ranking had told
it apart. The value is the most systems any one of them moves; where that is worth a note, clusters
(WMT13 §3.4) are counted with and without the one that moves most.

Close systems change places whoever leaves. To leave m of N rankings chosen at random changes a
score with variance v · m / (N − m), v being the variance of the score (bootstrap over rankings;
for documents over segments, whose rankings go together anyhow). A judge or document *pulls* a
system where the change is beyond that (two-sided z, Holm over all of them and all systems at
1 %): a taste of the judge's own, or a text that suits the system. Lopez 2012 §6: assessors may be
biased, and the sentences of one document are not independent.
"""

from collections.abc import Callable
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from adjudge.core.errors import NotEnoughData
from adjudge.data.comparisons import MISSING, Codes, Comparisons
from adjudge.data.win_counts import WinCounts
from adjudge.diagnosis.evidence import Evidence
from adjudge.diagnosis.finding import (
    FEWEST_RANKINGS,
    NOTHING_TO_DO,
    Answer,
    Finding,
    Severity,
    accused,
    grade,
)
from adjudge.diagnosis.order_change import Numbers, overturned, ranks
from adjudge.diagnosis.wording import counted
from adjudge.ranking.counting.cells import tally_wins
from adjudge.ranking.resampling import replicated
from adjudge.stats.resampling import Resampling, Unit

REPLICATES = 200
FEWEST_COMPARISONS = 30  # of a system by a judge: fewer are no normal sum
MOST_ENTRIES = 10_000_000  # of counts held at a time


def leave_each_out(evidence: Evidence, label: Codes, these: range) -> WinCounts:
    """Win counts with a leading axis: those of all but each of these judges, documents, …"""
    data, total = evidence.comparisons, evidence.counts
    n = len(data.systems)
    known = (label >= these.start) & (label < these.stop)
    cell = (label[known].astype(np.int64) - these.start) * n + data.left[known]
    cell = (cell * n + data.right[known]) * 3 + data.outcome[known] + 1
    each = np.bincount(cell, minlength=3 * len(these) * n * n).reshape(-1, n, n, 3)
    return WinCounts(
        total.systems,
        total.wins - each[..., 2] - np.swapaxes(each[..., 0], 1, 2),
        total.ties - each[..., 1] - np.swapaxes(each[..., 1], 1, 2),
    )


def scores_without_each(evidence: Evidence, label: Codes, number: int) -> Numbers:
    """The method's scores without each judge, document, …: many of them in one call."""
    at_once = max(1, MOST_ENTRIES // (3 * len(evidence.comparisons.systems) ** 2))
    parts = [range(i, min(i + at_once, number)) for i in range(0, number, at_once)]
    return np.concatenate(
        [evidence.scores_of(leave_each_out(evidence, label, these)) for these in parts]
    )


def _replicates(evidence: Evidence, data: Comparisons, unit: Unit) -> Numbers:
    """The method's scores in bootstrap replicates of these comparisons."""
    draws = replicated(data, tally_wins(data), Resampling(unit, REPLICATES))
    return np.concatenate([evidence.scores_of(counts) for counts in draws])


def comparisons_of_each(evidence: Evidence, label: Codes, number: int) -> NDArray[np.int64]:
    """How many comparisons of each system proper each judge (document, …) has."""
    data, n = evidence.comparisons, len(evidence.comparisons.systems)
    known = label != MISSING
    row = label[known].astype(np.int64) * n
    sides = (data.left[known], data.right[known])
    tally = sum(np.bincount(row + side, minlength=number * n) for side in sides)
    return np.asarray(tally).reshape(number, n)[:, evidence.proper]


def pulls(evidence: Evidence, after: Numbers, label: Codes, unit: Unit) -> Numbers:
    """p of each change from the method's scores to `after`, were the units left out random.

    NaN where the judge (document, …) has too few rankings, or comparisons of the system.
    """
    data = evidence.comparisons
    label_of = np.full(len(data.rankings), MISSING)
    label_of[data.ranking] = label
    left = np.bincount(label_of[label_of != MISSING], minlength=len(after))[:, None]
    rest = len(np.unique(data.ranking)) - left
    error = _replicates(evidence, data, unit).std(axis=0) * np.sqrt(left / np.maximum(rest, 1))
    p = 2 * ndtr(-np.abs(after - evidence.scores) / np.maximum(error, 1e-12))
    enough = comparisons_of_each(evidence, label, len(after)) >= FEWEST_COMPARISONS
    return np.where(enough & (np.minimum(left, rest) >= FEWEST_RANKINGS), p, np.nan)


def _influence(
    evidence: Evidence, label: Codes, names: tuple[str, ...], what: str, unit: Unit
) -> Answer:
    present = np.unique(label[label != MISSING])
    if len(present) < 2:
        raise NotEnoughData(f"there is only one {what}")
    after = scores_without_each(evidence, label, len(names))
    p = pulls(evidence, after, label, unit)
    pulled = accused(p.ravel()).reshape(p.shape)
    moved = (ranks(after) != ranks(evidence.scores)).sum(axis=1)
    settled = evidence.told_apart
    turned = np.array([overturned(evidence.scores, each, settled) for each in after])
    worst = int(np.lexsort((moved, turned, pulled.any(axis=1)))[-1])
    comparisons = np.bincount(label[label != MISSING], minlength=len(names))
    share = f"{names[worst]} ({100 * comparisons[worst] / len(label):.2g} % of comparisons)"
    change = evidence.change(evidence.scores, after[worst])
    severity = grade(change, bool(pulled.any()))
    if pulled.any():
        number = int(pulled.any(axis=1).sum())
        pull = f"{number} of {len(present)} {what}s " + ("pulls" if number == 1 else "pull")
        meaning = f"{pull} systems up or down beyond chance; without {share}"
    elif change.moved:
        meaning = f"No one {what} moves systems more than chance; without {share}"
    else:
        meaning = f"Whichever {what} is left out"
    return Answer(
        severity,
        f"{meaning}, {change}{_clusters_change(evidence, label == worst, severity)}",
        _remedy(evidence, what, severity),
        int(moved.max()),
        change=change,
        details=[
            {
                what: names[i],
                "comparisons": int(comparisons[i]),
                "moved": int(moved[i]),
                "overturned": int(turned[i]),
                "pulled": _pulled(evidence, after[i], pulled[i]),
            }
            for i in np.lexsort((-comparisons, -moved, -turned, -pulled.sum(axis=1)))
            if comparisons[i]
        ],
    )


def _remedy(evidence: Evidence, what: str, severity: Severity) -> str:
    if severity is Severity.none:
        return NOTHING_TO_DO
    if evidence.holds_for_others(cast(Unit, what)):
        return f"Intervals and rank ranges hold for other {what}s, and so know of it."
    return f'Rank so that the result holds for other {what}s (`unit="{what}"`).'


def _clusters_change(evidence: Evidence, left_out: NDArray[np.bool_], severity: Severity) -> str:
    """How the number of clusters changes, where that is worth ranking twice."""
    if severity is Severity.none:
        return ""
    data = evidence.comparisons
    try:
        now, then = (
            int(evidence.ranked(kept).cluster.max()) for kept in (data, data.where(~left_out))
        )
    except NotEnoughData:  # the rest leaves a system without comparisons
        return ""
    become = "becomes" if now == 1 else "become"
    return "" if now == then else f", and {counted(now, 'cluster')} {become} {then}"


def _pulled(evidence: Evidence, after: Numbers, pulled: NDArray[np.bool_]) -> str:
    """Which systems, and by how much up (+) or down."""
    return ", ".join(
        f"{evidence.short[s]} {evidence.scores[s] - after[s]:+.3f}" for s in np.flatnonzero(pulled)
    )


def _judges(evidence: Evidence) -> Answer:
    return _influence(
        evidence, evidence.comparisons.judge, evidence.comparisons.judges, "judge", "ranking"
    )


def _documents(evidence: Evidence) -> Answer:
    data = evidence.comparisons
    unit: Unit = "segment" if (data.segment != MISSING).any() else "ranking"
    return _influence(evidence, data.document, data.documents, "document", unit)


def _finding(what: str, examine: Callable[[Evidence], Answer]) -> Finding:
    return Finding(
        f"one-{what}",
        f"Does the order hang on one {what}?",
        f"most systems moved by leaving one {what} out",
        "count",
        "Lopez 2012 §6",
        examine,
        needs=frozenset({what}),
        false_alarms=0.01 if what == "judge" else None,
    )


FINDING = (_finding("judge", _judges), _finding("document", _documents))
