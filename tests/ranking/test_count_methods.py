"""The methods that only count, worked by hand."""

import numpy as np
import pytest

from adjudge.core.parallel import Engine
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import share, win_ratio
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS
from adjudge.ranking.methods.expected_wins import scores as expected_wins
from adjudge.stats.resampling import Resampling

# A beats B 3 : 1 with two ties, A beats C 2 : 0, B and C tie once and B wins once.
WINS = np.array([[0, 3, 2], [1, 0, 1], [0, 0, 0]])
TIES = np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0]])


def counts(wins=WINS, ties=TIES) -> WinCounts:
    return WinCounts(("A", "B", "C"), np.asarray(wins), np.asarray(ties))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("at-least-others", [7 / 8, 5 / 8, 1 / 4]),
        ("others-strict", [5 / 8, 2 / 8, 0]),
        ("heuristic2", [5 / 8, 2 / 8, 0]),
        ("win-ratio", [5 / 6, 2 / 5, 0]),
        ("expected-wins", [(3 / 4 + 1) / 2, (1 / 4 + 1) / 2, 0]),
    ],
)
def test_formula(name, expected):
    np.testing.assert_allclose(METHODS.named(name).scores(counts()), expected)


def test_replicates_are_scored_as_one_by_one():
    random = np.random.default_rng(1)
    wins = random.integers(0, 4, (50, 3, 3)) * ~np.eye(3, dtype=bool)
    ties = random.integers(0, 3, (50, 3, 3)) * ~np.eye(3, dtype=bool)
    ties = ties + np.swapaxes(ties, -1, -2)
    for name in ("at-least-others", "others-strict", "win-ratio", "expected-wins"):
        score = METHODS.named(name).scores
        together = score(counts(wins, ties))
        alone = [score(counts(*one)) for one in zip(wins, ties, strict=True)]
        np.testing.assert_allclose(together, alone)


def test_an_opponent_never_beaten_nor_lost_to_is_left_out_of_the_mean():
    wins = [[0, 3, 0], [1, 0, 2], [0, 2, 0]]
    ties = [[0, 0, 5], [0, 0, 0], [5, 0, 0]]
    np.testing.assert_allclose(
        expected_wins(counts(wins, ties)), [3 / 4, (1 / 4 + 1 / 2) / 2, 1 / 2]
    )


def test_a_system_without_a_decision_takes_the_mean_of_the_others():
    wins = [[0, 3, 0], [1, 0, 0], [0, 0, 0]]
    np.testing.assert_allclose(win_ratio(counts(wins)), [3 / 4, 1 / 4, 1 / 2])
    np.testing.assert_allclose(share(np.array([1, 0, 3]), np.array([4, 0, 4])), [0.25, 0.5, 0.75])


def test_without_any_decision_all_are_in_the_middle():
    np.testing.assert_allclose(win_ratio(counts(0 * WINS)), 0.5)
    np.testing.assert_allclose(expected_wins(counts(0 * WINS)), 0.5)


BLOCKS = [
    {"A": 1, "B": 1, "C": 2},  # A and B share the top
    {"A": 1, "B": 2, "C": 2},  # A is alone at the top
    {"B": 1, "C": 3},  # B is alone at the top
    {"A": 2, "B": 3, "C": 1},  # C is alone at the top
]


def block_scores(name, comparisons):
    method = METHODS.named(name)
    return estimate(comparisons, method, Resampling("none"), Engine()).scores.tolist()


def test_blocks(campaign):
    assert block_scores("block-top", campaign(BLOCKS)) == [2 / 3, 2 / 4, 1 / 4]
    assert block_scores("block-sole", campaign(BLOCKS)) == [1 / 3, 1 / 4, 1 / 4]


def test_the_reference_counts_in_the_methods_that_say_so(campaign):
    from adjudge.ranking.ranking_result import rank

    blocks = [{"A": 2, "B": 3, "_ref": 1}, {"A": 2, "B": 1, "_ref": 1}]
    by = {
        name: rank(campaign(blocks), METHODS.named(name), Resampling("none"))
        for name in ("others-strict", "heuristic2")
    }
    assert dict(zip(by["others-strict"].systems, by["others-strict"].scores, strict=True)) == {
        "_ref": 3 / 4,
        "A": 1 / 4,
        "B": 1 / 4,
    }
    assert dict(zip(by["heuristic2"].systems, by["heuristic2"].scores, strict=True)) == {
        "A": 1 / 2,
        "B": 1 / 2,
    }
