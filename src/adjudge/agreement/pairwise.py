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

from adjudge.agreement.chance import Floats, corrected, from_ties, known, ratio
from adjudge.agreement.conventions import Evidence, convention_named
from adjudge.agreement.crossed_variance import coefficient_spreads, kappa_ends, population, resolved
from adjudge.agreement.interpretation import krippendorff, landis_koch
from adjudge.agreement.intervals import (
    agreement_resampling,
    interval_ends,
    sum_intervals,
    weight_intervals,
)
from adjudge.agreement.labels import KINDS, Kind
from adjudge.core.errors import NotEnoughData
from adjudge.core.results import Results
from adjudge.data.comparisons import Comparisons, Outputs, by_pair, compare
from adjudge.data.outputs import includes_reference
from adjudge.stats.replicates import pair_sums
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.tests import Ends

OTHER = {"sound": "wmt15", "wmt15": "sound"}  # the convention that stands beside


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
    low: float | None  # interval of κ
    high: float | None
    unit: Unit  # that was taken
    holds_for: str  # whom the interval holds for
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
            "unit": self.unit,
            "holds_for": self.holds_for,
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
    return tally_of_sums(evidence.columns.sum(axis=0))


def tally_of_sums(sums: Any) -> Tally:
    """The same from sums of its columns."""
    agree, comparable, ties, total = sums
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
    resampling: Resampling | None = None,
) -> Results[Agreement]:
    """Agreement in every language pair of `table`, under one convention and beside the other."""
    convention_named(convention)
    resampling = agreement_resampling(resampling)
    ordered = table["position"].null_count() < len(table)
    if convention == "wmt15" and not ordered:
        raise NotEnoughData(
            "these judgements do not say in what order outputs were shown, which the convention "
            "wmt15 asks for; leave `convention` out"
        )
    other = OTHER[convention] if ordered else None
    return Results(
        result
        for pair, part in by_pair(table)
        for form in outputs
        for with_reference, comparisons in variants(compare(part, form))
        for result in _both_kinds(
            comparisons, pair, form, with_reference, convention, other, resampling
        )
    )


def _both_kinds(
    comparisons: Comparisons,
    pair: str,
    outputs: Outputs,
    with_reference: bool,
    convention: str,
    other: str | None,
    resampling: Resampling,
) -> Iterable[Agreement]:
    evidence = convention_named(convention).evidence(comparisons)
    others = convention_named(other).evidence(comparisons) if other else {}
    intervals = kappa_intervals(evidence, resampling)
    for kind in KINDS:
        low, high = intervals[kind]
        taken = resolved(resampling, evidence[kind])
        yield Agreement(
            pair=pair,
            kind=kind,
            outputs=outputs,
            with_reference=with_reference,
            convention=convention,
            tally=tally_of(evidence[kind]),
            low=low,
            high=high,
            unit=taken.unit,
            holds_for=population(evidence[kind], taken.unit),
            other_convention=other,
            other=tally_of(others[kind]) if other else None,
        )


def kappa_intervals(evidence: Mapping[Kind, Evidence], resampling: Resampling) -> dict[Kind, Ends]:
    """The interval of κ, for each kind, from the same draws where any are drawn."""
    if resampling.unit == "auto":
        return {kind: kappa_interval(evidence[kind], resampling) for kind in KINDS}
    if resampling.unit == "judge":
        return {kind: _over_judges(evidence[kind], resampling) for kind in KINDS}
    labels = evidence["inter"].labels
    columns = np.concatenate([evidence[kind].columns for kind in KINDS], axis=1)

    def both_kappas(sums: Floats) -> Floats:
        return np.stack([kappas_of_sums(sums[..., :4]), kappas_of_sums(sums[..., 4:])], axis=-1)

    low, high = sum_intervals(columns, labels.segment, columns[:, [1, 5]], resampling, both_kappas)
    return dict(zip(KINDS, interval_ends(low, high), strict=True))


def kappa_interval(evidence: Evidence, resampling: Resampling) -> Ends:
    """Computed, not drawn: over other judges and texts as far as the labels can tell, or `unit`."""
    tally = tally_of(evidence)
    if tally.kappa is None or tally.p_e is None:
        return (None, None)
    unit = resolved(resampling, evidence).unit
    columns = evidence.columns.astype(float)
    spreading = coefficient_spreads(evidence, columns, 2, kappas_of_sums, unit)
    if spreading is None:
        return (None, None)
    values = np.array([tally.kappa]), np.array([tally.p_e])
    spread = spreading.variance, spreading.degrees
    return interval_ends(*kappa_ends(*values, *spread, tally.comparable, resampling.level))[0]


def kappas_of_sums(sums: Floats) -> Floats:
    """κ from agree, comparable, ties and total on the last axis."""
    return kappas(sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3])


def _over_judges(evidence: Evidence, resampling: Resampling) -> Ends:
    labels = evidence.labels
    present, judge = np.unique(labels.judge, return_inverse=True)
    own = Evidence(labels, across=False, within=True, counted=evidence.counted).columns
    by_judge = np.column_stack([np.bincount(judge, column, len(present)) for column in own.T])
    if not evidence.within:
        by_judge[:, :2] = 0
    if evidence.across:
        between = [pairs[present][:, present] for pairs in labels.judge_pairs]

    def kappa(weights: Floats) -> Floats:
        sums = weights @ by_judge
        if evidence.across:
            for column, pairs in enumerate(between):
                sums[:, column] += pair_sums(weights, pairs)
        return kappas_of_sums(sums)[:, None]

    low, high = weight_intervals(labels.judge, evidence.matches.comparable, resampling, kappa)
    return interval_ends(low, high)[0]
