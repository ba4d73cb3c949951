"""Agreement on pairs of outputs: `inter` between judges, `intra` within one judge.

P(A) is the share of comparable pairs of judgements that agree on <, = or >; P(E) comes from
the observed ties (`chance.from_ties`); κ from both (Bojar 2011 §2.2, WMT13 §3.2). Computed
under a named convention (`conventions`), with and without comparisons that involve the
reference, which it is easier to agree on (Bojar 2011 Table 3).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.agreement.bootstrap import Bootstrap, Interval
from adjudge.agreement.chance import Floats, corrected, from_ties, known, ratio
from adjudge.agreement.conventions import CONVENTIONS, Evidence
from adjudge.agreement.interpretation import krippendorff, landis_koch
from adjudge.agreement.labels import KINDS, Kind
from adjudge.comparisons.comparisons import Comparisons, Outputs, by_pair, compare
from adjudge.errors import NotEnoughData
from adjudge.judgements.outputs import includes_reference


@dataclass(frozen=True)
class Tally:
    """Counts of agreement, and the coefficient they give; None: cannot be said."""

    agree: int
    comparable: int
    ties: int
    total: int

    @property
    def p_a(self) -> float | None:
        """The observed agreement."""
        return known(ratio(self.agree, self.comparable))

    @property
    def p_e(self) -> float | None:
        """The agreement expected by chance, from the ties."""
        return known(from_ties(self.ties, self.total))

    @property
    def kappa(self) -> float | None:
        """The agreement beyond chance: Scott's π."""
        return known(kappas(self.agree, self.comparable, self.ties, self.total))

    def row(self) -> dict[str, Any]:
        """Counts and coefficient as flat keys."""
        return {
            "agree": self.agree,
            "comparable": self.comparable,
            "ties": self.ties,
            "total": self.total,
            "p_a": self.p_a,
            "p_e": self.p_e,
            "kappa": self.kappa,
        }


@dataclass(frozen=True)
class Agreement:
    """One kind of agreement in one language pair, and how it was counted."""

    pair: str
    kind: Kind
    outputs: Outputs
    with_reference: bool
    convention: str
    tally: Tally
    low: float | None  # bootstrap interval of κ
    high: float | None
    other_convention: str | None  # None: it cannot be applied here
    other: Tally | None

    @property
    def difference(self) -> float | None:
        """How much higher κ would be under the other convention."""
        if self.other is None or self.tally.kappa is None or self.other.kappa is None:
            return None
        return self.other.kappa - self.tally.kappa

    def row(self) -> dict[str, Any]:
        """The result as flat keys."""
        return {
            "pair": self.pair,
            "kind": self.kind,
            "outputs": self.outputs,
            "with_reference": self.with_reference,
            "convention": self.convention,
            **self.tally.row(),
            "kappa_low": self.low,
            "kappa_high": self.high,
            "landis_koch": landis_koch(self.tally.kappa),
            "krippendorff": krippendorff(self.tally.kappa),
            "other_convention": self.other_convention,
            "other_comparable": self.other and self.other.comparable,
            "other_kappa": self.other and self.other.kappa,
            "difference": self.difference,
        }


def kappas(agree: Any, comparable: Any, ties: Any, total: Any) -> Floats:
    """κ from counts, P(E) from the ties; arrays or numbers."""
    return corrected(ratio(agree, comparable), from_ties(ties, total))


