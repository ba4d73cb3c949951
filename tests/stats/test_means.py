"""Means over other judges and texts: coverage, false claims, edges."""

import numpy as np
import pytest

from adjudge.stats.means import Observed, assess_means
from adjudge.stats.resampling import units_of


def observed(random, *, items=6, judges=5, texts=10, number=600, strict=0.4, scale="strength"):
    """Equal items; judges and texts are strict or easy, and like some items more than others."""
    judge, text = random.integers(0, judges, number), random.integers(0, texts, number)
    item = random.integers(0, items, number)
    value = random.normal(size=number)
    for unit, count in ((judge, judges), (text, texts)):
        value += strict * random.normal(size=count)[unit]
        value += 0.2 * random.normal(size=(count, items))[unit, item]
    if scale == "share":
        value = (value > 0).astype(float)
    units = (units_of(judge, "judge"), units_of(text, "document"))
    return Observed(value, 1 / np.bincount(item)[item], item, items, units)


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "truth"), [("strength", 0.0), ("share", 0.5)])
def test_intervals_cover_and_equal_items_are_not_told_apart(scale, truth):
    covered, false = [], []
    for seed in range(200):
        given = observed(np.random.default_rng(seed), scale=scale)
        found = assess_means(given, "judge+document", scale, 0.95)
        low, high = found.interval()
        covered.append(np.mean((low <= truth) & (truth <= high)))
        false.append(found.told_apart().any())
    assert 0.92 < np.mean(covered) < 0.98
    assert np.mean(false) < 0.09  # 5 %, and two and a half standard errors of 200 campaigns


def test_strict_judges_widen_intervals_and_not_differences():
    """Every judge scores every item of every text, some far more strictly."""
    random = np.random.default_rng(1)
    judge, text, item = (axis.ravel() for axis in np.indices((6, 10, 4)))
    noise = random.normal(size=len(item)) + np.array([3.0, 2.0, 1.0, 0.0])[item]
    units = (units_of(judge, "judge"), units_of(text, "document"))

    def found(strictness):
        value = noise + strictness * np.arange(6.0)[judge]
        given = Observed(value, np.full(len(item), 1 / 60), item, 4, units)
        return assess_means(given, "judge+document", "strength", 0.95)

    mild, strict = found(0.0), found(5.0)
    assert np.diff(strict.interval(), axis=0).min() > 5 * np.diff(mild.interval(), axis=0).max()
    np.testing.assert_allclose(strict.better(), mild.better(), atol=0.02)


def test_shares_of_nought_and_one_have_intervals_of_some_width():
    item = np.repeat([0, 1], 12)
    units = (units_of(np.tile(np.arange(4), 6), "judge"), units_of(np.arange(24), "segment"))
    given = Observed((item == 0).astype(float), np.full(24, 1 / 12), item, 2, units)
    low, high = assess_means(given, "judge+segment", "share", 0.95).interval()
    assert high[0] == 1
    assert low[1] == 0
    assert 0.3 < low[0] < 0.9
    assert 0.1 < high[1] < 0.7


def test_equal_scores_have_intervals_of_the_width_that_rounding_hides():
    item = np.repeat([0, 1], 12)
    units = (units_of(np.tile(np.arange(4), 6), "judge"),)
    given = Observed(np.full(24, 80.0), np.full(24, 1 / 12), item, 2, units)
    found = assess_means(given, "judge", "strength", 0.95, least=1 / 12)
    low, high = found.interval()
    assert (high - low > 2 * np.sqrt(1 / 12 / 12)).all()
    assert not found.told_apart().any()


def test_few_items_are_chosen_with_all_that_is_known_of_them():
    found = assess_means(observed(np.random.default_rng(3)), "judge+document", "strength", 0.95)
    kept = np.array([True, False, True, True, False, True])
    part = found.among(kept)
    np.testing.assert_array_equal(part.interval()[0], found.interval()[0][kept])
    np.testing.assert_allclose(part.better(), found.better()[np.ix_(kept, kept)])
    assert set(part.parts) == {"judge", "document", "rest"}
