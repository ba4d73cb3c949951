"""Every coefficient of one set of labels side by side, each with its bootstrap interval.

S, random clicking, π and Cohen's κ count all comparable pairs of labels. Fleiss's κ and
Krippendorff's α are of units with many labels: between judges a unit is an item with the
first label of each judge; within judges it is an item as one judge saw it. In a bootstrap the
judges' own shares (Cohen) and the mean ranks (ordinal α) are held as all labels give them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import polars as pl
from scipy.sparse import coo_array

from adjudge.agreement import chance, kappa
from adjudge.agreement.alpha import (
    LEVELS,
    Level,
    alpha_from_sums,
    alpha_sums,
    places_of,
    unit_counts,
)
from adjudge.agreement.chance import Floats, known
from adjudge.agreement.conventions import CONVENTIONS, Evidence
from adjudge.agreement.crossed import (
    alpha_ends,
    coefficient_spreads,
    kappa_ends,
    population,
    resolved,
)
from adjudge.agreement.fleiss import fleiss_from_sums, fleiss_sums
from adjudge.agreement.interpretation import krippendorff, landis_koch
from adjudge.agreement.intervals import (
    agreement_resampling,
    interval_ends,
    label_units,
    sum_intervals,
    weight_intervals,
)
from adjudge.agreement.labels import KINDS, Ints, Kind, Labels, dense
from adjudge.agreement.pairwise import variants
from adjudge.comparisons.comparisons import Outputs, by_pair, compare
from adjudge.results import Results
from adjudge.statistics.bootstrap import slopes
from adjudge.statistics.replicates import pair_sums
from adjudge.statistics.resampling import Resampling, Unit

DIRECTIONS = np.array([-1.0, 0.0, 1.0])  # where <, = and > lie


@dataclass(frozen=True)
class Coefficient:
    """One coefficient; None: cannot be said."""

    name: str | None
    value: float | None
    low: float | None
    high: float | None
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
) -> tuple[Coefficient, ...]:
    """All coefficients of `evidence`; none where nothing is comparable.

    `ranks` is how many rank labels a random clicker has, where the labels come from ranks;
    `values` are what the categories stand for, where they have an order (None: names).
    """
    if not evidence.matches.comparable.any():
        return ()
    if resampling.unit == "auto":
        return _assessed(evidence, resampling, ranks, values)
    return (*_of_pairs(evidence, resampling, ranks), *_of_units(evidence, resampling, values))


def _assessed(
    evidence: Evidence, resampling: Resampling, ranks: int | None, values: Floats | None
) -> tuple[Coefficient, ...]:
    """All coefficients over other judges and texts.

    Those of pairs have their variance (`crossed`). Of Fleiss's κ and α the variance over texts is
    known; judges add to it in the proportion in which they add to that of π, which counts the same
    labels.
    """
    nothing = replace(resampling, unit="segment", replicates=1)
    of_pairs = _of_pairs(evidence, nothing, ranks)
    of_units = _of_units(evidence, nothing, values)
    columns, function = _pair_columns(evidence), _pair_values(evidence, ranks)
    pairs = float(evidence.matches.comparable.sum()) / 2
    spreading = coefficient_spreads(evidence, columns, 3, function)
    if spreading is None:
        return tuple(replace(c, low=None, high=None) for c in (*of_pairs, *of_units))
    of_pi = [c.name for c in of_pairs].index("pi")
    more = spreading.variance[of_pi] / max(float(spreading.over_texts[of_pi]), 1e-300)
    own = np.maximum(_unit_variances(evidence, values) * more, 1 / (pairs + 2) ** 2)
    degrees = spreading.degrees[of_pi]
    value, p_e = (_numbers([getattr(c, key) for c in of_pairs]) for key in ("value", "p_e"))
    level = resampling.level
    ends = [
        *interval_ends(
            *kappa_ends(value, p_e, spreading.variance, spreading.degrees, pairs, level)
        ),
        *interval_ends(*alpha_ends(_numbers([c.value for c in of_units]), own, degrees, level)),
    ]
    every = (*of_pairs, *of_units)
    return tuple(replace(c, low=e[0], high=e[1]) for c, e in zip(every, ends, strict=True))


def _numbers(values: list[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values])


def _unit_variances(evidence: Evidence, values: Floats | None) -> Floats:
    """The variances of Fleiss's κ and of α over segments."""
    labels, unit = _units(evidence)
    counts = unit_counts(unit, labels.label, len(labels.categories))
    columns, totals = _unit_sums(counts, values, labels.mirror)
    moved = columns @ slopes(columns.sum(axis=0), totals)
    of_unit = np.zeros(len(counts), np.int64)
    of_unit[unit] = labels.segment
    sums = [np.bincount(of_unit, column) for column in moved.T]
    segments = max(len(np.unique(of_unit)), 2)
    return np.array([(column**2).sum() for column in sums]) * segments / (segments - 1)


