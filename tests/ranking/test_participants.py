"""Campaigns that cannot order their systems are refused in one line."""

import pytest

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.ranking.method import METHODS
from adjudge.ranking.ranking_result import rank
from adjudge.stats.resampling import Resampling

METHOD = METHODS.named("expected-wins")


def test_a_system_nobody_was_compared_with(campaign):
    blocks = [{"A": 1, "B": 2}, {"A": 2, "B": 1}, {"lonely": 1}]
    with pytest.raises(NotEnoughData, match="never compared with another system: lonely"):
        rank(campaign(blocks), METHOD)


def test_a_system_compared_with_the_reference_only(campaign):
    blocks = [{"A": 1, "B": 2}, {"lonely": 2, "_ref": 1}]
    with pytest.raises(NotEnoughData, match="never compared with another system: lonely"):
        rank(campaign(blocks), METHOD)


def test_groups_never_compared(campaign):
    blocks = [{"A": 1, "B": 2}, {"C": 1, "D": 2}, {"D": 1, "E": 1}]
    with pytest.raises(NotEnoughData, match=r"2 groups .* A, B \| C, D, E"):
        rank(campaign(blocks), METHOD)


def test_a_single_system(campaign):
    with pytest.raises(NotEnoughData, match="needs two"):
        rank(campaign([{"A": 2, "_ref": 1}] * 3), METHOD)


def test_only_ties_are_ranked_equal_and_noted(campaign):
    ranking = rank(campaign([{"A": 1, "B": 1, "C": 1}] * 5), METHOD)
    assert ranking.scores.tolist() == [0.5] * 3
    assert ranking.rank.tolist() == [1, 1, 1]
    assert ranking.cluster.tolist() == [1, 1, 1]
    assert any("is a tie" in note for note in ranking.notes)


def test_separable_judgements_are_ranked(campaign):
    ranking = rank(campaign([{"A": 1, "B": 2, "C": 3}] * 5), METHOD)
    assert ranking.systems == ("A", "B", "C")
    assert ranking.scores.tolist() == [1, 0.5, 0]
    assert ranking.cluster.tolist() == [1, 1, 1]  # five rankings are too few to tell any apart
    drawn = rank(campaign([{"A": 1, "B": 2, "C": 3}] * 5), METHOD, Resampling("ranking"))
    assert drawn.cluster.tolist() == [1, 2, 3]


def test_a_method_is_named_or_given(campaign):
    comparisons = campaign([{"A": 1, "B": 2}] * 5)
    named, given = rank(comparisons, "expected-wins"), rank(comparisons, METHOD)
    assert named.method is given.method is METHOD
    assert rank(comparisons, "wmt-official").method.name == "at-least-others"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method": "expected-win"}, "did you mean 'expected-wins'"),
        ({"method": None}, "`method` cannot be None"),
        ({"resampling": Resampling("row")}, "`unit` cannot be 'row'"),
    ],
)
def test_senseless_requests_are_refused(campaign, wrong, message):
    with pytest.raises(BadParameter, match=message):
        rank(campaign([{"A": 1, "B": 2}] * 5), **wrong)
