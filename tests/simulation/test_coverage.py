"""Intervals hold the truth as often as they say, and coverage measures what `rank` prints."""

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest

import adjudge
from adjudge.core.parallel import Engine
from adjudge.data.comparisons import compare
from adjudge.data.win_counts import count
from adjudge.ranking.ranking_result import rank
from adjudge.simulation.campaign import simulate
from adjudge.simulation.coverage import AT_ONCE, Cell, _measure, coverage
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.simulation.fit_campaign import described, like
from adjudge.simulation.generators import Designed
from adjudge.simulation.situations import Situation, grid, qualities
from adjudge.stats.resampling import Resampling

SMALL = Situation(judges=6, documents=8, systems=4, rankings=150)


def only(situation, campaigns=4, **options):
    """The coverage of one situation."""
    (result,) = coverage([Cell("one", situation, campaigns, **options)])
    return result


@pytest.mark.slow
def test_the_default_covers_and_drawing_rankings_does_not():
    situation = Situation(judges=8, documents=10)
    default, rankings = (
        only(replace(situation, unit=unit), 60, replicates=100) for unit in ("auto", "ranking")
    )
    # 60 campaigns of 6 systems: a standard error of one and a half percent.
    assert 0.90 < default.covered < 0.99
    assert rankings.covered < 0.75
    assert rankings.width < default.width
    assert default.oracle_width == rankings.oracle_width  # the same campaigns
    assert 0.8 < default.needed_width / default.width < 1.2


@pytest.mark.parametrize("unit", ["auto", "judge"])
def test_it_measures_what_rank_prints(unit):
    situation = replace(SMALL, truth="pairs", unit=unit)
    cell = Cell("one", situation, 3, replicates=50)
    measured = only(situation, 3, replicates=50)
    source = Designed(situation.design())
    random = cell.random(0)
    true = source.counts().wins
    true = np.where(true > 0, true / np.maximum(true + true.T, 1), 0).sum(axis=1) / 3
    held, width, clusters = [], [], []
    for number in range(3):
        ranking = rank(source.draw(random), resampling=Resampling(unit, 50, 1 + number))
        truth = true[[int(name[-2:]) - 1 for name in ranking.systems]]
        held.append((ranking.low <= truth) & (truth <= ranking.high))
        width.append(ranking.high - ranking.low)
        clusters.append(ranking.cluster.max() - 1)
    assert measured.covered == pytest.approx(np.mean(held))
    assert measured.width == pytest.approx(np.mean(width))
    assert measured.boundaries == 1
    assert measured.boundaries_found <= np.mean(clusters)


def test_comparisons_without_a_table_are_those_of_the_table():
    design = Design(
        systems=4,
        identical=0.0,
        qualities=(0.5, 0.2, 0.0, -0.6),
        tasks=Tasks(rankings=30_000, block=3),
        judges=Judges(skipped=0.0, missing=0.0),
    )
    straight = Designed(design).draw(np.random.default_rng(1))
    table = compare(simulate(design, 1).judgements)
    assert len(straight) == len(table)
    assert straight.systems == table.systems
    shares = []
    for comparisons in (straight, table):
        wins = count(comparisons).wins
        shares.append(wins / np.maximum(wins + wins.T, 1))
    assert np.abs(shares[0] - shares[1]).max() < 0.04


def test_boundaries_and_pairs_are_counted_by_the_truth():
    easy = replace(SMALL, rankings=2000, effects="none", documents=30, judges=30)
    distinct = only(replace(easy, systems=2))
    assert distinct.boundaries == 1
    assert distinct.boundaries_found == 1
    assert (distinct.pairs_found, distinct.false_pair, distinct.ranks_covered) == (1, 0, 1)
    equal = only(replace(easy, truth="equal"), 12, level=0.5)
    assert equal.boundaries == 0
    assert equal.pairs_found is None
    assert 0 < equal.false_pair < 1
    assert equal.false_pair == pytest.approx(1 - equal.ranks_covered)
    assert equal.boundaries_found == 0


def test_qualities_are_equal_as_asked():
    assert len(set(qualities(5, "distinct"))) == 5
    assert len(set(qualities(5, "pairs"))) == 3
    assert len(set(qualities(2, "pairs"))) == 1
    assert len(set(qualities(5, "equal"))) == 1
    assert len(list(grid({"judges": [3, 4, 4], "effects": ["none", "mild"]}))) == 4