def rows_of(coefficients: tuple[Coefficient, ...]) -> list[dict[str, Any]]:
    """One flat row per coefficient; a row of nulls where there is none."""
    return [coefficient.row() for coefficient in coefficients] or [
        Coefficient(None, None, None, None).row()
    ]


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


def _of_pairs(evidence: Evidence, resampling: Resampling, ranks: int | None) -> list[Coefficient]:
    """The coefficients that share P(A), the agreement of comparable pairs."""
    expectations, values = _expectations(evidence, ranks), _pair_values(evidence, ranks)
    columns = _pair_columns(evidence)
    total = columns.sum(axis=0)
    p_a = known(chance.ratio(total[0], total[1]))
    every = zip(
        expectations.items(),
        values(total),
        interval_ends(*_pair_intervals(evidence, columns, resampling, values)),
        strict=True,
    )
    return [
        Coefficient(name, known(value), *ends, p_a, known(expect(total)))
        for (name, expect), value, ends in every
    ]


def _expectations(evidence: Evidence, ranks: int | None) -> dict[str, Callable[[Floats], Floats]]:
    """P(E) of every coefficient from the sums of `_pair_columns`."""
    k = len(evidence.labels.categories)
    expectations: dict[str, Callable[[Floats], Floats]] = {
        "S": lambda sums: np.full(sums.shape[:-1], chance.uniform(k)),
        "pi": lambda sums: chance.from_shares(sums[..., 3:]),
        "cohen": lambda sums: chance.ratio(sums[..., 2], sums[..., 1]),
    }
    if ranks is not None:
        clicks = chance.random_clicking(ranks)
        expectations["random_clicking"] = lambda sums: np.full(sums.shape[:-1], clicks)
    return expectations


def _pair_values(evidence: Evidence, ranks: int | None) -> Callable[[Floats], Floats]:
    """The coefficients from the sums of `_pair_columns`."""
    expectations = _expectations(evidence, ranks)

    def values(sums: Floats) -> Floats:
        p_a = chance.ratio(sums[..., 0], sums[..., 1])
        expected = [expect(sums) for expect in expectations.values()]
        return np.stack([chance.corrected(p_a, p_e) for p_e in expected], axis=-1)

    return values


def _pair_columns(evidence: Evidence) -> Floats:
    """Per label: matches, comparable labels, matches expected (Cohen), the label itself."""
    labels = evidence.labels
    itself = chance.both_ways(np.eye(len(labels.categories)), labels.mirror)
    used = itself[labels.label] * evidence.counted[:, None]
    matches = evidence.matches
    return np.column_stack(
        [matches.agree, matches.comparable, kappa.cohen_expected(evidence), used]
    ).astype(float)


def _pair_intervals(
    evidence: Evidence,
    columns: Floats,
    resampling: Resampling,
    values: Callable[[Floats], Floats],
) -> tuple[Floats, Floats]:
    labels = evidence.labels
    sizes = evidence.matches.comparable
    if resampling.unit == "segment" or not evidence.across:
        return sum_intervals(columns, label_units(labels, resampling), sizes, resampling, values)
    # Pairs of different judges weigh w_j·w_k; the labels themselves w_j.
    agree, comparable = labels.judge_pairs
    shares = kappa.judge_shares(evidence)
    row, column = comparable.tocoo().coords
    expected = coo_array(
        (comparable.tocoo().data * (shares[row] * shares[column]).sum(1), (row, column)),
        shape=comparable.shape,
    ).tocsr()
    present, judge = np.unique(labels.judge, return_inverse=True)
    used = np.column_stack([np.bincount(judge, used) for used in columns[:, 3:].T])
    between = [pairs[present][:, present] for pairs in (agree, comparable, expected)]

    def values_of_weights(weights: Floats) -> Floats:
        pairs = [pair_sums(weights, matrix) for matrix in between]
        return values(np.column_stack([*pairs, weights @ used]))

    return weight_intervals(labels.judge, sizes, resampling, values_of_weights)


