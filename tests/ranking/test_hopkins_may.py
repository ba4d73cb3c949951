"""hopkins-may: recovery, extremes (its derivatives are tested with Davidson's)."""

import numpy as np
import pytest
from scipy.stats import norm

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.methods.hopkins_may import HopkinsMayModel, scores
from adjudge.ranking.models.paired_comparison import Outcomes, fit, pairs_of


def judged(seed, quality, radius, times):
    """Counts from noisy draws of two qualities and a decision radius, as the model tells it."""
    random = np.random.default_rng(seed)
    systems = len(quality)
    wins = np.zeros((systems, systems), np.int64)
    ties = np.zeros_like(wins)
    for a, b in zip(*pairs_of(systems), strict=True):
        seen = random.normal(quality[[a, b], None], np.sqrt(0.5), (2, times))
        gap = seen[0] - seen[1]
        wins[a, b], wins[b, a] = (gap > radius).sum(), (gap < -radius).sum()
        ties[a, b] = ties[b, a] = times - wins[a, b] - wins[b, a]
    return wins, ties


def test_recovers_qualities_and_radius():
    quality = np.array([0.9, 0.4, 0.0, -0.3, -1.0])
    wins, ties = judged(1, quality, 0.45, 20_000)
    found = fit(HopkinsMayModel(), wins, ties)
    np.testing.assert_allclose(found.strengths, quality, atol=0.02)
    assert found.tie == pytest.approx(0.45, abs=0.01)


def test_likelihood_is_that_of_the_three_chances():
    d, r = 0.7, 0.4
    win, loss = norm.cdf(d - r), norm.cdf(-d - r)
    outcomes = Outcomes(*np.array([3.0, 1.0, 2.0])[:, None, None])
    found = HopkinsMayModel().slopes(outcomes, np.array([[d]]), np.array([r]))
    expected = 3 * np.log(win) + np.log(loss) + 2 * np.log(1 - win - loss)
    assert found.value[0] == pytest.approx(expected + np.log(r) - r**2 / 2)


def test_a_radius_that_is_not_positive_is_impossible():
    outcomes = Outcomes(*np.ones((3, 2, 1)))
    found = HopkinsMayModel().slopes(outcomes, np.zeros((2, 1)), np.array([-0.1, 0.0]))
    assert (found.value == -np.inf).all()


@pytest.mark.parametrize(
    ("wins", "ties"),
    [
        pytest.param([[0, 10**6], [0, 0]], [[0, 0], [0, 0]], id="never lost"),
        pytest.param([[0, 0], [0, 0]], [[0, 10**6], [10**6, 0]], id="only ties"),
        pytest.param([[0, 1], [1, 0]], [[0, 0], [0, 0]], id="no ties"),
    ],
)
def test_extremes_have_finite_scores(wins, ties):
    found = fit(HopkinsMayModel(), np.array(wins), np.array(ties))
    assert np.isfinite(found.strengths).all()
    assert 0 < found.tie < 10
    assert found.strengths.sum() == pytest.approx(0, abs=1e-9)


def test_replicates_together_are_replicates_one_at_a_time():
    pieces = [judged(seed, np.array([0.5, 0.0, -0.5]), 0.5, 10) for seed in range(20)]
    wins, ties = (np.stack(part) for part in zip(*pieces, strict=True))
    together = scores(WinCounts(("a", "b", "c"), wins, ties))
    for i in range(20):
        alone = scores(WinCounts(("a", "b", "c"), wins[i], ties[i]))
        np.testing.assert_allclose(together[i], alone, atol=1e-9)