def test_campaigns_are_the_same_whatever_is_tried_on_them():
    more = AT_ONCE + 2
    cells = [
        Cell("a", SMALL, more),
        Cell("b", replace(SMALL, unit="ranking"), more, replicates=5, level=0.8),
        Cell("c", replace(SMALL, judges=7), more),
    ]
    first, second, third = coverage(cells)
    assert first.oracle_width / 1.959964 == pytest.approx(second.oracle_width / 1.281552, rel=1e-5)
    assert first.oracle_width != third.oracle_width
    assert [*coverage(cells, Engine(workers=2))] == [first, second, third]


@pytest.mark.parametrize("method", ["expected-wins", "trueskill"])
def test_campaigns_are_the_same_however_they_are_split_into_pieces(method):
    cell = Cell("a", replace(SMALL, method=method, unit="judge"), 2 * AT_ONCE + 4, replicates=5)
    source = Designed(SMALL.design())
    whole = _measure(cell, source, range(cell.campaigns))
    assert [number for piece in cell.pieces() for number in piece] == list(range(cell.campaigns))
    for ends in (
        [1, 2, 30],
        [AT_ONCE],
        [7, 24, 25, 26, 51],
        [piece.stop for piece in cell.pieces()],
    ):
        bounds = sorted({0, *ends, cell.campaigns})
        pieces = [_measure(cell, source, range(*two)) for two in pairwise(bounds)]
        for field in fields(whole):
            parts = [getattr(piece, field.name) for piece in pieces]
            assert np.array_equal(np.concatenate(parts), getattr(whole, field.name))


def test_slow_methods_are_a_piece_a_campaign():
    assert Cell("a", SMALL, 30).pieces() == [range(25), range(25, 30)]
    for method in ("trueskill", "mfas"):
        assert Cell("a", replace(SMALL, method=method), 3).pieces() == [
            range(1),
            range(1, 2),
            range(2, 3),
        ]


@pytest.mark.parametrize(
    ("method", "unit", "covered", "width", "oracle_width"),
    [
        ("expected-wins", "auto", 0.9083333333333333, 0.22317893145593196, 0.23011972498879196),
        ("trueskill", "judge", 0.75, 1.3958941422038142, 1.9652819381640763),
    ],
)
def test_numbers_stay_what_they_were(method, unit, covered, width, oracle_width):
    """Those of the first version: a seed means the same campaigns for ever."""
    found = only(replace(SMALL, method=method, unit=unit), 30, replicates=20)
    expected = (covered, width, oracle_width)
    assert (found.covered, found.width, found.oracle_width) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("method", ["win-ratio", "bradley-terry", "block-top", "mfas"])
def test_other_methods(method):
    result = only(replace(SMALL, method=method), 3, replicates=6)
    assert result.width > 0
    assert 0 <= result.least_covered <= result.covered <= 1


def test_a_likeness_has_the_size_ties_and_effects_of_the_real_campaign():
    design = Design(
        systems=5,
        documents=20,
        document_effect=0.4,
        identical=0.0,
        tasks=Tasks(rankings=1500),
        judges=Judges(count=12, preference=0.4, workload=0.3, skipped=0.0, missing=0.0),
    )
    real = compare(simulate(design, 3).judgements)
    likeness = like(real)
    found = likeness.design
    assert described(real).judges == 12
    assert 0.2 < found.judges.preference < 0.7
    assert 0.2 < found.document_effect < 0.7
    drawn = likeness.draw(np.random.default_rng(1))
    assert abs((drawn.outcome == 0).mean() - (real.outcome == 0).mean()) < 0.06
    assert drawn.judge is likeness.real.judge
    equal = likeness.with_truth("equal")
    assert len(set(equal.qualities)) == 1
    assert np.ptp(equal.counts().wins / np.maximum(equal.counts().comparisons, 1)) < 0.5
    assert len(np.unique(likeness.with_truth("pairs").qualities.round(9))) == 3


def test_a_likeness_of_judgements_without_judges():
    table = simulate(Design(systems=3, tasks=Tasks(rankings=200, block=3)), 1).judgements
    likeness = like(compare(table.with_columns(judge=None, document=None).cast(table.schema)))
    assert likeness.design.judges.preference == 0
    assert described(likeness.real).judges is None
    assert rank(likeness.draw(np.random.default_rng(1))).holds_for.startswith("for other segments")


def test_the_door_gives_rows_with_a_signature_that_makes_them_again():
    found = adjudge.coverage(judges=4, effects="mild", unit="auto", rankings=80, campaigns=3)
    frame = found.to_frame()
    assert len(frame) == 1
    assert frame["signature"][0] == str(found.signature)
    assert adjudge.again(str(found.signature)).to_frame().equals(frame)
    with pytest.raises(adjudge.BadParameter, match="no file"):
        adjudge.again(str(found.signature), "a.toml")
