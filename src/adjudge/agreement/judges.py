"""Each judge's agreement with themselves, with everyone else, and with the consensus.

κ takes P(E) from all comparisons (Macháček 2014 Table 2.3). Judges use ties differently, so
equal κ need not mean equal skill (Bojar 2011 §2.2.2): `cohen` takes P(E) from the judge's own
ties, and the ties of those compared with. The consensus on a pair of outputs is what most
other judges of it said; where no label leads there is none.

Intervals are by the rule of the whole (`crossed`), with P(E) as it is. What this judge says is
given; what varies are the others who judged the same, and the texts.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from adjudge.agreement.chance import Floats, corrected, from_ties, known, ratio
from adjudge.agreement.conventions import CONVENTIONS, Evidence
from adjudge.agreement.crossed import coefficient_spreads, kappa_ends, population, resolved
from adjudge.agreement.interpretation import landis_koch
from adjudge.agreement.intervals import agreement_resampling, interval_ends
from adjudge.agreement.kappa import cohen_expected, judge_shares
from adjudge.agreement.labels import TIE, UNKNOWN, Ints, Labels, Matches, dense
from adjudge.agreement.pairwise import variants
from adjudge.comparisons.comparisons import Comparisons, Outputs, by_pair, compare
from adjudge.results import Results
from adjudge.statistics.intervals import Ends
from adjudge.statistics.resampling import Resampling, Unit


@dataclass(frozen=True)
class Consistency:
    """How one judge agrees with others, or with themselves."""

    agree: int
    comparable: int
    kappa: float | None  # P(E) from everybody's ties
    low: float | None
    high: float | None
    cohen: float | None  # P(E) from the judges' own ties
    unit: Unit  # that was taken
    holds_for: str | None  # whom the interval holds for; None: nothing is comparable

    def row(self, prefix: str) -> dict[str, Any]:
        """Flat keys that begin with `prefix`."""
        return {
            f"{prefix}_agree": self.agree,
            f"{prefix}_comparable": self.comparable,
            f"{prefix}_kappa": self.kappa,
            f"{prefix}_kappa_low": self.low,
            f"{prefix}_kappa_high": self.high,
            f"{prefix}_cohen": self.cohen,
            f"{prefix}_unit": self.unit,
            f"{prefix}_holds_for": self.holds_for,
        }


@dataclass(frozen=True)
class JudgeAgreement:
    """One judge: the work done, and how far others would have said the same."""

    pair: str
    judge: str
    group: str | None
    with_reference: bool
    rankings: int
    segments: int
    seconds: float | None
    ties: int
    total: int
    p_e: float | None  # of all judges together
    intra: Consistency
    inter: Consistency
    consensus_agree: int
    consensus_comparable: int

    def row(self) -> dict[str, Any]:
        """The result as flat keys."""
        return {
            "pair": self.pair,
            "by": "judge",
            "judge": self.judge,
            "group": self.group,
            "with_reference": self.with_reference,
            "rankings": self.rankings,
            "segments": self.segments,
            "seconds": self.seconds,
            "seconds_per_ranking": known(ratio(self.seconds or np.nan, self.rankings)),
            "ties": self.ties,
            "total": self.total,
            "tie_share": known(ratio(self.ties, self.total)),
            "p_e": self.p_e,
            **self.intra.row("intra"),
            **self.inter.row("inter"),
            "consensus_agree": self.consensus_agree,
            "consensus_comparable": self.consensus_comparable,
            "consensus_p_a": known(ratio(self.consensus_agree, self.consensus_comparable)),
            "inter_landis_koch": landis_koch(self.inter.kappa),
        }


@dataclass(frozen=True)
class JudgePairAgreement:
    """Two judges on the pairs of outputs that both judged."""

    pair: str
    judge: str
    other: str
    with_reference: bool
    agree: int
    comparable: int
    p_e: float | None
    kappa: float | None
    cohen: float | None

    def row(self) -> dict[str, Any]:
        """The result as flat keys."""
        return {
            "pair": self.pair,
            "by": "judges",
            "judge": self.judge,
            "other_judge": self.other,
            "with_reference": self.with_reference,
            "agree": self.agree,
            "comparable": self.comparable,
            "p_a": known(ratio(self.agree, self.comparable)),
            "p_e": self.p_e,
            "kappa": self.kappa,
            "cohen": self.cohen,
            "landis_koch": landis_koch(self.kappa),
        }


def agreement_by_judge(
    table: pl.DataFrame, outputs: Outputs = "collapsed", resampling: Resampling | None = None
) -> Results[JudgeAgreement]:
    """Every judge of every language pair."""
    resampling = agreement_resampling(resampling)
    return Results(
        judge
        for pair, judged in by_pair(table)
        for with_reference, comparisons in variants(compare(judged, outputs))
        for judge in _judges(pair, judged, comparisons, with_reference, resampling)
    )


def _judges(
    pair: str,
    table: pl.DataFrame,
    comparisons: Comparisons,
    with_reference: bool,
    resampling: Resampling,
) -> list[JudgeAgreement]:
    evidence = CONVENTIONS["sound"].evidence(comparisons)
    labels = evidence["inter"].labels
    total = np.bincount(labels.judge, minlength=len(labels.judges))
    ties = np.bincount(labels.judge, labels.label == TIE, len(labels.judges)).astype(int)
    inter = _consistencies(evidence["inter"], resampling, ends=1)
    intra = _consistencies(evidence["intra"], resampling, ends=2)
    met, agreed = consensus(labels)
    work = _work(table)
    groups = dict(zip(comparisons.judges, comparisons.groups, strict=True))
    return [
        JudgeAgreement(
            pair=pair,
            judge=judge,
            group=groups.get(judge),
            with_reference=with_reference,
            **work.get(judge, {"rankings": 0, "segments": 0, "seconds": None}),
            ties=int(ties[j]),
            total=int(total[j]),
            p_e=known(from_ties(ties.sum(), total.sum())),
            intra=intra[j],
            inter=inter[j],
            consensus_agree=int(agreed[j]),
            consensus_comparable=int(met[j]),
        )
        for j, judge in enumerate(labels.judges)
    ]


def _consistencies(evidence: Evidence, resampling: Resampling, ends: int) -> list[Consistency]:
    """One per judge; `ends`: how often a pair of labels is met among one judge's labels."""
    labels = evidence.labels
    judges = len(labels.judges)
    matches = evidence.matches
    columns = [
        np.bincount(labels.judge, column, judges)
        for column in (matches.agree, matches.comparable, cohen_expected(evidence))
    ]
    p_e = from_ties(np.count_nonzero(labels.label == TIE), len(labels))
    p_a = ratio(columns[0], columns[1])
    kappa = corrected(p_a, p_e)
    cohen = corrected(p_a, ratio(columns[2], columns[1]))
    compared = _compared(evidence)
    results = []
    for j in range(judges):
        own = _of_judge(compared, j)
        unit = resolved(resampling, own).unit
        people = "compared with" if evidence.across else "by"
        results.append(
            Consistency(
                int(columns[0][j]) // ends,
                int(columns[1][j]) // ends,
                known(kappa[j]),
                *_interval(own, float(p_e), unit, resampling.level),
                known(cohen[j]),
                unit,
                population(own, unit, people) if columns[1][j] else None,
            )
        )
    return results


