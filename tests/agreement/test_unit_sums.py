"""Sums of units beside the plain tables of counts they stand for, with few labels and with many."""

import numpy as np
import pytest

from adjudge.agreement import chance_corrected
from adjudge.agreement import labels as columns
from adjudge.agreement.chance_corrected import (
    LEVELS,
    alpha_from_sums,
    alpha_sums,
    fleiss_from_sums,
    fleiss_sums,
    places_of,
    unit_counts,
)
from adjudge.agreement.coefficients import NAMES, coefficients
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.labels import Labels
from adjudge.agreement.unit_coefficients import UnitSums, unit_sums
from adjudge.stats.resampling import Resampling

pytestmark = pytest.mark.slow  # compiles


def labels(k: int, seed: int = 1, mirror: bool = False) -> Labels:
    """300 labels of 60 items by 7 judges, some given twice."""
    random = np.random.default_rng(seed)
    item, judge = random.integers(0, 60, 300), random.integers(0, 7, 300)
    label = np.clip(item * k // 60 + random.integers(-2, 3, 300), 0, k - 1)
    names = tuple(str(value) for value in range(k))
    judges = tuple("abcdefg")
    return Labels(item, judge, label, item // 3, judges, names, (2, 1, 0) if mirror else None)


def given(k: int, across: bool = True, mirror: bool = False) -> Evidence:
    of = labels(k, mirror=mirror)
    paired = (of.inter if across else of.intra).comparable > 0
    return Evidence(of, across, not across, counted=paired)


def by_tables(units: UnitSums, weights: np.ndarray | None = None) -> list[float]:
    """Fleiss's κ and α from the dense table of units by labels, judges weighing as drawn."""
    label, k, mirror = units.labels.label, len(units.labels.categories), units.labels.mirror
    counts = unit_counts(units.unit, label, k)
    places = [places_of(counts, level, units.values, mirror) for level in LEVELS]
    same = None
    if weights is not None:
        weight = weights[units.labels.judge]
        drawn = np.bincount(units.unit * k + label, weight, counts.size)
        counts = drawn.reshape(counts.shape)
        same = np.bincount(units.unit, weight**2)
    levels = zip(LEVELS, places, strict=True)
    return [
        fleiss_from_sums(fleiss_sums(counts, same, mirror).sum(0)),
        *(alpha_from_sums(alpha_sums(counts, p, same, mirror).sum(0), at) for at, p in levels),
    ]


@pytest.mark.parametrize("across", [True, False])
@pytest.mark.parametrize(("k", "mirror"), [(3, True), (5, False), (40, False)])
def test_sums_are_those_of_the_table(k: int, mirror: bool, across: bool) -> None:
    units = unit_sums(given(k, across, mirror), np.arange(k) ** 1.5)
    np.testing.assert_allclose(units.value(), by_tables(units), rtol=1e-12)


@pytest.mark.parametrize(("k", "mirror"), [(3, True), (5, False), (40, False)])
def test_drawn_judges_are_those_of_the_table(k: int, mirror: bool) -> None:
    units = unit_sums(given(k, mirror=mirror), np.arange(k) ** 1.5)
    weights = np.random.default_rng(2).integers(0, 4, (5, 7)).astype(float)
    starts = np.append(np.flatnonzero(np.diff(units.unit, prepend=-1)), len(units.unit))
    drawn = units._drawn(starts, units.labels.judge, np.ascontiguousarray(weights.T))
    expected = np.array([by_tables(units, each) for each in weights])
    np.testing.assert_allclose(drawn, expected, rtol=1e-10)
    if not mirror:
        alone = units._drawn_interval_alpha(starts, units.labels.judge, weights.T.copy())
        np.testing.assert_allclose(alone[:, -1], expected[:, -1], rtol=1e-10)


@pytest.mark.parametrize("unit", ["auto", "segment", "judge"])
@pytest.mark.parametrize("across", [True, False])
def test_what_is_wanted_is_what_it_is_among_all(unit, across: bool) -> None:
    evidence, drawn = given(40, across), Resampling(unit=unit, replicates=50)
    every = coefficients(evidence, drawn, values=np.arange(40.0))
    assert tuple(c.name for c in every) == tuple(n for n in NAMES if n != "random_clicking")
    named = {c.name: c for c in every}
    some = coefficients(evidence, drawn, values=np.arange(40.0), wanted=("S", "alpha_interval"))
    assert [c.name for c in some] == ["S", "alpha_interval"]
    for coefficient in some:
        assert coefficient.row() == pytest.approx(named[coefficient.name].row(), nan_ok=True)


@pytest.mark.parametrize("unit", ["auto", "segment", "judge"])
def test_sparse_tables_say_what_dense_ones_do(monkeypatch, unit) -> None:
    drawn = Resampling(unit=unit, replicates=50)
    sparse = coefficients(given(40), drawn, values=np.arange(40.0))
    monkeypatch.setattr(columns, "MOST_DENSE", 40)
    dense = coefficients(given(40), drawn, values=np.arange(40.0))
    for one, other in zip(sparse, dense, strict=True):
        assert one.row() == pytest.approx(other.row())


def test_expected_matches_do_not_depend_on_how_many_items_are_taken_at_a_time(monkeypatch) -> None:
    evidence = given(5)
    of = evidence.labels
    shares = chance_corrected.judge_shares(evidence)[of.judge]
    plain = [
        sum(shares[i] @ shares[j] for j in np.flatnonzero(of.item == of.item[i])
            if of.judge[j] != of.judge[i])
        for i in range(len(of))
    ]  # fmt: skip
    for numbers in (1 << 18, 60, 1):
        monkeypatch.setattr(chance_corrected, "SHARES_AT_ONCE", numbers)
        np.testing.assert_allclose(chance_corrected.cohen_expected(evidence), plain, atol=1e-12)
