"""Lopez 2012: the tournaments of Figures 2 and 3, and what §4 and §5 say of them."""

import numpy as np
import pytest

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.feedback_arc_set.optimum import minimum_feedback_arc_set
from adjudge.ranking.method import METHODS, CountMethod
from adjudge.ranking.tournament import Majority, tournament


def scores(name: str, counts: WinCounts) -> dict[str, float]:
    method = METHODS[name]
    assert isinstance(method, CountMethod)
    return dict(zip(counts.systems, method.scores(counts).tolist(), strict=True))


def of_edges(edges: dict[str, int]) -> WinCounts:
    """Counts in which the first system of each edge won every comparison."""
    systems = tuple(sorted({system for edge in edges for system in edge}))
    wins = np.zeros((len(systems), len(systems)), np.int64)
    for (better, worse), weight in edges.items():
        wins[systems.index(better), systems.index(worse)] = weight
    return WinCounts(systems, wins, np.zeros_like(wins))


# Figure 2: acyclic; equation 1 scores B 2/5 and C 2/4.
FIGURE_2 = of_edges({"AB": 3, "AC": 1, "AD": 1, "BC": 1, "BD": 1, "CD": 2})
# Figure 3: a cycle on E, F and G, mended by reversing one edge.
FIGURE_3 = of_edges({"EF": 2, "FG": 3, "GE": 1, "EH": 1, "FH": 2, "GH": 1})


def test_figure_2_the_official_score_is_wrong_where_mfas_is_right():
    official = scores("at-least-others", FIGURE_2)
    assert official["B"] == pytest.approx(2 / 5)
    assert official["C"] == pytest.approx(2 / 4)
    assert official["C"] > official["B"]

    exact = minimum_feedback_arc_set(FIGURE_2)
    assert exact.order == ("A", "B", "C", "D")
    assert (exact.cost, exact.bound, exact.orders) == (0, 0, 1)
    assert not exact.reversed
    assert scores("mfas", FIGURE_2) == {"A": 3, "B": 2, "C": 1, "D": 0}


def test_figure_2_the_official_order_violates_the_majority_of_b_over_c():
    graph = tournament(FIGURE_2)
    official = np.array(list(scores("at-least-others", FIGURE_2).values()))
    assert graph.contradicted(official) == (Majority("B", "C", 1),)
    assert graph.violated(np.array(list(scores("mfas", FIGURE_2).values()))) == 0


def test_figure_3_reversing_one_edge_of_the_cycle_makes_an_order():
    (cycle,) = tournament(FIGURE_3).cycles()
    assert cycle.systems == ("E", "F", "G")
    exact = minimum_feedback_arc_set(FIGURE_3)
    assert exact.order == ("E", "F", "G", "H")
    assert exact.reversed == (Majority("G", "E", 1),)
    assert (exact.cost, exact.bound, exact.orders) == (1, 1, 1)
    assert exact.components == (("E", "F", "G"),)
