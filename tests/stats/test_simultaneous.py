"""Rank ranges of all items at once."""

import numpy as np
import pytest
from scipy.stats import norm, studentized_range

from adjudge.stats.ranks import clusters
from adjudge.stats.simultaneous import (
    noise,
    p_values,
    probabilities_better,
    simultaneous_ranges,
    told_apart,
)

MANY = 1e6


def test_two_items_are_compared_by_students_t():
    # One pair: the critical value is that of a single test.
    covariance = np.diag([0.5, 0.5])
    assert not told_apart(np.array([1.9, 0.0]), covariance, MANY, 0.95).any()
    assert told_apart(np.array([2.02, 0.0]), covariance, MANY, 0.95).tolist() == [
        [False, True],
        [False, False],
    ]
    assert not told_apart(np.array([2.02, 0.0]), covariance, 5, 0.95).any()


def test_the_critical_value_is_tukeys_where_items_are_independent():
    # The largest difference of six independent scores is Tukey's studentised range.
    critical = studentized_range.ppf(0.95, 6, np.inf) / np.sqrt(2)
    for factor, found in ((0.97, False), (1.03, True)):
        scores = np.zeros(6)
        scores[2] = factor * critical * np.sqrt(2)
        assert told_apart(scores, np.eye(6), MANY, 0.95)[2].any() == found


def test_pairs_told_apart_make_room_for_the_rest():
    # 2.3 standard errors are too few among six pairs, and enough for the last one left.
    step = 2.3 * np.sqrt(2)
    together = told_apart(np.array([0.0, step]), np.eye(2), MANY, 0.95)
    assert together[1, 0]
    crowd = told_apart(np.array([0.0, step, 0.1, 0.2]), np.eye(4), MANY, 0.95)
    assert not crowd.any()
    apart = np.array([0.0, step, 30.0, 60.0])
    assert told_apart(apart, np.eye(4), MANY, 0.95).sum() == 6


def test_equal_items_are_told_apart_in_one_of_twenty_campaigns():
    random = np.random.default_rng(1)
    scores = random.normal(size=(300, 4))
    false = [told_apart(row, np.eye(4), MANY, 0.95).any() for row in scores]
    assert 0.02 < np.mean(false) < 0.09


def test_names_change_nothing():
    random = np.random.default_rng(5)
    root = random.normal(size=(7, 7))
    covariance, scores = root @ root.T, 6 * random.normal(size=7)
    better = told_apart(scores, covariance, 8, 0.95)
    assert better.any()
    order = random.permutation(7)
    again = told_apart(scores[order], covariance[np.ix_(order, order)], 8, 0.95)
    np.testing.assert_array_equal(again, better[np.ix_(order, order)])


def test_ranges_follow_from_who_is_better():
    better = np.zeros((4, 4), bool)
    better[0, 2:] = True
    better[1, 3] = True
    low, high = simultaneous_ranges(better)
    assert low.tolist() == [1, 1, 2, 3]
    assert high.tolist() == [2, 3, 4, 4]
    assert clusters(low, high).tolist() == [1, 1, 1, 1]


def test_probabilities_and_tests_say_the_same():
    scores, covariance = np.array([1.0, 0.0, 0.0]), np.eye(3) / 2
    p = p_values(scores, covariance, np.full(3, MANY))
    better = probabilities_better(scores, covariance, np.full(3, MANY))
    assert better[0, 1] == pytest.approx(norm.cdf(1), abs=1e-4)
    assert p[0, 1] == pytest.approx(2 * norm.cdf(-1), abs=1e-4)
    assert better[1, 2] == pytest.approx(0.5)
    assert p[1, 2] == pytest.approx(1)
    # The smaller degrees of freedom of the two count.
    assert p_values(scores, covariance, np.array([2.0, MANY, MANY]))[0, 1] > p[0, 1]


def test_noise_has_the_covariance_it_is_asked_for():
    covariance = np.array([[1.0, 0.5], [0.5, 2.0]])
    drawn = noise(covariance, MANY, 50_000)
    np.testing.assert_allclose(np.cov(drawn.T), covariance, rtol=0.05)
