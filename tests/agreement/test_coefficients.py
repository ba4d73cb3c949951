"""Fleiss's κ, Krippendorff's α and the rest, against textbooks, a peer and plain Python."""

from itertools import combinations

import krippendorff
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.agreement.categorical import label_agreement
from adjudge.agreement.chance_corrected import LEVELS, alpha, cohen_kappa, fleiss_kappa
from adjudge.stats.resampling import Resampling

# Krippendorff's example: four observers, twelve units, some labels missing.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def tidy(rows: list[list[int | None]]) -> pl.DataFrame:
    """One row per label, from one list per judge."""
    return pl.DataFrame(
        [
            (f"i{item}", f"j{judge}", label)
            for judge, labels in enumerate(rows)
            for item, label in enumerate(labels)
            if label is not None
        ],
        schema={"item": pl.String, "judge": pl.String, "label": pl.Int64},
        orient="row",
    )


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorffs_own_example(level: str, value: float) -> None:
    inter, _ = label_agreement(tidy(OBSERVERS), resampling=Resampling(replicates=50))
    assert inter.value(f"alpha_{level}") == pytest.approx(value, abs=5e-4)


def test_fleiss_on_ten_subjects_by_fourteen_raters() -> None:
    table = """0 0 0 0 14  0 2 6 4 2  0 0 3 5 6  0 3 9 2 0  2 2 8 1 1
               7 7 0 0 0  3 2 6 3 0  2 5 3 2 2  6 5 2 1 0  0 2 2 3 7"""
    counts = np.array(table.split(), float).reshape(10, 5)
    assert fleiss_kappa(counts) == pytest.approx(0.210, abs=5e-4)


def test_cohen_on_two_by_two() -> None:
    assert cohen_kappa(np.array([[20.0, 5.0], [10.0, 15.0]])) == pytest.approx(0.4)


matrices = st.integers(2, 4).flatmap(
    lambda judges: st.lists(
        st.lists(st.none() | st.integers(0, 3), min_size=judges, max_size=judges),
        min_size=2,
        max_size=12,
    )
)


@given(matrices)
@settings(max_examples=80, deadline=None)
def test_alpha_equals_the_krippendorff_package(units: list[list[int | None]]) -> None:
    data = np.array([[np.nan if v is None else v for v in unit] for unit in units], float).T
    paired = data[:, np.sum(~np.isnan(data), axis=0) > 1]
    if len(np.unique(paired[~np.isnan(paired)])) < 2:
        return  # no variation: α is undefined, and the peer refuses
    judge, unit = np.nonzero(~np.isnan(data))
    for level in LEVELS:
        ours = alpha(unit, data[judge, unit].astype(np.int64), level)
        # The peer wants values, not places; 0…3 are both.
        assert ours == pytest.approx(krippendorff.alpha(data, level_of_measurement=level))


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_pair_coefficients_equal_their_definitions(units: list[list[int | None]]) -> None:
    frame = tidy([list(labels) for labels in zip(*units, strict=True)])
    by_item = [[(j, v) for j, v in enumerate(unit) if v is not None] for unit in units]
    pairs = [pair for unit in by_item for pair in combinations(unit, 2)]
    if not pairs:
        return
    inter, _ = label_agreement(frame, resampling=Resampling(replicates=5))
    used = [label for unit in by_item if len(unit) > 1 for label in unit]
    labels = sorted({v for unit in by_item for _, v in unit})
    share = {v: sum(u == v for _, u in used) / len(used) for v in labels}
    p_a = sum(a[1] == b[1] for a, b in pairs) / len(pairs)

    def judge_share(judge: int, label: int) -> float:
        mine = [v for j, v in used if j == judge]
        return mine.count(label) / len(mine)

    expected = {
        "S": 1 / len(labels),
        "pi": sum(p * p for p in share.values()),
        "cohen": sum(judge_share(a[0], v) * judge_share(b[0], v) for a, b in pairs for v in labels)
        / len(pairs),
    }
    assert (inter.agree, inter.comparable) == (round(p_a * len(pairs)), len(pairs))
    for name, p_e in expected.items():
        found = next(c for c in inter.coefficients if c.name == name)
        assert found.p_e == pytest.approx(p_e)
        if p_e < 1:
            assert found.value == pytest.approx((p_a - p_e) / (1 - p_e))