def _compared(evidence: Evidence) -> Evidence:
    """Only the labels that have something to be compared with, their items numbered anew."""
    paired = evidence.matches.comparable > 0
    labels = evidence.labels.where(paired)
    matches = Matches(evidence.matches.agree[paired], evidence.matches.comparable[paired])
    labels = replace(labels, item=dense(labels.item))
    return replace(evidence, labels=labels, counted=paired[paired], only=matches)


def _of_judge(evidence: Evidence, judge: int) -> Evidence:
    """The labels that a judge's are compared with: the others', or the judge's own repeats."""
    labels = evidence.labels
    mine = labels.judge == judge
    if not evidence.across:
        matches = Matches(evidence.matches.agree[mine], evidence.matches.comparable[mine])
        return replace(evidence, labels=labels.where(mine), counted=mine[mine], only=matches)
    k = len(labels.categories)
    items = int(labels.item.max(initial=-1)) + 1
    said = np.bincount(labels.item[mine] * k + labels.label[mine], minlength=items * k)
    met = said.reshape(items, k).sum(axis=1)[labels.item]
    others = ~mine & (met > 0)
    matches = Matches(said[labels.item[others] * k + labels.label[others]], met[others])
    # Every pair has one end among these labels, so that it belongs to one judge.
    return Evidence(
        labels.where(others), across=False, within=False, counted=others[others], only=matches
    )


