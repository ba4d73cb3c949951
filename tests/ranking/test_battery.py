"""What every registered ranking method must do."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, compare
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS, BlockMethod, Method
from adjudge.ranking.ranking_result import rank
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.stats.resampling import Resampling

pytestmark = pytest.mark.slow

drawn_campaigns = settings(
    max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def each(which: Callable[[Method], bool]) -> pytest.MarkDecorator:
    """The test for every registered method that is so."""
    names = sorted(name for name, method in METHODS.items() if which(method))
    return pytest.mark.parametrize("name", names)


every_method = each(lambda method: True)


def of_blocks(method: Method) -> bool:
    """Being at the top of a block is not the opposite of being at its bottom."""
    return isinstance(method, BlockMethod)


def scores(comparisons: Comparisons, name: str) -> dict[str, float]:
    made = estimate(comparisons, METHODS[name], Resampling("none", 20, 1), Engine())
    return dict(zip(made.systems, made.scores.tolist(), strict=True))


def labelled(blocks: list) -> dict[str, list[str]]:
    """A judge, a segment and a document for every block."""
    numbers = range(len(blocks))
    return {
        "judges": [f"judge {i % 3}" for i in numbers],
        "segments": [f"segment {i}" for i in numbers],
        "documents": [f"document {i % 2}" for i in numbers],
    }


@pytest.fixture(scope="module")
def ample() -> Comparisons:
    """A campaign so large that neither priors nor the noise of runs matter."""
    design = Design(
        systems=5,
        documents=20,
        identical=0,
        qualities=(0.8, 0.4, 0.0, -0.4, -0.8),
        tasks=Tasks(rankings=600, block=4),
        judges=Judges(count=12),
    )
    return compare(simulate(design, seed=3).judgements)


@every_method
@drawn_campaigns
@given(data=st.data())
def test_results_are_finite_and_in_range(name, data, blocks, campaign):
    drawn = data.draw(blocks())
    comparisons = campaign(drawn, **labelled(drawn))
    ranking = rank(comparisons, METHODS[name], Resampling("ranking", 5, 1))
    assert sorted(ranking.systems) == list(comparisons.systems)
    for values in (ranking.scores, ranking.low, ranking.high, ranking.better):
        assert np.isfinite(values).all()
    assert (np.diff(ranking.scores) <= 1e-9).all()
    assert (ranking.low <= ranking.high).all()
    assert (ranking.rank_low >= 1).all()
    assert (ranking.rank_low <= ranking.rank_high).all()
    assert (ranking.rank_high <= len(ranking.systems)).all()
    np.testing.assert_allclose(ranking.better + ranking.better.T, 1)
    assert ranking.cluster[0] == 1
    assert set(np.diff(ranking.cluster)) <= {0, 1}


@each(lambda method: not method.random)
@drawn_campaigns
@given(data=st.data())
def test_names_do_not_matter(name, data, blocks, campaign):
    drawn = data.draw(blocks())
    names = sorted({system for block in drawn for system in block})
    renamed = dict(zip(names, data.draw(st.permutations(names)), strict=True))
    before = scores(campaign(drawn, **labelled(drawn)), name)
    again = [{renamed[system]: place for system, place in block.items()} for block in drawn]
    after = scores(campaign(again, **labelled(drawn)), name)
    assert {renamed[system]: score for system, score in before.items()} == pytest.approx(
        after, rel=1e-5, abs=1e-5
    )


@each(lambda method: not method.size_matters)
@drawn_campaigns
@given(data=st.data())
def test_every_judgement_twice_says_the_same(name, data, blocks, campaign):
    drawn = data.draw(blocks())
    once = scores(campaign(drawn, **labelled(drawn)), name)
    twice = scores(campaign(drawn * 2, **labelled(drawn * 2)), name)
    assert once == pytest.approx(twice, rel=1e-9, abs=1e-9)


@each(lambda method: not of_blocks(method) and not method.random)
@drawn_campaigns
@given(data=st.data())
def test_the_opposite_judgements_give_the_opposite_order(name, data, blocks, campaign):
    drawn = data.draw(blocks(ties=False))
    opposite = [{system: -place + 9 for system, place in block.items()} for block in drawn]
    before = scores(campaign(drawn, **labelled(drawn)), name)
    after = scores(campaign(opposite, **labelled(drawn)), name)
    one = np.array([before[system] for system in sorted(before)])
    other = np.array([after[system] for system in sorted(before)])
    gaps = one[:, None] - one
    clear = np.abs(gaps) > 1e-4
    assert (np.sign(gaps)[clear] == -np.sign(other[:, None] - other)[clear]).all()


@every_method
def test_ample_judgements_give_the_true_order(name, ample):
    found = scores(ample, name)
    assert sorted(found, key=found.__getitem__, reverse=True) == sorted(found)


@each(lambda method: not of_blocks(method))
def test_the_opposite_of_ample_judgements_gives_the_opposite_order(name, ample):
    found = scores(replace(ample, outcome=-ample.outcome), name)
    assert sorted(found, key=found.__getitem__) == sorted(found)


@every_method
def test_ample_judgements_twice_hardly_move_the_scores(name, ample):
    n = len(ample.rankings)
    columns = ("left", "right", "outcome", "segment", "document", "hit", "judge")
    twice = replace(
        ample,
        **{column: np.tile(getattr(ample, column), 2) for column in columns},
        ranking=np.concatenate([ample.ranking, ample.ranking + n]),
        rankings=np.arange(2 * n),
    )
    once, again = scores(ample, name), scores(twice, name)
    spread = max(once.values()) - min(once.values())
    assert once == pytest.approx(again, abs=0.1 * spread)


@every_method
def test_the_same_seed_gives_the_same_replicates(name, campaign):
    blocks = [{"A": 1, "B": 2, "C": 3}, {"B": 1, "C": 2, "A": 2}, {"A": 1, "C": 2}] * 3
    comparisons = campaign(blocks, **labelled(blocks))

    def replicates(seed: int) -> np.ndarray:
        resampling = Resampling("ranking", 6, seed)
        return estimate(comparisons, METHODS[name], resampling, Engine()).replicates

    np.testing.assert_array_equal(replicates(4), replicates(4))
    assert replicates(4).shape == (6, 3)
    assert not np.array_equal(replicates(4), replicates(5))


HARD = {
    "only ties": [{"A": 1, "B": 1, "C": 1}] * 4,
    "separable": [{"A": 1, "B": 2, "C": 3}] * 4,
    "as often as not": [{"A": 1, "B": 2}, {"A": 2, "B": 1}],
}


@every_method
@pytest.mark.parametrize("blocks", HARD.values(), ids=HARD)
def test_hard_data_give_a_result(name, blocks, campaign):
    comparisons = campaign(blocks, **labelled(blocks))
    if METHODS[name].needs_wins and not comparisons.outcome.any():
        with pytest.raises(NotEnoughData, match=name):
            rank(comparisons, METHODS[name], Resampling("ranking", 10, 1))
        return
    ranking = rank(comparisons, METHODS[name], Resampling("ranking", 10, 1))
    assert np.isfinite(ranking.scores).all()
    assert np.isfinite(ranking.low).all()
    assert np.isfinite(ranking.high).all()


@every_method
def test_what_is_separable_is_separated(name, campaign):
    found = scores(campaign(HARD["separable"], **labelled(HARD["separable"])), name)
    assert found["A"] > max(found["B"], found["C"])


@every_method
@pytest.mark.parametrize("column", ["judge", "segment", "document"])
def test_it_needs_the_columns_it_says(name, column, campaign):
    blocks = [{"A": 1, "B": 2, "C": 3}, {"B": 1, "C": 2, "A": 2}] * 3
    columns = {key: labels for key, labels in labelled(blocks).items() if key != f"{column}s"}
    comparisons = campaign(blocks, **columns)
    if column in METHODS[name].needs:
        with pytest.raises(NotEnoughData, match=f"{column} is known"):
            scores(comparisons, name)
    else:
        assert np.isfinite(list(scores(comparisons, name).values())).all()
