"""The exact feedback arc set against slow ways to find it."""

from itertools import combinations, permutations
from time import monotonic

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.feedback_arc_set import optimum as solver
from adjudge.ranking.feedback_arc_set.integer_program import UNIT, CycleProgramme, Packing
from adjudge.ranking.feedback_arc_set.optimum import minimum_feedback_arc_set
from adjudge.ranking.methods.mfas import METHOD
from adjudge.ranking.tournament import majority_weights, tournament

pytestmark = pytest.mark.slow


def random_counts(
    random: np.random.Generator, n: int, most: int = 6, compared: float = 1.0
) -> WinCounts:
    """Wins of 0 to `most`, so that many pairs come out even; some pairs never compared."""
    wins = random.integers(0, most + 1, (n, n))
    met = np.triu(random.random((n, n)) < compared, 1)
    wins = np.where(met | met.T, wins, 0)
    return WinCounts(tuple(f"system {i:02}" for i in range(n)), wins, np.zeros_like(wins))


def campaign(n: int, spread: float, seed: int) -> WinCounts:
    """About 28 comparisons a pair of systems whose qualities spread so much."""
    random = np.random.default_rng(seed)
    quality = random.normal(0, spread, n)
    decided = np.triu(random.binomial(random.poisson(27.6, (n, n)), 0.75), 1)
    better = random.binomial(decided, 1 / (1 + np.exp(quality - quality[:, None])))
    wins = better + (decided - better).T
    return WinCounts(tuple(f"system {i:02}" for i in range(n)), wins, np.zeros_like(wins))


def brute_force(weights: np.ndarray) -> tuple[int, int]:
    """The least cost of all orders, and how many have it."""
    orders = np.array(list(permutations(range(len(weights)))))
    costs = np.zeros(len(orders), np.int64)
    for i in range(len(weights)):
        for j in range(i):
            costs += weights[orders[:, i], orders[:, j]]
    return int(costs.min()), int((costs == costs.min()).sum())


def all_subsets(weights: np.ndarray) -> int:
    """The least cost by the dynamic programme over all subsets, nothing dropped."""
    n = len(weights)
    beats = np.zeros((n, 1 << n), np.int32)  # what a system wins by against a set
    for i in range(n):
        beats[:, 1 << i : 2 << i] = beats[:, : 1 << i] + weights[:, [i]]
    sets = np.arange(1 << n)
    cost = np.full(1 << n, 1 << 30)
    cost[0] = 0
    for size in range(1, n + 1):
        layer = sets[np.bitwise_count(sets) == size]
        for lowest in range(n):
            chosen = layer[layer >> lowest & 1 == 1]
            rest = chosen & ~(1 << lowest)
            cost[chosen] = np.minimum(cost[chosen], cost[rest] + beats[lowest, rest])
    return int(cost[-1])


def check_consistent(counts: WinCounts) -> None:
    """The parts of a result say the same."""
    found = minimum_feedback_arc_set(counts)
    graph = tournament(counts)
    places = np.array([-found.order.index(system) for system in counts.systems], np.float64)
    assert sorted(found.order) == sorted(counts.systems)
    assert graph.violated(places) == found.cost
    assert graph.contradicted(places) == found.reversed
    assert found.bound <= found.cost
    assert found.components == tuple(cycle.systems for cycle in graph.cycles())


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(1, 8), st.floats(0.3, 1.0), st.integers(0, 2**32))
def test_brute_force_over_all_orders(n, most, compared, seed):
    counts = random_counts(np.random.default_rng(seed), n, most, compared)
    found = minimum_feedback_arc_set(counts)
    assert found.optimal
    assert (found.cost, found.orders) == brute_force(majority_weights(counts))
    assert tournament(counts).violated(METHOD.scores(counts)) <= found.cost
    check_consistent(counts)


@pytest.mark.parametrize("seed", range(3))
def test_brute_force_of_eight_systems(seed):
    counts = random_counts(np.random.default_rng(seed), 8, 4, 0.9)
    found = minimum_feedback_arc_set(counts)
    assert (found.cost, found.orders) == brute_force(majority_weights(counts))


@pytest.mark.parametrize("n", [12, 16, 18])
@pytest.mark.parametrize("compared", [0.5, 1.0])
def test_the_dynamic_programme_over_all_subsets(n, compared):
    counts = random_counts(np.random.default_rng(n), n, 5, compared)
    found = minimum_feedback_arc_set(counts)
    assert found.optimal
    assert found.cost == all_subsets(majority_weights(counts))
    check_consistent(counts)


def test_the_dynamic_programme_over_all_subsets_of_twenty_systems():
    counts = random_counts(np.random.default_rng(20), 20, 5, 0.9)
    assert minimum_feedback_arc_set(counts).cost == all_subsets(majority_weights(counts))


@pytest.mark.parametrize("seed", range(3))
def test_the_programmes_for_many_systems_agree_with_the_subsets(seed, monkeypatch):
    counts = random_counts(np.random.default_rng(seed), 14, 5)
    expected = minimum_feedback_arc_set(counts)
    # Give the dynamic programme no room, so that the integer programme has to do it.
    monkeypatch.setattr(solver, "_MOST_SETS", 1)
    by_programme = minimum_feedback_arc_set(counts)
    assert by_programme.optimal
    assert by_programme.cost == expected.cost
    assert by_programme.orders is None


