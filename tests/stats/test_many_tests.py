"""Tests of two, and of many at once, against SciPy and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from adjudge.core.errors import BadParameter
from adjudge.stats.tests import (
    adjusted,
    at_least,
    expected_false,
    share_without_difference,
    sign_test,
    significance_clusters,
)


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_the_exact_binomial_one(wins, losses):
    p = sign_test(np.array([wins]), np.array([losses]))[0]
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert p == pytest.approx(expected)


def test_holm_multiplies_by_what_is_left():
    assert adjusted(np.array([0.01, 0.04, 0.03]), "holm").tolist() == pytest.approx(
        [0.03, 0.06, 0.06]
    )
    assert adjusted(np.array([0.01, 0.04, 0.03]), "none").tolist() == [0.01, 0.04, 0.03]


def test_benjamini_hochberg_divides_by_the_rank():
    assert adjusted(np.array([0.01, 0.04, 0.03]), "bh").tolist() == pytest.approx(
        [0.03, 0.04, 0.04]
    )


def test_an_unknown_correction_is_refused():
    with pytest.raises(BadParameter, match="`correction` cannot be 'bonferroni'"):
        adjusted(np.array([0.01]), "bonferroni")


def test_half_of_what_is_equal_is_above_a_half():
    even = np.linspace(0.001, 0.999, 400)
    assert share_without_difference(even) == pytest.approx(1, abs=0.01)
    half = np.concatenate([even, np.full(400, 1e-6)])
    assert share_without_difference(half) == pytest.approx(0.5, abs=0.01)
    assert expected_false(half, 0.05) == pytest.approx(0.05 * 400, rel=0.05)


def test_a_cluster_ends_only_where_all_above_beat_all_below():
    p = np.ones((4, 4))
    p[0, 1:] = 0.01
    p[1, 3] = p[2, 3] = 0.01
    assert significance_clusters(p).tolist() == [1, 2, 2, 3]
    p[2, 3] = 0.2
    assert significance_clusters(p).tolist() == [1, 2, 2, 2]


def test_at_least_so_many_hits_are_as_likely_as_scipy_says():
    from scipy.stats import binom

    hits, number = np.array([0, 1, 3, 50, 7]), np.array([0, 5, 3, 200, 9])
    for chance in (0.5, 0.01, 1.0):
        expected = binom.sf(hits - 1, number, chance)
        np.testing.assert_allclose(at_least(hits, number, chance), expected, rtol=1e-12)