def tally_of(evidence: Evidence) -> Tally:
    """All that `evidence` says, as one tally."""
    labels = evidence.labels
    agree, comparable, ties, total = evidence.sums(np.zeros(len(labels), np.int64), 1)[0]
    return Tally(int(agree) // 2, int(comparable) // 2, int(ties), int(total))


def involves_reference(comparisons: Comparisons) -> NDArray[np.bool_]:
    """Which comparisons have the reference on either side."""
    reference = np.array([includes_reference(name) for name in comparisons.systems], bool)
    involved: NDArray[np.bool_] = reference[comparisons.left] | reference[comparisons.right]
    return involved


def variants(comparisons: Comparisons) -> list[tuple[bool, Comparisons]]:
    """All comparisons and, where the reference takes part, those among systems proper."""
    reference = involves_reference(comparisons)
    if not reference.any():
        return [(False, comparisons)]
    return [(True, comparisons), (False, comparisons.where(~reference))]


def agreement(
    table: pl.DataFrame,
    outputs: Sequence[Outputs] = ("collapsed",),
    convention: str = "sound",
    bootstrap: Bootstrap | None = None,
) -> tuple[Agreement, ...]:
    """Agreement in every language pair of `table`, under one convention and beside the other."""
    bootstrap = bootstrap or Bootstrap()
    ordered = table["position"].null_count() < len(table)
    if convention == "wmt15" and not ordered:
        raise NotEnoughData(
            "these judgements do not say in what order outputs were shown, which the convention "
            "wmt15 asks for; leave --convention out"
        )
    other = {"sound": "wmt15", "wmt15": "sound"}[convention] if ordered else None
    return tuple(
        result
        for pair, part in by_pair(table)
        for form in outputs
        for with_reference, comparisons in variants(compare(part, form))
        for result in _both_kinds(
            comparisons, pair, form, with_reference, convention, other, bootstrap
        )
    )


def _both_kinds(
    comparisons: Comparisons,
    pair: str,
    outputs: Outputs,
    with_reference: bool,
    convention: str,
    other: str | None,
    bootstrap: Bootstrap,
) -> Iterable[Agreement]:
    evidence = CONVENTIONS[convention].evidence(comparisons)
    others = CONVENTIONS[other].evidence(comparisons) if other else {}
    intervals = kappa_intervals(evidence, bootstrap)
    for kind in KINDS:
        low, high = intervals[kind]
        yield Agreement(
            pair=pair,
            kind=kind,
            outputs=outputs,
            with_reference=with_reference,
            convention=convention,
            tally=tally_of(evidence[kind]),
            low=low,
            high=high,
            other_convention=other,
            other=tally_of(others[kind]) if other else None,
        )


def kappa_intervals(
    evidence: Mapping[Kind, Evidence], bootstrap: Bootstrap
) -> dict[Kind, Interval]:
    """The interval of κ, for each kind, from the same draws."""
    if bootstrap.over == "judge":
        return {kind: _over_judges(evidence[kind], bootstrap) for kind in KINDS}
    labels = evidence["inter"].labels
    units, segment = np.unique(labels.segment, return_inverse=True)
    if len(units) < 2:
        return dict.fromkeys(KINDS, (None, None))
    stats = [evidence[kind].sums(segment, len(units)) for kind in KINDS]
    replicates = bootstrap.sums(np.concatenate(stats, axis=1))
    return {
        kind: bootstrap.interval(kappas(*replicates[:, 4 * i : 4 * i + 4].T))
        for i, kind in enumerate(KINDS)
    }


def _over_judges(evidence: Evidence, bootstrap: Bootstrap) -> Interval:
    labels = evidence.labels
    units, judge = np.unique(labels.judge, return_inverse=True)
    if len(units) < 2:
        return None, None
    own = Evidence(labels, across=False, within=True, counted=evidence.counted)
    stats = own.sums(judge, len(units))
    if not evidence.within:
        stats[:, :2] = 0

    def replicate(weights: Floats) -> Floats:
        agree, comparable, ties, total = (weights @ stats).T
        if evidence.across:
            both = [m[units][:, units] for m in labels.judge_pairs]
            agree, comparable = (
                linear + ((weights @ m) * weights).sum(1)
                for linear, m in zip((agree, comparable), both, strict=True)
            )
        return kappas(agree, comparable, ties, total)

    return bootstrap.interval(bootstrap.each(len(units), replicate))
