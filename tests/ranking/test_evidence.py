"""Every system is weighed by its own evidence, and the heading says for whom a result holds."""

import numpy as np
import pytest

import adjudge
from adjudge.core.errors import BadParameter
from adjudge.ranking.method import METHODS, BlockMethod
from adjudge.ranking.population import auto_unit, population
from adjudge.ranking.ranking_result import rank
from adjudge.stats.resampling import Resampling


def three_and(blocks, seed=1):
    """Three hundred rankings of three like systems by six judges of ten documents, and more."""
    random = np.random.default_rng(seed)
    places = 1 + random.random((300, 3)).argsort(axis=1)
    shown = [dict(zip("ABC", row, strict=True)) for row in places.tolist()] + blocks
    number = len(shown)
    return {
        "blocks": shown,
        "judges": [f"judge {i % 6}" for i in range(number)],
        "segments": [f"segment {i}" for i in range(number)],
        "documents": [f"document {i // 6 % 10}" for i in range(number)],
    }


@pytest.mark.parametrize("method", ["expected-wins", "win-ratio", "bradley-terry", "block-top"])
def test_a_system_with_four_votes_is_not_placed(campaign, method):
    four = [{"new": 1, "A": 2}, {"new": 1, "B": 2}, {"new": 1, "C": 2}, {"new": 1, "A": 2}]
    ranking = rank(campaign(**three_and(four)), method)
    assert ranking.systems[-1] == "new"
    assert ranking.placed.tolist() == [True, True, True, False]
    assert (ranking.rank[-1], ranking.cluster[-1]) == (0, 0)
    assert (ranking.rank_low[-1], ranking.rank_high[-1]) == (1, 4)
    assert any("Not enough judgements to place it: new" in note for note in ranking.notes)
    row = ranking.to_frame().to_dicts()[-1]
    assert row["rank"] is row["cluster"] is None
    assert row["effective_rankings"] < 10
    # The others are what they would be without it.
    alone = rank(campaign(**three_and([])), method)
    np.testing.assert_allclose(ranking.low[:3], alone.low, atol=0.02)
    np.testing.assert_allclose(ranking.high[:3], alone.high, atol=0.02)


def test_a_system_that_one_judge_saw_is_not_placed(campaign):
    given = three_and([{"new": 1, "A": 2, "B": 3, "C": 3}] * 30)
    given["judges"][-30:] = ["judge 0"] * 30
    assert rank(campaign(**given)).placed.tolist() == [True, True, True, False]


def test_intervals_are_never_empty(campaign):
    three = rank(campaign([{"A": 1, "B": 2}] * 3))
    assert three.scores.tolist() == [1, 0]
    assert three.low[0] < 0.6
    assert three.high[1] > 0.4
    assert three.cluster.tolist() == [1, 1]
    judges = [f"judge {i % 4}" for i in range(400)]
    segments = [f"segment {i}" for i in range(400)]
    many = rank(campaign([{"A": 1, "B": 2}] * 400, judges=judges, segments=segments))
    assert 0.97 < many.low[0] < 1 == many.high[0]
    assert many.cluster.tolist() == [1, 2]


@pytest.mark.parametrize("name", [n for n in METHODS if "aware" not in n])
def test_every_method_has_intervals_with_a_width(campaign, name):
    given = three_and([])
    given["blocks"] = [{"A": 1, "B": 2, "C": 3}] * 300
    ranking = rank(campaign(**given), name, Resampling(replicates=50))
    assert (ranking.high > ranking.low).all()
    assert ranking.systems[0] == "A"


@pytest.mark.parametrize(
    ("known", "unit", "words"),
    [
        (
            ("judges", "segments", "documents"),
            "judge+document",
            "for other judges and documents like these",
        ),
        (("judges", "segments"), "judge+segment", "for other judges and segments like these"),
        (("judges",), "judge", "for other judges like these"),
        (("documents",), "document", "for other documents like these, by unknown judges"),
        (("segments",), "segment", "for other segments like these, by unknown judges"),
        ((), "ranking", "for other rankings like these, by unknown judges"),
    ],
)
def test_the_unit_is_what_the_judgements_tell(campaign, known, unit, words):
    given = three_and([])
    comparisons = campaign(given["blocks"], **{name: given[name] for name in known})
    assert auto_unit(comparisons) == unit
    ranking = rank(comparisons)
    assert ranking.resampling.unit == unit
    assert ranking.holds_for == words
    assert sum(ranking.variance_parts.values()) == pytest.approx(1)


def test_too_few_judges_are_these_judges(campaign):
    given = three_and([])
    for number, words in ((1, "by this judge"), (2, "by these 2 judges")):
        # The second judge, if there is one, did a tenth.
        given["judges"] = [f"judge {number - 1 if i % 10 == 0 else 0}" for i in range(300)]
        comparisons = campaign(**given)
        assert auto_unit(comparisons) == "document"
        assert rank(comparisons).holds_for == f"for other documents like these, {words}"


