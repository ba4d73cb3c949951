"""Head-to-head comparison: shares, the exact sign test, correction for many tests."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.head_to_head import head_to_head, mark
from adjudge.stats.tests import adjusted, sign_test

WINS = np.array([[0, 30, 9], [12, 0, 0], [1, 0, 0]])
TIES = np.array([[0, 5, 2], [5, 0, 4], [2, 4, 0]])


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_the_exact_binomial_test(wins, losses):
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_test(np.array([wins]), np.array([losses]))[0] == pytest.approx(expected)


def test_adjusted_p():
    p = np.array([0.01, 0.04, 0.03, 0.5])
    np.testing.assert_allclose(adjusted(p, "bh"), [0.04, 0.16 / 3, 0.16 / 3, 0.5])
    np.testing.assert_allclose(adjusted(p, "holm"), [0.04, 0.09, 0.09, 0.5])
    np.testing.assert_allclose(adjusted(p, "none"), p)


def test_marks_are_those_of_wmt13():
    marks = [mark(p) for p in (0.010, 0.011, 0.05, 0.051, 0.10, 0.101)]
    assert marks == ["‡", "†", "†", "⋆", "⋆", ""]


def test_every_two_systems_that_met():
    result = head_to_head(WinCounts(("C", "B", "A"), WINS, TIES), "none").to_frame()
    rows = {(row["system_a"], row["system_b"]): row for row in result.to_dicts()}
    assert len(rows) == 3
    first = rows["C", "B"]
    assert (first["wins_a"], first["wins_b"], first["ties"]) == (30, 12, 5)
    assert first["share"] == pytest.approx(30 / 42)
    assert first["p"] == pytest.approx(binomtest(30, 42).pvalue)
    assert first["mark"] == "‡"
    assert first["significant"]
    # B and A only tied: nothing can be said, and nothing is.
    tied = rows["B", "A"]
    assert tied["share"] is None
    assert tied["p"] == 1
    assert not tied["significant"]


def test_a_pair_that_never_met_is_not_tested():
    wins = np.array([[0, 3, 4], [1, 0, 0], [2, 0, 0]])
    result = head_to_head(WinCounts(("A", "B", "C"), wins, np.zeros((3, 3), int)))
    assert len(result.to_frame()) == 2


def test_no_comparison_at_all_is_refused():
    nothing = np.zeros((2, 2), int)
    with pytest.raises(NotEnoughData, match="no two systems"):
        head_to_head(WinCounts(("A", "B"), nothing, nothing))


def test_the_clustered_test_doubts_what_few_judges_say(campaign):
    # Three judges who each always say the same: two for A, one for B.
    judges = ["one", "two", "three"] * 40
    blocks = [{"A": 2, "B": 1} if judge == "three" else {"A": 1, "B": 2} for judge in judges]
    documents = [f"document {number % 10}" for number in range(120)]
    comparisons = campaign(blocks, judges=judges, documents=documents)
    clustered = head_to_head(comparisons)
    sign = head_to_head(comparisons, test="sign")
    assert (clustered.test, sign.test) == ("clustered", "sign")
    assert sign.p[0] < 0.001 < 0.1 < clustered.p[0]
    assert clustered.holds_for == "for other judges and documents like these"
    assert sign.p.tolist() == head_to_head(count(comparisons)).p.tolist()


def test_the_clustered_test_needs_comparisons():
    with pytest.raises(BadParameter, match="needs the comparisons"):
        head_to_head(WinCounts(("C", "B", "A"), WINS, TIES), test="clustered")
