"""How events move scores: closed forms against what leaving events out or adding some does."""

import numpy as np
import pytest

from adjudge.core.parallel import Engine
from adjudge.data.comparisons import compare
from adjudge.data.win_counts import count
from adjudge.ranking.assessment import assess
from adjudge.ranking.cell_influence import evidence
from adjudge.ranking.counting.cells import tally_blocks, tally_wins
from adjudge.ranking.counting.influence import numerical_influence
from adjudge.ranking.method import METHODS, BlockMethod
from adjudge.ranking.ranking_result import rank
from adjudge.stats.resampling import Resampling

SMOOTH = [name for name, method in METHODS.items() if getattr(method, "influence", None)]


@pytest.fixture(scope="module")
def comparisons(simulated):
    return compare(simulated("src-tgt", ["A", "B", "C", "D", "E"], rankings=200, seed=3))


@pytest.mark.parametrize("name", SMOOTH)
def test_closed_forms_are_the_slopes_of_the_scores(comparisons, name):
    method = METHODS[name]
    tallied = tally_blocks if isinstance(method, BlockMethod) else tally_wins
    tally = tallied(comparisons)
    closed = method.influence(tally, count(comparisons))
    slopes = numerical_influence(tally, count(comparisons), method.scores, False).influence
    # Number − 1 in place of number makes the closed form of shares a little larger.
    np.testing.assert_allclose(closed.influence, slopes, rtol=0.06, atol=2e-4 * abs(slopes).max())
    assert tally.counts @ closed.weight == pytest.approx(np.ones(5))
    assert (closed.floor > 0).all()


@pytest.mark.parametrize("name", SMOOTH)
def test_the_influence_of_all_events_is_nothing(comparisons, name):
    method = METHODS[name]
    tallied = tally_blocks if isinstance(method, BlockMethod) else tally_wins
    tally = tallied(comparisons)
    influence = method.influence(tally, count(comparisons)).influence
    total = np.abs(tally.counts @ influence)
    # The prior of models remains.
    assert (total <= 0.02 * (tally.counts @ np.abs(influence)) + 1e-12).all()


def test_cells_hold_the_comparisons_of_a_judge_and_a_document(comparisons):
    tally = tally_wins(comparisons)
    influence = METHODS["win-ratio"].influence(tally, count(comparisons))
    cells = evidence(comparisons, tally, influence, "judge+document").cells
    won, number = np.zeros(5), np.zeros(5)
    judge, document = comparisons.judge[0], comparisons.document[0]
    inside = (comparisons.judge == judge) & (comparisons.document == document)
    for left, right, outcome in zip(
        comparisons.left[inside],
        comparisons.right[inside],
        comparisons.outcome[inside],
        strict=True,
    ):
        if outcome:
            won[left if outcome > 0 else right] += 1
            number[[left, right]] += 1
    share = METHODS["win-ratio"].scores(count(comparisons))
    decided = count(comparisons).wins.sum(axis=1) + count(comparisons).wins.sum(axis=0)
    expected = (won - share * number) / (decided - 1)
    assert min(np.abs(cells.influence - expected).sum(axis=1)) < 1e-12
    assert cells.weight.sum(axis=0) == pytest.approx(np.ones(5))


def test_rankings_of_equal_weight_are_counted(campaign):
    blocks = [{"A": 1, "B": 2}, {"A": 2, "B": 1}] * 30
    ranking = rank(campaign(blocks), "win-ratio")
    assert ranking.effective_rankings == pytest.approx([60, 60])


@pytest.mark.parametrize("name", ["win-ratio", "expected-wins", "bradley-terry", "davidson"])
def test_without_judges_and_texts_the_variance_is_that_of_drawn_rankings(campaign, name):
    random = np.random.default_rng(2)
    seen = random.normal([0, 0.3, 0.6, 1], size=(400, 4))
    places = 1 + seen.argsort(axis=1).argsort(axis=1)
    blocks = [dict(zip("ABCD", row, strict=True)) for row in places.tolist()]
    comparisons = campaign(blocks)
    drawn = Resampling("ranking", 3000)
    found = assess(comparisons, METHODS[name], drawn, Engine())
    replicates = rank(comparisons, name, drawn)
    width = found.uncertainty.interval()[1] - found.uncertainty.interval()[0]
    order = [comparisons.systems.index(system) for system in replicates.systems]
    np.testing.assert_allclose(width[order], replicates.high - replicates.low, rtol=0.1)