def test_two_judges_make_cohen_of_their_table() -> None:
    rng = np.random.default_rng(1)
    first = rng.integers(0, 3, 60)
    second = np.where(rng.random(60) < 0.6, first, rng.integers(0, 3, 60))
    table = np.bincount(first * 3 + second, minlength=9).reshape(3, 3).astype(float)
    inter, intra = label_agreement(tidy([first.tolist(), second.tolist()]))
    assert inter.value("cohen") == pytest.approx(float(cohen_kappa(table)))
    assert intra.comparable == 0
    assert intra.coefficients == ()


def test_repeats_are_intra_and_units_take_the_first_label() -> None:
    frame = pl.DataFrame(
        {
            "item": ["x", "x", "x", "y", "y"],
            "judge": ["a", "a", "b", "a", "b"],
            "label": ["GOOD", "BAD", "GOOD", "BAD", "BAD"],
        }
    )
    inter, intra = label_agreement(frame, resampling=Resampling(replicates=20))
    assert (inter.agree, inter.comparable, intra.agree, intra.comparable) == (2, 3, 0, 1)
    # By first labels both items are unanimous.
    assert inter.value("fleiss") == 1
    assert inter.value("alpha_ordinal") is None  # names have no order


@pytest.mark.slow
def test_intervals_over_segments_cover() -> None:
    """Two judges who agree by a coin of known bias: 95 % intervals hold the true S."""
    rng = np.random.default_rng(3)
    p_a, covered, runs = 0.7, 0, 200
    for seed in range(runs):
        first = rng.integers(0, 3, 120)
        second = np.where(rng.random(120) < p_a, first, (first + rng.integers(1, 3, 120)) % 3)
        inter, _ = label_agreement(
            tidy([first.tolist(), second.tolist()]),
            resampling=Resampling(replicates=200, seed=seed),
        )
        s = next(c for c in inter.coefficients if c.name == "S")
        assert s.low is not None
        assert s.high is not None
        covered += s.low <= (p_a - 1 / 3) / (1 - 1 / 3) <= s.high
    assert 0.90 <= covered / runs <= 0.985


@pytest.mark.parametrize("name", ["S", "pi", "cohen", "fleiss", "alpha_nominal", "alpha_ordinal"])
def test_intervals_over_judges_hold_the_estimate_and_spread(name: str) -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 50)
    judges = [
        np.where(rng.random(50) < right, truth, rng.integers(0, 4, 50)).tolist()
        for right in (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    ]
    over = {
        unit: next(
            c
            for c in label_agreement(tidy(judges), resampling=Resampling(unit, 300))[0].coefficients
            if c.name == name
        )
        for unit in ("segment", "judge")
    }
    width = {unit: c.high - c.low for unit, c in over.items()}
    assert over["judge"].low < over["judge"].value < over["judge"].high
    # Judges this different say less about judges in general than fifty items about items.
    assert width["judge"] > width["segment"]


def test_drawing_all_judges_once_is_the_estimate() -> None:
    """A judge drawn twice meets nobody new: weights of two everywhere change nothing."""
    from adjudge.agreement.chance_corrected import (
        alpha_from_sums,
        alpha_sums,
        fleiss_from_sums,
        fleiss_sums,
        places_of,
    )

    rng = np.random.default_rng(5)
    counts = rng.integers(0, 3, (20, 4)).astype(float)
    n = counts.sum(1)
    doubled = fleiss_from_sums(fleiss_sums(2 * counts, 4 * n).sum(0))
    assert doubled == pytest.approx(fleiss_from_sums(fleiss_sums(counts).sum(0)))
    for level in LEVELS:
        places = places_of(counts, level)
        once = alpha_sums(counts, places).sum(0)
        twice = alpha_sums(2 * counts, places, 4 * n).sum(0)
        # D_o counts every label twice, as n does.
        assert twice[0] == pytest.approx(2 * once[0])
        assert alpha_from_sums(once, level) <= 1
