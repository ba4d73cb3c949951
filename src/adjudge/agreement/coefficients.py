"""Every coefficient of one set of labels side by side, each with its bootstrap interval.

S, random clicking, π and Cohen's κ count all comparable pairs of labels. Fleiss's κ and
Krippendorff's α are of units with many labels: between judges a unit is an item with the
first label of each judge; within judges it is an item as one judge saw it. In a bootstrap the
judges' own shares (Cohen) and the mean ranks (ordinal α) are held as all labels give them.
"""

from collections.abc import Callable
from dataclasses import dataclass
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
from adjudge.agreement.bootstrap import Bootstrap
from adjudge.agreement.chance import Floats, known
from adjudge.agreement.conventions import CONVENTIONS, Evidence
from adjudge.agreement.fleiss import fleiss_from_sums, fleiss_sums
from adjudge.agreement.interpretation import krippendorff, landis_koch
from adjudge.agreement.labels import KINDS, Ints, Labels, dense
from adjudge.agreement.pairwise import variants
from adjudge.comparisons.comparisons import Outputs, by_pair, compare

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
    bootstrap: Bootstrap,
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
    return (*_of_pairs(evidence, bootstrap, ranks), *_of_units(evidence, bootstrap, values))


def rows_of(found: tuple[Coefficient, ...]) -> list[dict[str, Any]]:
    """One flat row per coefficient; a row of nulls where there is none."""
    return [coefficient.row() for coefficient in found] or [
        Coefficient(None, None, None, None).row()
    ]


def coefficient_rows(
    table: pl.DataFrame, outputs: Outputs, bootstrap: Bootstrap
) -> list[dict[str, Any]]:
    """Every coefficient of the pairwise labels of every language pair, as flat rows."""
    rows = []
    for pair, judged in by_pair(table):
        ranks = cast(int, judged["rank"].max() or 1)
        for with_reference, comparisons in variants(compare(judged, outputs)):
            evidence = CONVENTIONS["sound"].evidence(comparisons)
            for kind in KINDS:
                about = {
                    "pair": pair,
                    "kind": kind,
                    "outputs": outputs,
                    "with_reference": with_reference,
                    "comparable": int(evidence[kind].matches.comparable.sum()) // 2,
                }
                found = coefficients(evidence[kind], bootstrap, ranks=ranks, values=DIRECTIONS)
                rows += [{**about, **row} for row in rows_of(found)]
    return rows


def _of_pairs(evidence: Evidence, bootstrap: Bootstrap, ranks: int | None) -> list[Coefficient]:
    """The coefficients that share P(A), the agreement of comparable pairs."""
    k = len(evidence.labels.categories)
    expectations: dict[str, Callable[[Floats], Floats]] = {
        "S": lambda sums: np.full(sums.shape[:-1], chance.uniform(k)),
        "pi": lambda sums: chance.from_shares(sums[..., 3:]),
        "cohen": lambda sums: chance.ratio(sums[..., 2], sums[..., 1]),
    }
    if ranks is not None:
        clicks = chance.random_clicking(ranks)
        expectations["random_clicking"] = lambda sums: np.full(sums.shape[:-1], clicks)
    columns = _pair_columns(evidence)
    point = columns.sum(0)
    replicates = _replicated_pairs(evidence, columns, bootstrap)
    found = []
    for name, expect in expectations.items():
        p_a, p_e = chance.ratio(point[0], point[1]), expect(point)
        drawn = chance.ratio(replicates[:, 0], replicates[:, 1])
        found.append(
            _coefficient(
                name,
                chance.corrected(p_a, p_e),
                chance.corrected(drawn, expect(replicates)),
                bootstrap,
                known(p_a),
                known(p_e),
            )
        )
    return found


def _pair_columns(evidence: Evidence) -> Floats:
    """Per label: matches, comparable labels, matches expected (Cohen), the label itself."""
    labels = evidence.labels
    itself = chance.both_ways(np.eye(len(labels.categories)), labels.mirror)
    used = itself[labels.label] * evidence.counted[:, None]
    matches = evidence.matches
    return np.column_stack(
        [matches.agree, matches.comparable, kappa.cohen_expected(evidence), used]
    ).astype(float)