def _interval(evidence: Evidence, p_e: float, unit: Unit, level: float) -> Ends:
    """Of κ, with P(E) as it is."""
    columns = evidence.columns[:, :2].astype(float)
    agree, comparable = columns.sum(axis=0)

    def kappa(sums: Floats) -> Floats:
        return corrected(ratio(sums[..., 0], sums[..., 1]), p_e)

    value = kappa(np.array([[agree, comparable]]))
    spreading = coefficient_spreads(evidence, columns, 2, kappa, unit) if comparable else None
    if spreading is None or not np.isfinite(value[0]):
        return (None, None)
    spread = spreading.variance, spreading.degrees
    pairs = comparable / 2 if evidence.within else comparable
    return interval_ends(*kappa_ends(value, np.array([p_e]), *spread, pairs, level))[0]


def consensus(labels: Labels) -> tuple[Ints, Ints]:
    """Per judge: labels where the other judges have a consensus, and how many say the same."""
    k = len(labels.categories)

    def counts(key: Ints) -> Ints:
        return np.bincount(key * k + labels.label, minlength=(key.max(initial=-1) + 1) * k).reshape(
            -1, k
        )[key]

    others = counts(labels.item) - counts(labels.item_of_judge)
    best = others.max(1, initial=0)
    led = (best > 0) & (np.count_nonzero(others == best[:, None], 1) == 1)
    same = led & (others[np.arange(len(labels)), labels.label] == best)
    judges = len(labels.judges)
    return (
        np.bincount(labels.judge, led, judges).astype(np.int64),
        np.bincount(labels.judge, same, judges).astype(np.int64),
    )


def _work(table: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """How much each judge did; rankings that were skipped took time but rank nothing."""
    ranked = table.filter(pl.col("rank").is_not_null()).unique("ranking")
    rows = ranked.group_by("judge").agg(
        pl.len().alias("rankings"),
        pl.col("segment").n_unique().alias("segments"),
        pl.when(pl.col("seconds").is_not_null().any()).then(pl.col("seconds").sum()).first(),
    )
    return {row.pop("judge") or UNKNOWN: row for row in rows.to_dicts()}


def agreement_by_judges(
    table: pl.DataFrame, outputs: Outputs = "collapsed"
) -> Results[JudgePairAgreement]:
    """Every two judges with something in common, in every language pair."""
    return Results(
        both
        for pair, judged in by_pair(table)
        for with_reference, comparisons in variants(compare(judged, outputs))
        for both in _judge_pairs(pair, comparisons, with_reference)
    )


def _judge_pairs(
    pair: str, comparisons: Comparisons, with_reference: bool
) -> list[JudgePairAgreement]:
    evidence = CONVENTIONS["sound"].evidence(comparisons)["inter"]
    labels = evidence.labels
    agree, comparable = (matrix.tocsr() for matrix in labels.judge_pairs)
    common = comparable.tocoo()
    a, b = common.coords
    upper = a < b
    a, b, n = a[upper], b[upper], common.data[upper]
    equal = np.asarray(agree[a, b]).ravel() if len(a) else np.zeros(0, np.int64)
    p_e = from_ties(np.count_nonzero(labels.label == TIE), len(labels))
    shares = judge_shares(evidence)
    kappa = corrected(ratio(equal, n), p_e)
    cohen = corrected(ratio(equal, n), (shares[a] * shares[b]).sum(1))
    return [
        JudgePairAgreement(
            pair,
            labels.judges[a[i]],
            labels.judges[b[i]],
            with_reference,
            int(equal[i]),
            int(n[i]),
            known(p_e),
            known(kappa[i]),
            known(cohen[i]),
        )
        for i in range(len(a))
    ]
