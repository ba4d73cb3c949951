"""Each judge's agreement with themselves, with everyone else, and with the consensus.

κ takes P(E) from all comparisons (Macháček 2014 Table 2.3). Judges use ties differently, so
equal κ need not mean equal skill (Bojar 2011 §2.2.2): `cohen` takes P(E) from the judge's own
ties, and the ties of those compared with. The consensus on a pair of outputs is what most
other judges of it said; where no label leads there is none.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from adjudge.agreement.chance import corrected, from_ties, known, ratio
from adjudge.agreement.chance_corrected import judge_shares
from adjudge.agreement.consistency import Consistency, LabelUse, consistencies
from adjudge.agreement.conventions import CONVENTIONS
from adjudge.agreement.interpretation import landis_koch
from adjudge.agreement.intervals import agreement_resampling
from adjudge.agreement.labels import KINDS, TIE, UNKNOWN, Ints, Labels, pairwise_labels
from adjudge.agreement.pairwise import variants
from adjudge.core.results import Results
from adjudge.data.comparisons import Comparisons, Outputs, by_pair, compare
from adjudge.stats.resampling import Resampling


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


@dataclass(frozen=True, eq=False)
class JudgedLabels:
    """What judges said that others, or they themselves, said something of, too; and their work."""

    labels: Labels  # those that share an item with another
    ties: Ints  # (judges,): of all labels
    total: Ints
    work: Mapping[str, Mapping[str, Any]]  # by the judge
    groups: Mapping[str, str | None]

    def agreements(
        self, pair: str, with_reference: bool, resampling: Resampling
    ) -> Iterator[JudgeAgreement]:
        """Every judge."""
        p_e = from_ties(self.ties.sum(), self.total.sum())
        tied = np.nan_to_num(ratio(self.ties, self.total))
        either = np.where(self.total > 0, (1 - tied) / 2, 0)
        use = LabelUse(float(p_e), np.column_stack([either, tied, either]))
        inter, intra = (consistencies(self.labels, kind, use, resampling) for kind in KINDS)
        met, agreed = consensus(self.labels)
        for j, judge in enumerate(self.labels.judges):
            yield JudgeAgreement(
                pair=pair,
                judge=judge,
                group=self.groups.get(judge),
                with_reference=with_reference,
                **self.work.get(judge, {"rankings": 0, "segments": 0, "seconds": None}),
                ties=int(self.ties[j]),
                total=int(self.total[j]),
                p_e=known(p_e),
                intra=intra[j],
                inter=inter[j],
                consensus_agree=int(agreed[j]),
                consensus_comparable=int(met[j]),
            )


def agreement_by_judge(
    table: pl.DataFrame, outputs: Outputs = "collapsed", resampling: Resampling | None = None
) -> Results[JudgeAgreement]:
    """Every judge of every language pair."""
    resampling = agreement_resampling(resampling)
    return Results(
        judge
        for pair, judged in by_pair(table)
        for with_reference, comparisons in variants(compare(judged, outputs))
        for judge in _judged(judged, comparisons).agreements(pair, with_reference, resampling)
    )


def _judged(table: pl.DataFrame, comparisons: Comparisons) -> JudgedLabels:
    labels = pairwise_labels(comparisons)
    judges = len(labels.judges)
    shared = np.bincount(labels.item)[labels.item] > 1
    ties = np.bincount(labels.judge, labels.label == TIE, judges).astype(np.int64)
    total = np.bincount(labels.judge, minlength=judges)
    groups = dict(zip(comparisons.judges, comparisons.groups, strict=True))
    return JudgedLabels(labels.where(shared), ties, total, _work(table), groups)


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