def _replicated_pairs(evidence: Evidence, columns: Floats, bootstrap: Bootstrap) -> Floats:
    labels = evidence.labels
    if bootstrap.over == "segment" or not evidence.across:
        part = labels.segment if bootstrap.over == "segment" else labels.judge
        return _replicated(columns, part, bootstrap)
    # Pairs of different judges weigh w_j·w_k; the labels themselves w_j.
    agree, comparable = labels.judge_pairs
    shares = kappa.judge_shares(evidence)
    row, column = comparable.tocoo().coords
    expected = coo_array(
        (comparable.tocoo().data * (shares[row] * shares[column]).sum(1), (row, column)),
        shape=comparable.shape,
    ).tocsr()
    present, judge = np.unique(labels.judge, return_inverse=True)
    used = _summed(columns[:, 3:], judge, len(present))
    across = [m[present][:, present] for m in (agree, comparable, expected)]

    def replicate(weights: Floats) -> Floats:
        pairs = [((weights @ m) * weights).sum(1) for m in across]
        return np.column_stack([*pairs, weights @ used])

    return bootstrap.each(len(present), replicate)


def _of_units(evidence: Evidence, bootstrap: Bootstrap, values: Floats | None) -> list[Coefficient]:
    """Fleiss's κ and Krippendorff's α."""
    labels, unit = _units(evidence)
    counts = unit_counts(unit, labels.label, len(labels.categories))
    measures = _unit_measures(counts, values, labels.mirror)

    def per_unit(n: Floats, same: Floats | None = None) -> Floats:
        return np.concatenate([sums(n, same) for _, sums, _ in measures], -1)

    sums = per_unit(counts)
    if bootstrap.over == "judge" and evidence.across:
        replicates = _replicated_judges(labels, unit, per_unit, bootstrap)
    else:
        of_unit = np.zeros(len(counts), np.int64)
        of_unit[unit] = labels.segment if bootstrap.over == "segment" else labels.judge
        replicates = _replicated(sums, of_unit, bootstrap)
    ends = np.cumsum([per(counts[:0], None).shape[-1] for _, per, _ in measures])
    return [
        _coefficient(name, total(point), total(drawn), bootstrap)
        for (name, _, total), point, drawn in zip(
            measures,
            np.split(sums.sum(0), ends[:-1]),
            np.split(replicates, ends[:-1], axis=1),
            strict=True,
        )
    ]


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


def _replicated_judges(
    labels: Labels, unit: Ints, per_unit: _PerUnit, bootstrap: Bootstrap
) -> Floats:
    """Sums over units in every replicate that draws judges; a judge never meets itself."""
    k = len(labels.categories)
    present, judge = np.unique(labels.judge, return_inverse=True)
    units = int(unit.max(initial=-1)) + 1
    ones = np.ones(len(unit))
    said = coo_array((ones, (unit * k + labels.label, judge)), (units * k, len(present))).tocsr()
    seen = coo_array((ones, (unit, judge)), (units, len(present))).tocsr()

    def replicate(weights: Floats) -> Floats:
        # One replicate at a time is already an array as large as the table of units.
        found = []
        for drawn in weights:
            counts = (said @ drawn).reshape(units, k)
            found.append(per_unit(counts, seen @ drawn**2).sum(0))
        return np.stack(found)

    return bootstrap.each(len(present), replicate)


def _replicated(columns: Floats, part: Ints, bootstrap: Bootstrap) -> Floats:
    present, code = np.unique(part, return_inverse=True)
    if len(present) < 2:
        return np.full((1, columns.shape[1]), np.nan)
    return bootstrap.sums(_summed(columns, code, len(present)))


def _summed(columns: Floats, part: Ints, parts: int) -> Floats:
    return np.column_stack([np.bincount(part, column, parts) for column in columns.T])


def _coefficient(
    name: str,
    value: Floats,
    replicates: Floats,
    bootstrap: Bootstrap,
    p_a: float | None = None,
    p_e: float | None = None,
) -> Coefficient:
    low, high = bootstrap.interval(replicates)
    return Coefficient(name, known(value), low, high, p_a, p_e)