def test_a_unit_that_is_asked_for_says_what_it_leaves_out(campaign):
    comparisons = campaign(**three_and([]))
    words = "for other rankings like these, by these 6 judges, of these 10 documents"
    assert population(comparisons, "ranking") == words
    assert population(comparisons, "none") == "for these judgements only"
    assert rank(comparisons, resampling=Resampling("ranking", 20)).holds_for == words


def test_everything_said_twice_says_little_more(campaign):
    random = np.random.default_rng(5)
    liking = random.normal(0, 1, (6, 3))
    places = 1 + (random.normal(size=(300, 3)) + liking[np.arange(300) % 6]).argsort().argsort()
    once = three_and([])
    once["blocks"] = [dict(zip("ABC", row, strict=True)) for row in places.tolist()]
    twice = {name: values * 2 for name, values in once.items()}

    def widths(resampling):
        found = (rank(campaign(**given), resampling=resampling) for given in (once, twice))
        first, second = ((ranking.high - ranking.low).mean() for ranking in found)
        return second / first

    assert widths(None) == pytest.approx(1, abs=0.05)
    assert widths(Resampling("ranking", 500)) == pytest.approx(np.sqrt(0.5), abs=0.06)


def test_ranges_are_asked_for(campaign):
    comparisons = campaign(**three_and([]))
    drawn = Resampling("ranking", 200)
    assert rank(comparisons).ranges == "simultaneous"
    assert rank(comparisons, resampling=drawn).ranges == "wmt13"
    assert rank(comparisons, ranges="wmt13").ranges == "wmt13"
    assert rank(comparisons, resampling=drawn, ranges="simultaneous").ranges == "simultaneous"
    with pytest.raises(BadParameter, match="`ranges` cannot be 'wmt12'"):
        rank(comparisons, ranges="wmt12")
    with pytest.raises(BadParameter, match="a `unit` that varies"):
        rank(comparisons, resampling=Resampling("none"), ranges="simultaneous")


def test_marginal_ranges_are_no_wider(campaign):
    random = np.random.default_rng(3)
    places = 1 + random.normal([0, 0.1, 0.2, 0.3, 0.4], size=(300, 5)).argsort().argsort()
    given = three_and([])
    given["blocks"] = [dict(zip("ABCDE", row, strict=True)) for row in places.tolist()]
    comparisons = campaign(**given)
    at_once, marginal = (rank(comparisons, ranges=ranges) for ranges in ("auto", "wmt13"))
    width = [(r.rank_high - r.rank_low).sum() for r in (at_once, marginal)]
    assert width[0] >= width[1]
    assert (at_once.told_apart <= marginal.told_apart).all()


def test_systems_that_nearly_always_tie_are_named(campaign):
    random = np.random.default_rng(1)
    blocks = []
    for number in range(200):
        place = 1 if number % 2 else 4
        # The twin is a little worse, once in forty rankings; the third lies between both.
        blocks.append({"A": place, "twin": place + (number % 40 == 0), "B": 2 + number % 2})
    random.shuffle(blocks)
    ranking = rank(campaign(blocks), resampling=Resampling("ranking", 50))
    assert ranking.systems.index("twin") - ranking.systems.index("A") == 2
    assert any("A and twin tie in" in note for note in ranking.notes)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        (name, unit)
        for name, method in METHODS.items()
        for unit in ("auto", "ranking", "comparison", "judge")
        if not (unit == "comparison" and isinstance(method, BlockMethod))  # scores whole rankings
    ],
)
def test_three_votes_all_alike_leave_the_score_open(name, unit):
    """Nothing varies in any replicate, and yet a fourth vote may be another."""
    votes = adjudge.from_comparisons(
        ["A"] * 3, ["B"] * 3, [1] * 3, judge=["x", "y", "z"], document=["d", "e", "f"]
    )
    ranking = votes.rank(name, unit=unit, replicates=30)
    assert (ranking.low < ranking.high).all()
    share = METHODS[name].scale == "share"
    assert ranking.high[0] - ranking.low[0] > (0.5 if share else np.ptp(ranking.scores))


@pytest.mark.parametrize("unit", ["ranking", "judge", "comparison"])
def test_a_system_with_four_votes_is_listed_apart_under_a_named_unit_too(unit):
    known = ["A", "B", "C"] * 300
    others = ["B", "C", "A"] * 300
    votes = adjudge.from_comparisons(
        [*known, *["new"] * 4],
        [*others, *["A"] * 4],
        [*([1, 1, -1, -1] * 225), *[1] * 4],
        judge=[f"j{i % 10}" for i in range(904)],
    )
    ranking = votes.rank(unit=unit, replicates=50)
    assert ranking.systems[-1] == "new"
    assert ranking.placed.tolist() == [True, True, True, False]
    assert ranking.rank[-1] == ranking.cluster[-1] == 0
    assert ranking.to_frame()["rank"].to_list()[-1] is None
    assert any("Not enough judgements to place it: new (4.0)" in note for note in ranking.notes)


def test_nothing_drawn_has_no_interval():
    votes = adjudge.from_comparisons(["A"] * 3, ["B"] * 3, [1, 1, -1])
    frame = votes.rank(unit="none").to_frame()
    assert frame["low"].null_count() == frame["high"].null_count() == 2
