"""bradley-terry-half-ties: against a plain implementation, and against evalica."""

import evalica
import numpy as np
import pytest

from adjudge.core.errors import NotEnoughData
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.methods.bradley_terry import scores as without_ties
from adjudge.ranking.methods.bradley_terry_half_ties import scores


def drawn(seed, systems=8, per_pair=60, tied=0.25):
    """Counts of systems of random strength, a quarter of the comparisons ties."""
    random = np.random.default_rng(seed)
    strength = random.normal(0, 0.7, systems)
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    wins, ties = np.zeros((2, systems, systems), int)
    for i, j in zip(*np.triu_indices(systems, 1), strict=True):
        shares = (1 - tied) * chance[i, j], (1 - tied) * chance[j, i], tied
        wins[i, j], wins[j, i], ties[i, j] = random.multinomial(per_pair, shares)
        ties[j, i] = ties[i, j]
    return WinCounts(tuple(f"system {i}" for i in range(systems)), wins, ties)


def plain(counts):
    """Zermelo's iteration, ties half a win each."""
    wins = counts.wins + counts.ties / 2
    met = wins + wins.T
    strength = np.ones(len(wins))
    for _ in range(5000):
        strength = wins.sum(axis=1) / (met / (strength[:, None] + strength)).sum(axis=1)
        strength /= np.exp(np.log(strength).mean())
    return np.log(strength)


@pytest.mark.parametrize("seed", range(3))
def test_equals_a_plain_implementation(seed):
    counts = drawn(seed)
    np.testing.assert_allclose(scores(counts), plain(counts), atol=1e-6)
    assert np.abs(scores(counts) - without_ties(counts)).max() > 0.01


def test_equals_evalica():
    counts = drawn(7)
    lower, upper = np.tril_indices(8, -1)[::-1]
    ends = (
        (*np.nonzero(counts.wins), counts.wins[np.nonzero(counts.wins)], evalica.Winner.X),
        (lower, upper, counts.ties[lower, upper], evalica.Winner.Draw),
    )
    xs, ys, winners = [], [], []
    for first, second, times, winner in ends:
        xs += [counts.systems[i] for i in np.repeat(first, times)]
        ys += [counts.systems[i] for i in np.repeat(second, times)]
        winners += [winner] * int(times.sum())
    peer = evalica.bradley_terry(xs, ys, winners, tolerance=1e-12, limit=10_000).scores
    theirs = np.log([peer[name] for name in counts.systems])
    np.testing.assert_allclose(scores(counts), theirs - theirs.mean(), atol=1e-6)


def test_a_tie_pulls_together():
    counts = drawn(1)
    i, j = np.unravel_index(np.argmax(np.subtract.outer(*[scores(counts)] * 2)), (8, 8))
    more = counts.ties.copy()
    more[i, j] = more[j, i] = more[i, j] + 50
    after = scores(WinCounts(counts.systems, counts.wins, more))
    assert after[i] - after[j] < scores(counts)[i] - scores(counts)[j]


def test_ties_alone_are_refused():
    counts = WinCounts(
        ("A", "B"), np.zeros((2, 2), int), np.ones((2, 2), int) - np.eye(2, dtype=int)
    )
    with pytest.raises(NotEnoughData, match="no system was ever ranked better"):
        scores(counts)
