"""What the default promises, on campaigns of a second generator that shares nothing with ours.

Numbers of campaigns are small and seeds fixed, so bounds are wide; the bootstrap over rankings is
far outside of them. `tests/generators/second_generator.py` prints a larger table.
"""

import numpy as np
import pytest
from second_generator import Kind, coverage

from adjudge.ranking.estimation import estimate
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.method import METHODS, RefitMethod
from adjudge.ranking.ranking_result import rank
from adjudge.stats.resampling import Resampling

pytestmark = pytest.mark.slow

CAMPAIGNS = 60


def made_up(qualities, seed, **design):
    """A campaign of the second generator."""
    return Kind(qualities, **design).draw(seed)


@pytest.mark.parametrize(
    "design",
    [
        pytest.param({"judges": 5}, id="few judges"),
        pytest.param({"judges": 20, "documents": 6}, id="few documents"),
        pytest.param({"judges": 4, "busy": 1.5}, id="one judge did most"),
        pytest.param({"tails": 3}, id="cranks"),
    ],
)
def test_intervals_hold_for_other_judges_and_documents(design):
    kind = Kind((0.4, 0.2, 0.0, -0.2, -0.4), **design)
    held, width, needed = coverage(kind, campaigns=CAMPAIGNS)
    assert 0.90 < held.mean() < 0.99
    assert 0.8 < needed / width < 1.3
    assert coverage(kind, Resampling("ranking", 100), CAMPAIGNS)[0].mean() < 0.75


def test_equal_systems_are_seldom_told_apart():
    equal = (0.0,) * 5
    campaigns = [made_up(equal, seed) for seed in range(CAMPAIGNS)]
    false = np.mean([rank(c).cluster.max() > 1 for c in campaigns])
    drawn = Resampling("ranking", 200)
    of_rankings = np.mean([rank(c, resampling=drawn).cluster.max() > 1 for c in campaigns])
    assert false <= 0.15
    assert of_rankings > 0.5
    discovered = np.mean([head_to_head(c).to_frame()["significant"].any() for c in campaigns])
    by_sign = [head_to_head(c, test="sign").to_frame()["significant"].any() for c in campaigns]
    assert discovered <= 0.15
    assert np.mean(by_sign) > 0.5


def test_large_differences_are_found():
    apart = (1.5, 0.5, -0.5, -1.5)
    found = [rank(made_up(apart, seed, judges=20, documents=20)) for seed in range(10)]
    assert all(ranking.systems == ("A", "B", "C", "D") for ranking in found)
    assert np.mean([ranking.cluster.max() for ranking in found]) > 3
    assert np.mean([ranking.better[0, 1] for ranking in found]) > 0.99


@pytest.mark.parametrize("method", ["bradley-terry", "win-ratio", "davidson"])
def test_equal_systems_are_seldom_told_apart_by_other_methods(method):
    false = [rank(made_up((0.0,) * 5, seed), method).cluster.max() > 1 for seed in range(30)]
    assert np.mean(false) <= 0.17


def test_nothing_depends_on_the_seed():
    campaign = made_up((0.3, 0.1, -0.1, -0.3), 1)
    first, second = (rank(campaign, resampling=Resampling(seed=seed)) for seed in (1, 2))
    assert first.low.tolist() == second.low.tolist()
    assert first.rank_low.tolist() == second.rank_low.tolist()
    assert first.better.tolist() == second.better.tolist()


def test_methods_that_are_resampled_find_the_same_variance():
    # Expected wins as a method of which nothing is known but its scores.
    known = METHODS["expected-wins"]
    unknown = RefitMethod(
        "unknown",
        "",
        "",
        "",
        False,
        lambda comparisons, resampling, engine: estimate(comparisons, known, resampling, engine),
    )
    campaigns = [made_up((0.4, 0.2, 0.0, -0.2, -0.4), seed) for seed in range(10)]
    ratio = []
    for campaign in campaigns:
        closed, drawn = (rank(campaign, m, Resampling(replicates=900)) for m in (known, unknown))
        assert not closed.drawn
        assert drawn.drawn
        ratio.append((drawn.high - drawn.low).mean() / (closed.high - closed.low).mean())
    assert 0.9 < np.mean(ratio) < 1.2


@pytest.mark.parametrize("method", ["trueskill", "mfas"])
def test_resampled_methods_seldom_tell_equal_systems_apart(method):
    drawn = Resampling(replicates=150)
    false = [rank(made_up((0.0,) * 4, s), method, drawn).cluster.max() > 1 for s in range(15)]
    assert np.mean(false) <= 0.15
    apart = made_up((1.5, 0.5, -0.5, -1.5), 1, judges=20, documents=20)
    assert rank(apart, method, drawn).cluster.max() > 2
