"""bradley-terry: against evalica, against SciPy, and what must hold of it."""

import evalica
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from adjudge.core.errors import NotEnoughData
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.methods.bradley_terry import MODEL, scores
from adjudge.ranking.models.paired_comparison import PRIOR_SD, fit


def counted(wins, ties=None):
    wins = np.asarray(wins)
    names = tuple(f"system {i}" for i in range(wins.shape[-1]))
    return WinCounts(names, wins, np.zeros_like(wins) if ties is None else np.asarray(ties))


def drawn_wins(seed, systems, per_pair, replicates=()):
    random = np.random.default_rng(seed)
    strength = random.normal(0, 0.7, systems)
    chance = 1 / (1 + np.exp(strength - strength[:, None]))
    upper = np.triu(random.binomial(per_pair, chance, (*replicates, systems, systems)), 1)
    lower = np.triu(per_pair - upper, 1)
    return strength - strength.mean(), upper + np.swapaxes(lower, -1, -2)


small_wins = (
    arrays(np.int64, (4, 4), elements=st.integers(0, 20))
    .map(np.array)
    .map(lambda wins: wins * (1 - np.eye(4, dtype=np.int64)))
)


def test_agrees_with_evalica():
    _, wins = drawn_wins(1, 8, 3000)
    first, second = np.nonzero(wins)
    times = wins[first, second]
    names = [f"system {i}" for i in range(8)]
    peer = evalica.bradley_terry(
        [names[i] for i in np.repeat(first, times)],
        [names[i] for i in np.repeat(second, times)],
        [evalica.Winner.X] * int(times.sum()),
        tolerance=1e-10,
        limit=10_000,
    )
    theirs = np.log(peer.scores[names].to_numpy())
    # evalica has no prior; with 21,000 comparisons a system ours moves nothing visible.
    np.testing.assert_allclose(scores(counted(wins)), theirs - theirs.mean(), atol=1e-4)


def test_agrees_with_direct_optimisation():
    _, wins = drawn_wins(2, 5, 7)

    def loss(theta):
        won = np.log1p(np.exp(theta - theta[:, None]))
        return (wins * won).sum() + (theta**2).sum() / (2 * PRIOR_SD**2)

    direct = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-9})
    np.testing.assert_allclose(scores(counted(wins)), direct.x, atol=1e-6)


def test_recovers_true_strengths():
    truth, wins = drawn_wins(3, 10, 20_000)
    np.testing.assert_allclose(scores(counted(wins)), truth, atol=0.03)


@settings(max_examples=50, deadline=None)
@given(small_wins)
def test_scores_sum_to_zero_and_the_gradient_vanishes(wins):
    if not wins.any():
        wins[0, 1] = 1
    found = scores(counted(wins))
    assert found.sum() == pytest.approx(0, abs=1e-9)
    expected = 1 / (1 + np.exp(found - found[:, None]))
    slope = (wins - (wins + wins.T) * expected).sum(axis=1) - found / PRIOR_SD**2
    np.testing.assert_allclose(slope, 0, atol=1e-6)


@settings(max_examples=20, deadline=None)
@given(small_wins, st.permutations(range(4)))
def test_names_do_not_matter(wins, order):
    wins[0, 1] += 1
    permuted = wins[np.ix_(order, order)]
    np.testing.assert_allclose(
        scores(counted(permuted)), scores(counted(wins))[list(order)], atol=1e-9
    )


def test_replicates_together_are_replicates_one_at_a_time():
    _, wins = drawn_wins(4, 6, 5, (2, 15))
    together = scores(counted(wins))
    assert together.shape == (2, 15, 6)
    for place in np.ndindex(2, 15):
        np.testing.assert_allclose(together[place], scores(counted(wins[place])), atol=1e-9)


def test_many_replicates_are_worked_on_in_chunks():
    _, wins = drawn_wins(5, 40, 3, (150,))  # 150 × 780 pairs: more than one chunk
    together = scores(counted(wins))
    np.testing.assert_allclose(together[[0, -1]], scores(counted(wins[[0, -1]])), atol=1e-9)


def test_a_system_that_never_lost_has_a_score():
    found = scores(counted([[0, 1000, 1000], [0, 0, 10], [0, 10, 0]]))
    assert found[0] - found[1] > np.log(100)
    assert found[0] < 10
    assert found[1] == pytest.approx(found[2])


def test_ties_do_not_count():
    _, wins = drawn_wins(6, 4, 9)
    ties = np.array([[0, 5, 0, 1], [5, 0, 2, 2], [0, 2, 0, 30], [1, 2, 30, 0]])
    np.testing.assert_array_equal(scores(counted(wins, ties)), scores(counted(wins)))


def test_only_ties_say_what_to_do():
    with pytest.raises(NotEnoughData, match="choose davidson"):
        scores(counted(np.zeros((3, 3), int), np.ones((3, 3), int)))


def test_a_replicate_of_only_ties_is_no_error():
    _, wins = drawn_wins(7, 3, 9, (2,))
    wins[1] = 0
    np.testing.assert_array_equal(scores(counted(wins))[1], 0)


def test_counts_of_any_size_converge():
    steps = [
        fit(MODEL, np.array([[0, big], [0, 0]]), np.zeros((2, 2))).steps
        for big in (1, 10**6, 10**12)
    ]
    assert max(steps) < 40
