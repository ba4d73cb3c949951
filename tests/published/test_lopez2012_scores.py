"""Lopez 2012: the official score orders two systems against every judgement there is."""

import numpy as np
import pytest

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.method import METHODS
from adjudge.ranking.tournament import tournament

# A tournament as in Figure 2: A always beats B, C and D, B always beats C and D, C always beats D.
# B met the best system three times and C the worst one twice, so eq. 1 gives B 2/5 and C 2/4.
EDGES = {("A", "B"): 3, ("A", "C"): 1, ("B", "C"): 1, ("B", "D"): 1, ("C", "D"): 2, ("A", "D"): 1}


def figure_2() -> WinCounts:
    systems = ("A", "B", "C", "D")
    wins = np.zeros((4, 4), np.int64)
    for (better, worse), weight in EDGES.items():
        wins[systems.index(better), systems.index(worse)] = weight
    return WinCounts(systems, wins, np.zeros_like(wins))


def test_figure_2_equation_1_gives_two_fifths_and_two_quarters(published):
    a, b, c, d = METHODS.named("at-least-others").scores(figure_2())
    table = published("Lopez 2012", "Figure 2", "the paper")
    table.row("scores of B and C, in fifths and quarters", ("2", "2"), (5 * b, 4 * c))
    assert (b, c) == (pytest.approx(2 / 5), pytest.approx(2 / 4))
    assert a > c > b > d


def test_figure_2_is_acyclic_and_contradicts_that_order():
    majorities = tournament(figure_2())
    assert majorities.cycles() == ()
    official = METHODS.named("at-least-others").scores(figure_2())
    (wrong,) = majorities.contradicted(official)
    assert (wrong.better, wrong.worse, wrong.weight) == ("B", "C", 1)
    assert majorities.violated(official) == 1


def test_figure_2_every_opponent_alike_is_right():
    scores = METHODS.named("expected-wins").scores(figure_2())
    assert scores.tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert tournament(figure_2()).violated(scores) == 0


def test_equations_2_and_3_leave_the_reference_and_ties_out():
    """Worked by hand on one system that beat B twice, tied it once, and lost to it once."""
    wins = np.array([[0, 2], [1, 0]])
    ties = np.array([[0, 1], [1, 0]])
    counts = WinCounts(("A", "B"), wins, ties)
    assert METHODS.named("heuristic2").scores(counts).tolist() == [2 / 4, 1 / 4]
    assert METHODS.named("win-ratio").scores(counts).tolist() == pytest.approx([2 / 3, 1 / 3])
    assert not METHODS.named("heuristic2").reference
    assert not METHODS.named("win-ratio").reference
    assert METHODS.named("at-least-others").reference
