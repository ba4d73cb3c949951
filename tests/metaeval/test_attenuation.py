"""Intervals of systems hold the correlation of true scores, which noise hides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from adjudge.metaeval.attenuation import true_replicates
from adjudge.metaeval.correlations import CORRELATIONS
from adjudge.stats.tests import interval

MANY, CAMPAIGNS = 1e6, 120
ENDS = {"pearson": (-1.0, 1.0), "kendall": (-1.0, 1.0), "accuracy": (0.0, 1.0)}
PEOPLE = np.linspace(0, 1, 12)
METRIC = PEOPLE + np.random.default_rng(5).normal(0, 0.15, 12)
Floats = NDArray[np.float64]


def campaign(seed: int, noise: float, draws: int = 200) -> tuple[tuple[Floats, Floats], ...]:
    """Scores with noise on both sides, partly the same, and replicates that add it again."""
    random = np.random.default_rng(seed)

    def noisy(size: tuple[int, ...]) -> tuple[Floats, Floats]:
        shared = random.normal(0, noise, size)
        return shared, 0.5 * shared + random.normal(0, noise, size)

    scores = tuple(true + more for true, more in zip((PEOPLE, METRIC), noisy((12,)), strict=True))
    replicates = tuple(score + more for score, more in zip(scores, noisy((draws, 12)), strict=True))
    return (scores[0], scores[1]), (replicates[0], replicates[1])


@pytest.mark.parametrize("name", list(ENDS))
@pytest.mark.parametrize("noise", [0.05, 0.15])
def test_intervals_hold_the_true_value(name: str, noise: float) -> None:
    """Of plain replicates too few do, the fewer the more noise there is."""
    coefficient = CORRELATIONS[name]
    truth = float(coefficient(PEOPLE, METRIC))
    held = []
    for seed in range(CAMPAIGNS):
        scores, replicates = campaign(seed, noise)
        values = true_replicates(coefficient, scores, replicates, MANY, ENDS[name])
        low, high = interval(np.zeros(1), values[:, None], MANY, 0.95)
        held.append(low[0] - 1e-9 <= truth <= high[0] + 1e-9)
    assert np.mean(held) >= 0.93
    if (name, noise) == ("pearson", 0.15):
        plain = [coefficient(*campaign(seed, noise)[1]) for seed in range(CAMPAIGNS)]
        assert np.mean([np.quantile(values, 0.975) >= truth for values in plain]) < 0.7


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.floats(-5, 5))
def test_the_scale_of_either_side_does_not_matter(
    first: float, second: float, shift: float
) -> None:
    scores, replicates = campaign(1, 0.1, draws=20)
    coefficient = CORRELATIONS["pearson"]
    plain = true_replicates(coefficient, scores, replicates, 50, (-1, 1))
    scaled = [(first * people + shift, second * metric) for people, metric in (scores, replicates)]
    assert true_replicates(coefficient, *scaled, 50, (-1, 1)) == pytest.approx(plain, abs=1e-6)


def test_without_noise_nothing_changes() -> None:
    still = (np.tile(PEOPLE, (5, 1)), np.tile(METRIC, (5, 1)))
    for name, ends in ENDS.items():
        values = true_replicates(CORRELATIONS[name], (PEOPLE, METRIC), still, MANY, ends)
        assert values == pytest.approx(float(CORRELATIONS[name](PEOPLE, METRIC)), abs=1e-9)


def test_where_there_is_nothing_but_noise_anything_may_be_true() -> None:
    random = np.random.default_rng(2)
    scores = random.normal(0, 0.01, (2, 12))
    replicates = scores[:, None] + random.normal(0, 1, (2, 200, 12))
    values = true_replicates(
        CORRELATIONS["accuracy"], (scores[0], scores[1]), (replicates[0], replicates[1]), 50, (0, 1)
    )
    low, high = interval(np.zeros(1), values[:, None], 50, 0.95)
    assert (low[0], high[0]) == (0, 1)


def test_what_lacks_a_score_has_no_value() -> None:
    scores, replicates = campaign(1, 0.1, draws=4)
    replicates[1][2, 3] = np.nan
    values = true_replicates(CORRELATIONS["pearson"], scores, replicates, 50, (-1, 1))
    assert np.isnan(values).tolist() == [False, False, True, False]
