"""Every coefficient of one set of labels side by side, each with its bootstrap interval.

S, random clicking, π and Cohen's κ count all comparable pairs of labels. Fleiss's κ and
Krippendorff's α are of units with many labels (`unit_coefficients`). In a bootstrap the judges'
own shares (Cohen) are held as all labels give them.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import polars as pl

from adjudge.agreement import chance, chance_corrected
from adjudge.agreement.chance import Floats, known
from adjudge.agreement.conventions import CONVENTIONS, Evidence
from adjudge.agreement.crossed_variance import (
    alpha_ends,
    coefficient_spreads,
    kappa_ends,
    population,
    resolved,
)
from adjudge.agreement.interpretation import krippendorff, landis_koch
from adjudge.agreement.intervals import (
    agreement_resampling,
    interval_ends,
    label_units,
    sum_intervals,
    weight_intervals,
)
from adjudge.agreement.labels import KINDS, Kind, beside, label_table
from adjudge.agreement.pairwise import variants
from adjudge.agreement.unit_coefficients import UnitSums, unit_sums
from adjudge.core.results import Results
from adjudge.data.comparisons import Outputs, by_pair, compare
from adjudge.stats.replicates import pair_sums
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.tests import Ends

OF_PAIRS = ("S", "pi", "cohen", "random_clicking")
OF_UNITS = ("fleiss", "alpha_nominal", "alpha_ordinal", "alpha_interval")
NAMES = (*OF_PAIRS, *OF_UNITS)
Expected = dict[str, Callable[[Floats], Floats]]  # P(E) by the coefficient, from sums
DIRECTIONS = np.array([-1.0, 0.0, 1.0])  # where <, = and > lie


@dataclass(frozen=True)
class Coefficient:
    """One coefficient; None: cannot be said."""

    name: str | None
    value: float | None
    low: float | None = None
    high: float | None = None
    p_a: float | None = None
    p_e: float | None = None

    def row(self) -> dict[str, Any]:
        """The coefficient as flat keys."""
        return {
            "coefficient": self.name,
            "p_a": self.p_a,
            "p_e": self.p_e,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "landis_koch": landis_koch(self.value),
            "krippendorff": krippendorff(self.value),
        }


def coefficients(
    evidence: Evidence,
    resampling: Resampling,
    *,
    ranks: int | None = None,
    values: Floats | None = None,
    wanted: Container[str] = NAMES,
) -> tuple[Coefficient, ...]:
    """The coefficients of `evidence` that are `wanted`; none where nothing is comparable.

    `ranks` is how many rank labels a random clicker has, where the labels come from ranks;
    `values` are what the categories stand for, where they have an order (None: names).
    """
    if not evidence.matches.comparable.any():
        return ()
    units = unit_sums(evidence, values) if any(name in wanted for name in OF_UNITS) else None
    expected = _expectations(evidence, ranks)
    for name in set(expected) - {"S"}:
        of_variances = name == "pi" and units is not None and resampling.unit == "auto"
        if name not in wanted and not of_variances:
            del expected[name]
    columns, function = _pair_columns(evidence, expected), _pair_values(expected)
    known = [*_of_pairs(columns, expected), *_of_units(units)]
    if resampling.unit == "auto":
        ends = _assessed(evidence, columns, function, units, known, resampling.level)
    else:
        drawn = _pair_intervals(evidence, columns, resampling, function, "cohen" in expected)
        ends = interval_ends(*drawn)
        if units is not None:
            ends += interval_ends(*units.intervals(resampling, evidence.across, wanted))
    every = zip(known, ends, strict=True)
    return tuple(replace(c, low=e[0], high=e[1]) for c, e in every if c.name in wanted)


def _assessed(
    evidence: Evidence,
    columns: Any,
    function: Callable[[Floats], Floats],
    units: UnitSums | None,
    known: list[Coefficient],
    level: float,
) -> list[Ends]:
    """The ends of all coefficients over other judges and texts.

    Those of pairs have their variance (`crossed`). Of Fleiss's κ and α the variance over texts is
    known; judges add to it in the proportion in which they add to that of π, which counts the same
    labels.
    """
    spreading = coefficient_spreads(evidence, columns, 3, function)
    if spreading is None:
        return [(None, None)] * len(known)
    pairs = float(evidence.matches.comparable.sum()) / 2
    of_pairs = known[: len(spreading.variance)]
    value, p_e = (_numbers([getattr(c, key) for c in of_pairs]) for key in ("value", "p_e"))
    ends = interval_ends(
        *kappa_ends(value, p_e, spreading.variance, spreading.degrees, pairs, level)
    )
    if units is not None:
        of_pi = [c.name for c in of_pairs].index("pi")
        more = spreading.variance[of_pi] / max(float(spreading.over_texts[of_pi]), 1e-300)
        own = np.maximum(units.variances() * more, 1 / (pairs + 2) ** 2)
        ends += interval_ends(*alpha_ends(units.value(), own, spreading.degrees[of_pi], level))
    return ends


def _numbers(values: list[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values])


def rows_of(coefficients: tuple[Coefficient, ...]) -> list[dict[str, Any]]:
    """One flat row per coefficient; a row of nulls where there is none."""
    return [coefficient.row() for coefficient in coefficients] or [Coefficient(None, None).row()]


@dataclass(frozen=True)
class AllCoefficients:
    """Every coefficient of one kind of agreement in one language pair."""

    pair: str
    kind: Kind
    outputs: Outputs
    with_reference: bool
    comparable: int
    unit: Unit  # that was taken
    holds_for: str  # whom the intervals hold for
    coefficients: tuple[Coefficient, ...]

    def rows(self) -> list[dict[str, Any]]:
        """One flat row a coefficient."""
        about = {
            "pair": self.pair,
            "kind": self.kind,
            "outputs": self.outputs,
            "with_reference": self.with_reference,
            "comparable": self.comparable,
        }
        held = {"unit": self.unit, "holds_for": self.holds_for}
        return [{**about, **row, **held} for row in rows_of(self.coefficients)]


def agreement_by_coefficient(
    table: pl.DataFrame, outputs: Outputs, resampling: Resampling | None = None
) -> Results[AllCoefficients]:
    """Every coefficient of the pairwise labels of every language pair."""
    resampling = agreement_resampling(resampling)
    results = []
    for pair, judged in by_pair(table):
        ranks = cast(int, judged["rank"].max() or 1)
        for with_reference, comparisons in variants(compare(judged, outputs)):
            evidence = CONVENTIONS["sound"].evidence(comparisons)
            results += [
                AllCoefficients(
                    pair,
                    kind,
                    outputs,
                    with_reference,
                    int(evidence[kind].matches.comparable.sum()) // 2,
                    *_held(evidence[kind], resampling),
                    coefficients(evidence[kind], resampling, ranks=ranks, values=DIRECTIONS),
                )
                for kind in KINDS
            ]
    return Results(results)


def _held(evidence: Evidence, resampling: Resampling) -> tuple[Unit, str]:
    """The unit that was taken, and for whom intervals by it hold."""
    unit = resolved(resampling, evidence).unit
    return unit, population(evidence, unit)


def _of_pairs(columns: Any, expected: Expected) -> list[Coefficient]:
    """The coefficients that share P(A), the agreement of comparable pairs, without intervals."""
    total = columns.sum(axis=0)
    p_a = known(chance.ratio(total[0], total[1]))
    values = _pair_values(expected)(total)
    return [
        Coefficient(name, known(value), p_a=p_a, p_e=known(expect(total)))
        for (name, expect), value in zip(expected.items(), values, strict=True)
    ]


def _of_units(units: UnitSums | None) -> list[Coefficient]:
    """Fleiss's κ and Krippendorff's α, without intervals."""
    if units is None:
        return []
    named = zip(units.names, units.value(), strict=True)
    return [Coefficient(name, known(value)) for name, value in named]


def _expectations(evidence: Evidence, ranks: int | None) -> Expected:
    """P(E) of every coefficient from the sums of `_pair_columns`."""
    k = len(evidence.labels.categories)
    expectations: Expected = {
        "S": lambda sums: np.full(sums.shape[:-1], chance.uniform(k)),
        "pi": lambda sums: chance.from_shares(sums[..., 3:]),
        "cohen": lambda sums: chance.ratio(sums[..., 2], sums[..., 1]),
    }
    if ranks is not None:
        clicks = chance.random_clicking(ranks)
        expectations["random_clicking"] = lambda sums: np.full(sums.shape[:-1], clicks)
    return expectations


def _pair_values(expectations: Expected) -> Callable[[Floats], Floats]:
    """The coefficients from the sums of `_pair_columns`."""

    def values(sums: Floats) -> Floats:
        p_a = chance.ratio(sums[..., 0], sums[..., 1])
        expected = [expect(sums) for expect in expectations.values()]
        return np.stack([chance.corrected(p_a, p_e) for p_e in expected], axis=-1)

    return values


def _pair_columns(evidence: Evidence, needed: Container[str]) -> Any:
    """Per label: matches, comparable labels, matches expected (Cohen), the label itself.

    What is expected stands only where it is `needed`, the label where π is.
    """
    labels, matches = evidence.labels, evidence.matches
    expected = (
        chance_corrected.cohen_expected(evidence) if "cohen" in needed else np.zeros(len(labels))
    )
    numbers = [matches.agree, matches.comparable, expected]
    if "pi" not in needed:
        return np.column_stack(numbers).astype(float)
    rows, shape = np.arange(len(labels)), (len(labels), len(labels.categories))
    counted = evidence.counted.astype(float)
    used = label_table(rows, labels.label, shape, counted, labels.mirror)
    return beside(np.column_stack(numbers).astype(float), used)


def _pair_intervals(
    evidence: Evidence,
    columns: Any,
    resampling: Resampling,
    values: Callable[[Floats], Floats],
    cohen: bool,
) -> tuple[Floats, Floats]:
    labels = evidence.labels
    sizes = evidence.matches.comparable
    if resampling.unit == "segment" or not evidence.across:
        return sum_intervals(columns, label_units(labels, resampling), sizes, resampling, values)
    # Pairs of different judges weigh w_j·w_k; the labels themselves w_j.
    agree, comparable = labels.judge_pairs
    expected = 0 * comparable
    if cohen:  # a number for every two judges
        shares = chance_corrected.judge_shares(evidence)
        expected = comparable.multiply(shares @ shares.T).tocsr()
    present, judge = np.unique(labels.judge, return_inverse=True)
    counted = evidence.counted.astype(float)
    used = chance_corrected.label_counts(labels, judge, len(present), counted)
    between = [pairs[present][:, present] for pairs in (agree, comparable, expected)]

    def values_of_weights(weights: Floats) -> Floats:
        pairs = [pair_sums(weights, matrix) for matrix in between]
        return values(np.column_stack([*pairs, weights @ used]))

    return weight_intervals(labels.judge, sizes, resampling, values_of_weights)
