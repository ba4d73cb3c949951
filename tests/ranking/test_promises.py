"""What the default promises, on campaigns of a second generator that shares nothing with ours.

The perceived quality of an output is that of its system, plus what this judge and this document
add to the system, plus noise; two outputs closer than a threshold tie. Numbers of campaigns are
small and seeds fixed, so bounds are wide; the bootstrap over rankings is far outside of them.
"""

from itertools import combinations

import numpy as np
import pytest
from scipy.special import ndtr

from adjudge.comparisons import Comparisons
from adjudge.ranking import METHODS, Resampling, rank
from adjudge.ranking.estimation import estimate
from adjudge.ranking.head_to_head import head_to_head
from adjudge.ranking.method import RefitMethod

THRESHOLD = 0.5
EFFECT = 0.3  # standard deviation of what a judge, and a document, adds to a system
CAMPAIGNS = 60


def made_up(qualities, seed, judges=8, documents=12, rankings=500, shown=4, effect=EFFECT):
    """A campaign; busy judges rank four times as much as idle ones."""
    random = np.random.default_rng(seed)
    systems = len(qualities)
    liking = random.normal(0, effect, (judges, systems))
    suits = random.normal(0, effect, (documents, systems))
    busy = np.exp(random.normal(0, 0.7, judges))
    judge = random.choice(judges, rankings, p=busy / busy.sum())
    document = random.integers(0, documents, rankings)
    seen = np.asarray(qualities) + liking[judge] + suits[document]
    seen = seen + random.normal(size=(rankings, systems))
    block = random.random((rankings, systems)).argsort(axis=1)[:, :shown]
    first, second = np.array(list(combinations(range(shown), 2))).T
    left, right = block[:, first].ravel(), block[:, second].ravel()
    ranking = np.repeat(np.arange(rankings), len(first))
    difference = seen[ranking, left] - seen[ranking, right]
    outcome = np.where(np.abs(difference) > THRESHOLD, np.sign(difference), 0)
    names = tuple(f"{letter}" for letter in "ABCDEFGHIJ"[:systems])
    return Comparisons(
        pair="aaa-bbb",
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        outcome=outcome.astype(np.int8),
        ranking=ranking.astype(np.int32),
        segment=ranking.astype(np.int32),
        document=document[ranking].astype(np.int32),
        hit=np.full(len(left), -1, np.int32),
        judge=judge[ranking].astype(np.int32),
        systems=names,
        rankings=np.arange(rankings),
        segments=tuple(map(str, range(rankings))),
        documents=tuple(map(str, range(documents))),
        hits=(),
        judges=tuple(map(str, range(judges))),
        groups=(None,) * judges,
    )


def truth(qualities, effect=EFFECT):
    """Expected wins over all judges and documents there might be."""
    difference = np.subtract.outer(qualities, qualities)
    deviation = np.sqrt(2 * (1 + 2 * effect**2))
    win, loss = (ndtr((side * difference - THRESHOLD) / deviation) for side in (1, -1))
    share = win / (win + loss)
    np.fill_diagonal(share, 0)
    return share.sum(axis=1) / (len(qualities) - 1)


def coverage(qualities, resampling, **design):
    """The share of intervals that hold the truth, and their mean width."""
    true = dict(zip("ABCDEFGHIJ", truth(qualities), strict=False))
    held, width = [], []
    for seed in range(CAMPAIGNS):
        ranking = rank(made_up(qualities, seed, **design), resampling=resampling)
        values = np.array([true[system] for system in ranking.systems])
        held.append(((ranking.low <= values) & (values <= ranking.high)).mean())
        width.append((ranking.high - ranking.low).mean())
    return np.mean(held), np.mean(width)


@pytest.mark.parametrize(("judges", "documents"), [(5, 12), (20, 6)])
def test_intervals_hold_for_other_judges_and_documents(judges, documents):
    qualities = (0.4, 0.2, 0.0, -0.2, -0.4)
    design = {"judges": judges, "documents": documents}
    held, _ = coverage(qualities, None, **design)
    assert 0.90 < held < 0.99
    assert coverage(qualities, Resampling("ranking", 200), **design)[0] < 0.75


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
