"""All methods on the same judgements."""

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

from adjudge.data.win_counts import count
from adjudge.ranking.method import METHODS
from adjudge.ranking.method_comparison import compare_methods

# A beats B twice, B beats C twice, C beats A once, D loses to everyone.
BLOCKS = [
    {"A": 1, "B": 2, "D": 3},
    {"A": 1, "B": 2},
    {"B": 1, "C": 2, "D": 3},
    {"B": 1, "C": 2},
    {"C": 1, "A": 2, "D": 3},
]


@pytest.fixture(scope="module")
def result(campaign):
    n = len(BLOCKS)
    return compare_methods(
        campaign(BLOCKS, judges=["x", "y"] * 2 + ["x"], documents=["d"] * n), runs=5
    )


def test_every_method_that_can_be_run_is_there(result):
    left_out = {note.split()[0] for note in result.notes}
    assert {method.name for method in result.methods} | left_out == set(METHODS)
    assert len(result.methods) >= 8
    assert result.ranks.shape == (len(result.methods), 4)


def test_violated_comparisons_are_counted_as_lopez_does(result, campaign):
    wins = count(campaign(BLOCKS)).wins
    names = ("A", "B", "C", "D")
    for method, scores, violated in zip(
        result.methods, result.scores, result.violated, strict=True
    ):
        score = dict(zip(result.systems, np.round(scores, 12), strict=True))
        against = sum(
            max(0, wins[names.index(b), names.index(a)] - wins[names.index(a), names.index(b)])
            for a in names
            for b in names
            if score[a] > score[b]
        )
        assert violated == against, method.name


def test_the_cycle_is_found(result):
    (cycle,) = result.cycles
    assert set(cycle.systems) == {"A", "B", "C"}


def test_correlations_are_those_of_scipy(result):
    for i in range(len(result.methods)):
        for j in range(len(result.methods)):
            one, other = (np.round(result.scores[at], 12) for at in (i, j))
            if len(set(one)) > 1 and len(set(other)) > 1:
                assert result.spearman[i, j] == pytest.approx(spearmanr(one, other).statistic)
                assert result.kendall[i, j] == pytest.approx(kendalltau(one, other).statistic)


def test_the_reference_is_not_placed(campaign):
    blocks = [{"A": 2, "B": 3, "_ref": 1}, {"A": 2, "B": 2, "_ref": 1}]
    result = compare_methods(campaign(blocks, judges=["x", "y"]), runs=5)
    assert result.systems == ("A", "B")
    assert {method.name for method in result.methods} >= {"at-least-others", "block-top"}


def test_the_least_violating_order_is_proved(result):
    # Majorities run A > B > C > A; the weakest, C > A by one, is the one to give up.
    assert result.least.optimal
    assert result.least.cost == 1
    assert result.least.orders == 1
    assert [(m.better, m.worse, m.weight) for m in result.least.reversed] == [("C", "A", 1)]
