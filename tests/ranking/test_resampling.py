"""The bootstrap: what is drawn, and that the fast ways draw the same."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons, compare
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.counting.cells import share, tally_blocks, tally_wins
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS, CountMethod
from adjudge.ranking.ranking_result import rank
from adjudge.ranking.resampling import (
    DesignEffects,
    comparison_weights,
    effective_number,
    possible_units,
    ranking_units,
    replicated,
)
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.stats import replicates, resampling
from adjudge.stats.resampling import Resampling

UNITS = ("ranking", "hit", "segment", "document", "judge", "judge+segment", "judge+document")


@pytest.fixture(scope="module")
def comparisons() -> Comparisons:
    design = Design(
        systems=5,
        documents=25,
        document_effect=0.4,
        identical=0,
        tasks=Tasks(rankings=400, block=3),
        judges=Judges(count=15, preference=0.4),
    )
    return compare(simulate(design, seed=1).judgements)


def drawn_wins(comparisons: Comparisons, drawn: Resampling) -> np.ndarray:
    parts = replicated(comparisons, tally_wins(comparisons), drawn)
    return np.concatenate([part.wins for part in parts])


def repeated(comparisons: Comparisons, weights: np.ndarray) -> WinCounts:
    """The counts, comparison by comparison: the slow way."""
    at = np.repeat(np.arange(len(comparisons)), weights)
    arrays = ("left", "right", "outcome", "ranking", "segment", "document", "hit", "judge")
    return count(replace(comparisons, **{name: getattr(comparisons, name)[at] for name in arrays}))


def test_the_tally_counts_as_the_comparisons_do(comparisons):
    tally = tally_wins(comparisons)
    counted, plain = tally.statistics(tally.counts), count(comparisons)
    np.testing.assert_array_equal(counted.wins, plain.wins)
    np.testing.assert_array_equal(counted.ties, plain.ties)


@pytest.mark.parametrize("unit", UNITS)
def test_counted_replicates_are_those_of_drawn_comparisons(comparisons, unit):
    drawn = Resampling(unit, 4, seed=7)
    for number, part in enumerate(drawn_wins(comparisons, drawn)):
        weights = comparison_weights(comparisons, drawn, number)
        np.testing.assert_array_equal(part, repeated(comparisons, weights).wins)


@pytest.mark.parametrize("unit", UNITS)
def test_all_comparisons_of_a_unit_are_drawn_equally_often(comparisons, unit):
    weights = comparison_weights(comparisons, Resampling(unit, 1, 1), 0)
    first, *rest = (getattr(comparisons, name) for name in unit.split("+"))
    together = first if not rest else first * (rest[0].max() + 1) + rest[0]
    for one in np.unique(together):
        assert len(set(weights[together == one])) == 1


def test_as_many_units_are_drawn_as_there_are(comparisons):
    for unit in ("ranking", "hit", "segment", "document", "judge"):
        (known,) = ranking_units(comparisons, unit)
        weights = comparison_weights(comparisons, Resampling(unit, 1, 1), 0)
        per_ranking = np.zeros(len(comparisons.rankings), int)
        per_ranking[comparisons.ranking] = weights
        per_unit = {known.code[r]: per_ranking[r] for r in set(comparisons.ranking)}
        assert sum(per_unit.values()) == known.number == len(per_unit)


def test_single_comparisons_are_drawn_as_a_multinomial(comparisons):
    tally = tally_wins(comparisons)
    parts = list(replicated(comparisons, tally, Resampling("comparison", 4000, 1)))
    wins = np.concatenate([part.wins for part in parts])
    ties = np.concatenate([part.ties for part in parts])
    totals = wins.sum(axis=(1, 2)) + ties.sum(axis=(1, 2)) // 2
    assert set(totals) == {len(comparisons)}
    expected = count(comparisons).wins
    deviation = np.sqrt(expected * (1 - expected / len(comparisons)))
    np.testing.assert_allclose(wins.mean(axis=0), expected, atol=4 * deviation.max() / 63)
    np.testing.assert_allclose(wins.std(axis=0), deviation, rtol=0.06)


def test_many_units_are_drawn_in_groups_with_the_same_spread(comparisons, monkeypatch):
    method = METHODS.named("win-ratio")

    def spread(unit):
        drawn = Resampling(unit, 3000, 1)
        return estimate(comparisons, method, drawn, Engine()).replicates.std(axis=0)

    exact = {unit: spread(unit) for unit in ("ranking", "judge+segment")}
    monkeypatch.setattr(resampling, "MOST_UNITS", 200)
    for unit, expected in exact.items():
        # Groups know the spread to one part in √(2 · 200), and replicates add to the noise.
        np.testing.assert_allclose(spread(unit), expected, rtol=0.17)
        assert not np.array_equal(spread(unit), expected)


def test_sparse_and_dense_draw_the_same(comparisons, monkeypatch):
    dense = drawn_wins(comparisons, Resampling("ranking", 5, 1))
    monkeypatch.setattr(replicates, "MOST_ENTRIES", 1000)
    np.testing.assert_array_equal(drawn_wins(comparisons, Resampling("ranking", 5, 1)), dense)


def test_more_replicates_begin_with_the_same(comparisons):
    for unit in ("comparison", "judge"):
        few = drawn_wins(comparisons, Resampling(unit, 3, 9))
        many = drawn_wins(comparisons, Resampling(unit, 250, 9))
        np.testing.assert_array_equal(many[:3], few)


def test_blocks_are_resampled_whole(comparisons):
    tally = tally_blocks(comparisons)
    (part,) = replicated(comparisons, tally, Resampling("ranking", 3, 1))
    three = np.bincount(comparisons.ranking) == 3  # blocks of three systems, no label missing
    if three.all():
        assert set(part.blocks.sum(axis=-1)) == {3 * len(comparisons.rankings)}
    assert (part.sole <= part.top).all()
    assert (part.top <= part.blocks).all()
    with pytest.raises(AdjudgeError, match='`unit="ranking"`'):
        rank(comparisons, METHODS.named("block-top"), Resampling("comparison"))


def test_an_unknown_judge_is_a_unit_of_its_own(campaign):
    blocks = [{"A": 1, "B": 2}, {"A": 2, "B": 1}, {"A": 1, "B": 1}, {"A": 1, "B": 2}]
    known = campaign(blocks, judges=["x", None, "x", None])
    (judges,) = ranking_units(known, "judge")
    assert judges.number == 3
    assert judges.code[0] == judges.code[2]
    assert len(set(judges.code)) == 3


def test_units_that_are_not_there_are_refused(campaign):
    blocks = [{"A": 1, "B": 2}, {"A": 2, "B": 1}]
    one_judge = campaign(blocks, judges=["x", "x"])
    with pytest.raises(NotEnoughData, match="only one judge"):
        rank(one_judge, METHODS.named("win-ratio"), Resampling("judge"))
    with pytest.raises(NotEnoughData, match="no document is known"):
        rank(one_judge, METHODS.named("win-ratio"), Resampling("document"))
    assert list(possible_units(one_judge)) == ["ranking"]


def test_unequal_units_count_as_fewer(campaign):
    blocks = [{"A": 1, "B": 2}] * 10
    equal = campaign(blocks, judges=["x", "y"] * 5)
    unequal = campaign(blocks, judges=["x"] * 9 + ["y"])
    assert effective_number(equal, "judge") == 2
    assert effective_number(unequal, "judge") == pytest.approx(100 / 82)
    assert effective_number(equal, "comparison") == 10
    assert effective_number(equal, "none") == np.inf


def half_ties(counts: WinCounts) -> np.ndarray:
    points = 2 * counts.wins.sum(axis=-1) + counts.ties.sum(axis=-1)
    return share(points, 2 * counts.comparisons.sum(axis=-1))


@pytest.mark.parametrize("unit", UNITS)
def test_the_design_effect_is_that_of_the_bootstrap(comparisons, unit):
    method = CountMethod("half-ties", "", "", "", False, half_ties)

    def variance(unit):
        drawn = Resampling(unit, 4000, 1)
        return estimate(comparisons, method, drawn, Engine()).replicates.var(axis=0)

    effects = DesignEffects(comparisons)
    contracted = variance(unit) * effects.contraction(unit) ** 2
    number = min(one.number for one in ranking_units(comparisons, unit))
    ratio = (contracted * number / (number - 1) / variance("comparison")).mean()
    assert effects.of_units[unit] == pytest.approx(ratio, rel=0.1)


def test_judges_who_disagree_are_noted(comparisons):
    notes = rank(comparisons, METHODS.named("win-ratio"), Resampling("comparison")).notes
    assert any("do not hold for other judges" in note for note in notes)
    notes = rank(comparisons, METHODS.named("win-ratio"), Resampling("judge+document")).notes
    assert not any("do not hold" in note for note in notes)
