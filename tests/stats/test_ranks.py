"""Rank ranges, clusters and the chance to be better, from replicates."""

import re

import numpy as np
import pytest

from adjudge.stats.ranks import (
    best_ranks,
    better,
    clusters,
    mean_ranks,
    rank_ranges,
    rank_shares,
    worst_ranks,
)


def test_equal_scores_share_their_ranks():
    scores = np.array([[0.5, 0.7, 0.5, 0.1], [0.1 + 0.2, 0.3, 0.0, 0.9]])
    assert best_ranks(scores).tolist() == [[2, 1, 2, 4], [2, 2, 4, 1]]
    assert worst_ranks(scores).tolist() == [[3, 1, 3, 4], [3, 3, 4, 1]]


def test_ranges_drop_as_wmt_does():
    # The first system is ranked 2nd in 25 of 1,000 replicates, then in 26.
    for upsets, worst in ((25, 1), (26, 2)):
        scores = np.tile([1.0, 0.0], (1000, 1))
        scores[:upsets] = [0.0, 1.0]
        low, high = rank_ranges(scores, tail=0.025)
        assert (low[0], high[0]) == (1, worst)
        assert (low[1], high[1]) == (3 - worst, 2)


def test_a_single_replicate_has_a_range():
    low, high = rank_ranges(np.array([[3.0, 1.0, 2.0]]), tail=0.025)
    assert low.tolist() == high.tolist() == [1, 3, 2]


def test_tied_replicates_separate_nobody():
    low, high = rank_ranges(np.zeros((100, 3)), tail=0.025)
    assert low.tolist() == [1, 1, 1]
    assert high.tolist() == [3, 3, 3]
    assert clusters(low, high).tolist() == [1, 1, 1]


def test_rank_shares_add_up():
    scores = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [1.0, 1.0, 0.0]])
    shares = [[0.625, 0.375, 0], [0.375, 0.625, 0], [0, 0, 1]]  # the tie counts half at either rank
    assert rank_shares(scores).tolist() == shares
    drawn = np.random.default_rng(1).integers(0, 4, (200, 7)).astype(float)
    for axis in (0, 1):
        assert rank_shares(drawn).sum(axis) == pytest.approx(np.ones(7))


def test_clusters_end_where_no_range_reaches_on():
    assert clusters(np.array([1, 2, 2, 4]), np.array([1, 3, 3, 4])).tolist() == [1, 2, 2, 3]
    # The third range reaches neither neighbour, but the first reaches over it.
    assert clusters(np.array([1, 1, 3, 3]), np.array([3, 2, 4, 4])).tolist() == [1, 1, 1, 1]
    assert clusters(np.array([1]), np.array([1])).tolist() == [1]


def test_the_official_clusters_of_wmt15_follow_from_the_official_ranges(shared_data):
    files = sorted((shared_data / "wmt15" / "official-ranking").glob("*.txt"))
    assert len(files) == 10
    for file in files:
        low, high, official, cluster = [], [], [], 1
        for line in file.read_text().splitlines():
            if line.startswith("+"):
                cluster += 1
            elif found := re.search(r"\((\d+)\.0, (\d+)\.0\)", line):
                low.append(int(found[1]))
                high.append(int(found[2]))
                official.append(cluster)
        assert clusters(np.array(low), np.array(high)).tolist() == official


def test_better_counts_ties_half():
    replicates = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 0.0]])
    assert better(replicates).tolist() == [[0.5, 0.625], [0.375, 0.5]]


def test_mean_ranks_are_scipy_s():
    from scipy.stats import rankdata

    random = np.random.default_rng(1)
    values = random.integers(0, 6, (20, 9)).astype(float)
    values[3, 2] = np.inf
    np.testing.assert_array_equal(mean_ranks(values), rankdata(values, axis=-1))
    np.testing.assert_array_equal(mean_ranks(values[0]), rankdata(values[0]))
    assert mean_ranks(np.array([[7.0]])).tolist() == [[1.0]]