def _of_units(
    evidence: Evidence, resampling: Resampling, values: Floats | None
) -> list[Coefficient]:
    """Fleiss's κ and Krippendorff's α."""
    labels, unit = _units(evidence)
    counts = unit_counts(unit, labels.label, len(labels.categories))
    measures = _unit_measures(counts, values, labels.mirror)

    def sums(n: Floats, same: Floats | None = None) -> Floats:
        return np.concatenate([per_unit(n, same) for _, per_unit, _ in measures], axis=-1)

    columns, totals = _unit_sums(counts, values, labels.mirror)
    if resampling.unit == "judge" and evidence.across:
        intervals = _judge_intervals(labels, unit, sums, totals, resampling)
    else:
        of_unit = np.zeros(len(counts), np.int64)
        of_unit[unit] = label_units(labels, resampling)
        intervals = sum_intervals(columns, of_unit, counts.sum(axis=1), resampling, totals)
    return [
        Coefficient(name, known(value), *both)
        for (name, _, _), value, both in zip(
            measures, totals(columns.sum(axis=0)), interval_ends(*intervals), strict=True
        )
    ]


def _unit_sums(
    counts: Floats, values: Floats | None, mirror: chance.Mirror | None
) -> tuple[Floats, Callable[[Floats], Floats]]:
    """What every unit adds to the measures, and their values from the totals."""
    measures = _unit_measures(counts, values, mirror)
    parts = [per_unit(counts, None) for _, per_unit, _ in measures]
    ends = np.cumsum([part.shape[-1] for part in parts])

    def totals(sums: Floats) -> Floats:
        split = np.split(sums, ends[:-1], axis=-1)
        every = zip(measures, split, strict=True)
        return np.stack([total(part) for (_, _, total), part in every], axis=-1)

    return np.concatenate(parts, axis=-1), totals


_PerUnit = Callable[[Floats, Floats | None], Floats]


def _unit_measures(
    counts: Floats, values: Floats | None, mirror: chance.Mirror | None
) -> list[tuple[str, _PerUnit, Callable[[Floats], Floats]]]:
    """Each measure's name, its sums per unit, and its value from their totals."""

    def of_level(level: Level) -> tuple[str, _PerUnit, Callable[[Floats], Floats]]:
        places = places_of(counts, level, values, mirror)
        return (
            f"alpha_{level}",
            lambda n, same: alpha_sums(n, places, same, mirror),
            lambda sums: alpha_from_sums(sums, level),
        )

    fleiss = ("fleiss", lambda n, same: fleiss_sums(n, same, mirror), fleiss_from_sums)
    levels = LEVELS if values is not None else LEVELS[:1]
    return [fleiss, *map(of_level, levels)]


def _units(evidence: Evidence) -> tuple[Labels, Ints]:
    """The labels of units with at least two, and the unit of each."""
    labels = evidence.labels
    if evidence.across:
        first = np.unique(labels.item_of_judge, return_index=True)[1]
        once = np.zeros(len(labels), bool)
        once[first] = True
        kept = labels.where(once & (labels.inter.comparable > 0))
        return kept, dense(kept.item)
    kept = labels.where(labels.intra.comparable > 0)
    return kept, dense(kept.item_of_judge)


def _judge_intervals(
    labels: Labels,
    unit: Ints,
    sums: _PerUnit,
    totals: Callable[[Floats], Floats],
    resampling: Resampling,
) -> tuple[Floats, Floats]:
    """Where judges are drawn; a judge never meets itself."""
    k = len(labels.categories)
    present, judge = np.unique(labels.judge, return_inverse=True)
    units = int(unit.max(initial=-1)) + 1
    ones = np.ones(len(unit))
    said = coo_array((ones, (unit * k + labels.label, judge)), (units * k, len(present))).tocsr()
    seen = coo_array((ones, (unit, judge)), (units, len(present))).tocsr()

    def values(weights: Floats) -> Floats:
        counts = (said @ weights.T).T.reshape(len(weights), units, k)
        same = (seen @ (weights**2).T).T
        return totals(sums(counts, same).sum(axis=1))

    entries = 8 * units * k  # what the sums hold on their way
    sizes = labels.inter.comparable
    return weight_intervals(labels.judge, sizes, resampling, values, entries)