def test_the_linear_programme_packs_cycles_within_the_weights_and_bounds_the_cost():
    weights = UNIT * majority_weights(random_counts(np.random.default_rng(5), 16))
    start = np.arange(16)
    nothing = Packing(np.zeros((0, 16), bool), np.zeros(0, np.int64))
    programme = CycleProgramme(weights, start, 1 << 40, nothing, monotonic() + 60)
    programme.relax()
    exact = solver.solve(weights, monotonic() + 60)
    assert exact.cost == exact.bound
    assert 0.9 * exact.cost < programme.bound <= exact.cost <= programme.cost


@pytest.mark.parametrize(("n", "spread"), [(25, 0.5), (40, 0.4), (60, 0.6)])
def test_campaigns_of_many_systems_are_proved_optimal(n, spread):
    counts = campaign(n, spread, seed=n)
    found = minimum_feedback_arc_set(counts)
    assert found.optimal
    assert len(max(found.components, key=len)) > 20
    check_consistent(counts)


def test_the_classic_linear_ordering_programme():
    counts = campaign(22, 0.5, seed=3)
    found = minimum_feedback_arc_set(counts)
    assert len(max(found.components, key=len)) > 10
    assert found.cost == by_linear_ordering(majority_weights(counts))


def by_linear_ordering(weights: np.ndarray) -> int:
    """A variable for every pair of systems, two constraints for every triple, all at once."""
    n = len(weights)
    number = {pair: k for k, pair in enumerate(combinations(range(n), 2))}
    cells = [
        (row, number[pair], sign)
        for row, (i, j, k) in enumerate(combinations(range(n), 3))
        for pair, sign in (((i, j), 1), ((j, k), 1), ((i, k), -1))
    ]
    row, column, sign = zip(*cells, strict=True)
    constraint = LinearConstraint(coo_array((sign, (row, column))).tocsr(), 0, 1)
    # x = 1: the first of the pair is above the second.
    first_above = np.array([weights[j, i] - weights[i, j] for i, j in number])
    if_below = sum(int(weights[i, j]) for i, j in number)
    found = milp(first_above, integrality=1, bounds=Bounds(0, 1), constraints=constraint)
    return round(found.fun) + if_below


def test_without_time_the_bound_is_still_proved_and_nothing_is_called_optimal():
    counts = campaign(60, 0.1, seed=1)
    hasty = minimum_feedback_arc_set(counts, seconds=0.0)
    assert not hasty.optimal
    assert 0 < hasty.bound < hasty.cost
    assert hasty.orders is None
    places = np.array([-hasty.order.index(system) for system in counts.systems], np.float64)
    assert tournament(counts).violated(places) == hasty.cost


def test_more_systems_than_an_integer_has_bits():
    counts = random_counts(np.random.default_rng(100), 100, 5, compared=0.05)
    found = minimum_feedback_arc_set(counts)
    assert len(max(found.components, key=len)) > 62
    assert found.optimal
    assert tournament(counts).violated(METHOD.scores(counts)) == found.cost
    check_consistent(counts)


def test_acyclic_tournaments_violate_nothing():
    wins = np.triu(np.ones((70, 70), np.int64), 1)
    found = minimum_feedback_arc_set(WinCounts(tuple(f"{i:02}" for i in range(70)), wins, 0 * wins))
    assert found.order == tuple(sorted(found.order))
    assert (found.cost, found.orders, found.components) == (0, 1, ())


def test_only_ties_leave_all_systems_equal():
    nothing = np.zeros((4, 4), np.int64)
    counts = WinCounts(tuple("ABCD"), nothing, 5 * (1 - np.eye(4, dtype=np.int64)))
    found = minimum_feedback_arc_set(counts)
    assert (found.cost, found.orders) == (0, 24)
    assert METHOD.scores(counts).tolist() == [1.5] * 4


def test_a_single_system():
    lone = WinCounts(("A",), np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int64))
    assert minimum_feedback_arc_set(lone).order == ("A",)
    assert METHOD.scores(lone).tolist() == [0.0]


def test_among_optimal_orders_the_win_ratio_decides():
    # A > B > C > A, each by one: three optimal orders. C also beats D most, so C goes first.
    wins = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 9], [0, 0, 0, 0]])
    counts = WinCounts(tuple("ABCD"), wins, np.zeros_like(wins))
    found = minimum_feedback_arc_set(counts)
    assert found.orders == 3
    assert found.order == ("C", "A", "B", "D")
    assert METHOD.scores(counts).tolist() == [2, 1, 3, 0]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**32))
def test_names_do_not_matter_where_the_optimum_is_one(n, seed):
    random = np.random.default_rng(seed)
    counts = random_counts(random, n, 60, 0.9)
    shuffled = random.permutation(n)
    renamed = WinCounts(counts.systems, counts.wins[np.ix_(shuffled, shuffled)], counts.ties * 0)
    before, after = minimum_feedback_arc_set(counts), minimum_feedback_arc_set(renamed)
    assert (before.cost, before.orders) == (after.cost, after.orders)
    if before.orders == 1:
        np.testing.assert_array_equal(METHOD.scores(counts)[shuffled], METHOD.scores(renamed))


def test_replicates_are_scored_one_by_one():
    random = np.random.default_rng(2)
    each = [random_counts(random, 6) for _ in range(5)]
    together = WinCounts(
        each[0].systems, np.stack([c.wins for c in each]), np.stack([c.ties for c in each])
    )
    np.testing.assert_array_equal(
        METHOD.scores(together), np.stack([METHOD.scores(c) for c in each])
    )
