"""Majorities, cycles and violated comparisons."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.tournament import Majority, strong_components, tournament


def counts(wins: object) -> WinCounts:
    table = np.array(wins, np.int64)
    return WinCounts(tuple("ABCDEFGH"[: len(table)]), table, np.zeros_like(table))


wins_tables = st.integers(1, 7).flatmap(
    lambda n: arrays(np.int64, (n, n), elements=st.integers(0, 3))
)

# A beats B by 3, B beats C by 2, C beats A by 1; D loses to all and ties with nobody.
CIRCLE = counts([[0, 5, 1, 1], [2, 0, 4, 1], [2, 2, 0, 1], [0, 0, 0, 0]])


def test_an_edge_weighs_the_difference_of_both_counts():
    expected = [[0, 3, 0, 1], [0, 0, 2, 1], [1, 0, 0, 1], [0, 0, 0, 0]]
    assert tournament(CIRCLE).weights.tolist() == expected


def test_replicates_keep_their_axis():
    from adjudge.ranking.tournament import majority_weights

    twice = WinCounts(CIRCLE.systems, np.stack([CIRCLE.wins] * 2), np.stack([CIRCLE.ties] * 2))
    np.testing.assert_array_equal(majority_weights(twice)[1], tournament(CIRCLE).weights)


def test_a_cycle_names_its_systems_and_an_example():
    (cycle,) = tournament(CIRCLE).cycles()
    assert cycle.systems == ("A", "B", "C")
    assert cycle.example == ("A", "B", "C")


def test_violated_comparisons_of_an_order():
    graph = tournament(CIRCLE)
    order = np.array([4.0, 3.0, 2.0, 1.0])
    assert graph.violated(order) == 1
    assert graph.contradicted(order) == (Majority("C", "A", 1),)
    assert graph.violated(-order) == 3 + 2 + 1 + 1 + 1
    assert [m.weight for m in graph.contradicted(-order)] == [3, 2, 1, 1, 1]


def test_equal_scores_contradict_nothing():
    assert tournament(CIRCLE).violated(np.zeros(4)) == 0


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([[0, 0], [0, 0]], [[0], [1]]),
        ([[0, 0], [1, 0]], [[1], [0]]),
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], [[0, 1, 2]]),
        ([[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]], [[2, 3], [0, 1]]),
    ],
)
def test_components_come_before_those_they_beat(edges, expected):
    assert [group.tolist() for group in strong_components(np.array(edges))] == expected


@given(wins_tables)
def test_every_edge_between_components_leads_forward_and_every_example_is_a_cycle(wins):
    graph = tournament(counts(wins))
    place = {i: k for k, group in enumerate(strong_components(graph.weights)) for i in group}
    assert sorted(place) == list(range(len(wins)))
    for better, worse in zip(*np.nonzero(graph.weights), strict=True):
        assert place[better] <= place[worse]
    for cycle in graph.cycles():
        assert len(cycle.systems) >= len(cycle.example) >= 3
        numbers = [graph.systems.index(system) for system in cycle.example]
        for a, b in zip(numbers, [*numbers[1:], numbers[0]], strict=True):
            assert graph.weights[a, b] > 0


@given(wins_tables, st.randoms(use_true_random=False))
def test_an_order_and_its_opposite_violate_everything_together(wins, random):
    graph = tournament(counts(wins))
    scores = np.array(random.sample(range(len(wins)), len(wins)), np.float64)
    assert graph.violated(scores) + graph.violated(-scores) == graph.weights.sum()
    assert sum(m.weight for m in graph.contradicted(scores)) == graph.violated(scores)
