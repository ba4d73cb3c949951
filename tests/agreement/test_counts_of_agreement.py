"""Counts of agreement, against counting pair by pair in plain Python."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.agreement.controls import ThresholdAgreement, agreement_by_controls, controls
from adjudge.agreement.judges import agreement_by_judge, agreement_by_judges
from adjudge.agreement.pairwise import Tally, agreement
from adjudge.agreement.parts import agreement_by
from adjudge.core.errors import AdjudgeError, BadParameter, NotEnoughData
from adjudge.data.comparisons import Comparisons, compare
from adjudge.data.judgement_table import judgement_table
from adjudge.stats.resampling import Resampling

SYSTEMS = ("a", "b", "c", "d")


def campaign(rankings: list[tuple[str, str, dict[str, int]]]) -> pl.DataFrame:
    """A judgement table of rankings: segment, judge, and the rank of each output, as shown."""
    rows = [
        ("xx-yy", segment, number, judge, judge[:1], output, rank, position)
        for number, (segment, judge, ranks) in enumerate(rankings, 1)
        for position, (output, rank) in enumerate(ranks.items(), 1)
    ]
    names = ("pair", "segment", "ranking", "judge", "group", "output", "rank", "position")
    return judgement_table(pl.DataFrame(rows, schema=names, orient="row"))


@st.composite
def campaigns(draw: st.DrawFn) -> pl.DataFrame:
    """Campaigns where judges meet the same outputs often; judges belong to two groups."""
    ranking = st.tuples(
        st.sampled_from(["s1", "s2"]),
        st.sampled_from(["k1", "k2", "m1"]),
        st.permutations(SYSTEMS).flatmap(
            lambda order: st.tuples(*[st.integers(1, 3)] * 3).map(
                lambda ranks: dict(zip(order, ranks, strict=False))
            )
        ),
    )
    return campaign(draw(st.lists(ranking, min_size=1, max_size=12)))


def pairs_of_judgements(comparisons: Comparisons) -> list[tuple[int, int, bool, bool, bool]]:
    """Every two comparable comparisons: their places, agree?, same judge?, same order?"""
    c = comparisons
    found = []
    for i, j in combinations(range(len(c)), 2):
        same_order = c.left[i] == c.left[j] and c.right[i] == c.right[j]
        opposite = c.left[i] == c.right[j] and c.right[i] == c.left[j]
        if c.segment[i] == c.segment[j] and (same_order or opposite):
            other = c.outcome[j] if same_order else -c.outcome[j]
            found.append((i, j, c.outcome[i] == other, c.judge[i] == c.judge[j], bool(same_order)))
    return found


def simulated(seed: int, judges: int = 6, segments: int = 40, noise: float = 1.0) -> pl.DataFrame:
    """A larger campaign of judges who see the same truth through noise."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(segments, len(SYSTEMS))) + np.arange(len(SYSTEMS)) / 2
    rankings = []
    for _ in range(6 * segments):
        s, j = int(rng.integers(segments)), int(rng.integers(judges))
        seen = truth[s] + noise * rng.normal(size=len(SYSTEMS))
        order = rng.permutation(len(SYSTEMS))
        ranks = {SYSTEMS[o]: int(1 + np.sum(seen > seen[o] + 0.2)) for o in order}
        rankings.append((f"s{s}", f"{'km'[j % 2]}{j}", ranks))
    return campaign(rankings)


FEW = Resampling(replicates=20)


def naive_tally(comparisons: Comparisons, kind: str, convention: str) -> Tally:
    """Agreement as the conventions are described, one pair of judgements after another."""
    c = comparisons
    pairs = pairs_of_judgements(c)
    counted = np.ones(len(c), bool)
    if convention == "wmt15":
        pairs = [pair for pair in pairs if pair[4]]
        if kind == "intra":
            pairs = [pair for pair in pairs if pair[3]]
            repeated = {(c.segment[i], c.judge[i]) for i, *_ in pairs}
            counted = np.array(
                [key in repeated for key in zip(c.segment, c.judge, strict=True)], bool
            )
    else:
        pairs = [pair for pair in pairs if pair[3] == (kind == "intra")]
    return Tally(
        sum(pair[2] for pair in pairs),
        len(pairs),
        int(np.sum(c.outcome[counted] == 0)),
        int(counted.sum()),
    )


@pytest.mark.slow
@given(campaigns())
@settings(max_examples=60, deadline=None)
def test_both_conventions_count_as_they_say(table: pl.DataFrame) -> None:
    comparisons = compare(table, "collapsed")
    for convention, other in (("sound", "wmt15"), ("wmt15", "sound")):
        for result in agreement(table, convention=convention, resampling=FEW):
            assert result.tally == naive_tally(comparisons, result.kind, convention)
            assert result.other == naive_tally(comparisons, result.kind, other)


@pytest.mark.slow
@given(campaigns())
@settings(max_examples=40, deadline=None)
def test_groups_and_orders_count_as_they_say(table: pl.DataFrame) -> None:
    c = compare(table, "collapsed")
    pairs = pairs_of_judgements(c)
    group = [c.groups[judge] for judge in c.judge]
    for result in agreement_by(table, "group", resampling=FEW):
        wanted = set(str(result.part).split(" × "))
        mine = [
            agree
            for i, j, agree, same_judge, _ in pairs
            if {group[i], group[j]} == wanted and same_judge == (result.kind == "intra")
        ]
        assert (result.tally.agree, result.tally.comparable) == (sum(mine), len(mine))
    for result in agreement_by(table, "order", resampling=FEW):
        mine = [
            agree
            for *_, agree, same_judge, same_order in pairs
            if same_order == (result.part == "same") and same_judge == (result.kind == "intra")
        ]
        assert (result.tally.agree, result.tally.comparable) == (sum(mine), len(mine))


@pytest.mark.slow
@given(campaigns())
@settings(max_examples=40, deadline=None)
def test_judges_count_as_they_say(table: pl.DataFrame) -> None:
    c = compare(table, "collapsed")
    pairs = pairs_of_judgements(c)
    for result in agreement_by_judge(table, resampling=FEW):
        for kind, found in (("inter", result.inter), ("intra", result.intra)):
            mine = [
                agree
                for i, j, agree, same_judge, _ in pairs
                if result.judge in (c.judges[c.judge[i]], c.judges[c.judge[j]])
                and same_judge == (kind == "intra")
            ]
            assert (found.agree, found.comparable) == (sum(mine), len(mine))
    for two in agreement_by_judges(table):
        mine = [
            agree
            for i, j, agree, *_ in pairs
            if {c.judges[c.judge[i]], c.judges[c.judge[j]]} == {two.judge, two.other}
        ]
        assert (two.agree, two.comparable) == (sum(mine), len(mine))


def test_a_pair_of_judgements_counts_in_the_part_of_either() -> None:
    table = campaign(
        [
            ("s", "k1", {"a": 1, "b": 2}),
            ("s", "m1", {"b": 2, "a": 1}),
            ("s", "m2", {"a": 1, "b": 1, "c": 2}),
        ]
    )
    found = {
        (r.part, r.kind): (r.tally.agree, r.tally.comparable)
        for r in agreement_by(table, "block-size", resampling=FEW)
    }
    # Two judged two outputs and agree; the third judged three and agrees with neither.
    assert found["2", "inter"] == (1, 3)
    assert found["3", "inter"] == (0, 2)


def test_parts_add_up_where_every_pair_is_inside_one() -> None:
    table = simulated(1)
    whole = {r.kind: r.tally for r in agreement(table, resampling=FEW)}
    parts = agreement_by(table, "distance", resampling=FEW)
    assert len({part.part for part in parts}) > 1
    for kind, tally in whole.items():
        mine = [part.tally for part in parts if part.kind == kind]
        assert sum(part.agree for part in mine) == tally.agree
        assert sum(part.comparable for part in mine) == tally.comparable
        assert sum(part.total for part in mine) == tally.total


def test_length_puts_two_lengths_into_one_point() -> None:
    rankings = [(f"s{n}", judge, {"a": 1, "b": 2}) for n in (3, 4, 5) for judge in ("k1", "m1")]
    source = pl.col("segment").cast(pl.String).str.slice(1).cast(pl.Int64)
    table = campaign(rankings).with_columns(
        pl.lit("w ")
        .repeat_by(source)
        .list.join("")
        .str.strip_chars()
        .cast(pl.Categorical)
        .alias("source")
    )
    found = {r.part: r.tally.comparable for r in agreement_by(table, "length") if r.kind == "inter"}
    assert found == {"3": 2, "4": 2, "5": 1}


def test_length_without_text_answers_for_all_and_says_so() -> None:
    table = simulated(2)
    found = agreement_by(table, "length", resampling=FEW)
    assert [result.part for result in found] == [None, None]
    assert [r.tally for r in found] == [r.tally for r in agreement(table, resampling=FEW)]


def test_one_part_has_the_interval_of_the_whole() -> None:
    table = simulated(2)
    for part, whole in zip(agreement_by(table, "length"), agreement(table), strict=True):
        assert (part.low, part.high) == (whole.low, whole.high)
        assert (part.unit, part.holds_for) == (whole.unit, whole.holds_for)


def test_unknown_breakdown_is_refused() -> None:
    with pytest.raises(AdjudgeError, match="`by` cannot be 'weather'"):
        agreement_by(simulated(1), "weather")


def test_nothing_judged_twice_leaves_no_coefficient() -> None:
    table = campaign([("s1", "k1", {"a": 1, "b": 2}), ("s2", "m1", {"a": 2, "b": 2})])
    for result in agreement(table):
        assert result.tally == Tally(0, 0, 1, 2)
        assert (result.tally.kappa, result.low, result.difference) == (None, None, None)
        assert result.row()["landis_koch"] is None


def test_one_judge_has_no_inter_and_one_ranking_no_intra() -> None:
    repeats = campaign([("s1", "k1", {"a": 1, "b": 2})] * 2)
    inter, intra = agreement(repeats)
    assert (inter.tally.comparable, intra.tally.comparable) == (0, 1)
    (judge,) = agreement_by_judge(campaign([("s1", "k1", {"a": 1, "b": 2})]))
    assert (judge.rankings, judge.intra.kappa, judge.inter.kappa) == (1, None, None)
    assert agreement_by_judges(repeats) == ()


def test_unknown_judges_and_segments_compare_with_nothing() -> None:
    table = campaign([("s1", "k1", {"a": 1, "b": 2}), ("s1", "m1", {"a": 1, "b": 2})])
    for column in ("judge", "segment"):
        unknown = table.with_columns(pl.lit(None).cast(pl.Categorical).alias(column))
        assert all(result.tally.comparable == 0 for result in agreement(unknown))


def test_the_order_shown_is_needed_for_wmt15_only() -> None:
    table = simulated(3).with_columns(pl.lit(None).cast(pl.Int32).alias("position"))
    with pytest.raises(NotEnoughData, match="order"):
        agreement(table, convention="wmt15")
    assert all(r.other is None and r.tally.kappa is not None for r in agreement(table))


def test_the_reference_is_counted_and_left_out() -> None:
    table = campaign([("s", judge, {"ref": 1, "a": 2, "b": rank}) for judge, rank in
                      (("k1", 3), ("m1", 1))])  # fmt: skip
    found = {(r.with_reference, r.kind): r.tally for r in agreement(table, resampling=FEW)}
    assert (found[True, "inter"].agree, found[True, "inter"].comparable) == (1, 3)
    assert (found[False, "inter"].agree, found[False, "inter"].comparable) == (0, 1)


def test_consensus_is_of_the_others() -> None:
    first, second = {"a": 1, "b": 2}, {"a": 2, "b": 1}
    table = campaign([("s", "k1", first), ("s", "k2", first), ("s", "m1", second)])
    found = {
        j.judge: (j.consensus_agree, j.consensus_comparable) for j in agreement_by_judge(table)
    }
    # For either k judge the others are split, for m1 both say the opposite.
    assert found == {"k1": (0, 0), "k2": (0, 0), "m1": (0, 1)}


def test_controls_need_more_than_five_votes_and_no_own_one() -> None:
    clear = [("s", f"k{n}", {"a": 1, "b": 2}) for n in range(6)]
    table = campaign([*clear, ("s", "m1", {"b": 2, "a": 1}), ("s", "m2", {"a": 1, "b": 1})])
    comparisons = compare(table, "collapsed")
    trusted = np.array([group == "k" for group in comparisons.groups])
    made = controls(comparisons, trusted)
    assert made.to_frame().rows() == [("s", "a", "b", 6)]
    met = dict(zip(made.judges, zip(made.met, made.failed, strict=True), strict=True))
    # A trusted judge has only five others; a tie does not pass.
    assert met == {**{f"k{n}": (0, 0) for n in range(6)}, "m1": (1, 0), "m2": (1, 1)}
    assert made.rejected(at_least=1).tolist() == [False] * 6 + [False, True]
    found = agreement_by_controls(table, ("k",), at_least=1, thresholds=(0.0, 0.5))
    assert [(f.judges, f.rankings, f.tally.comparable) for f in found] == [(2, 2, 1), (1, 1, 0)]


def test_intervals_hold_the_estimate_and_are_repeatable() -> None:
    table = simulated(4)
    for over in ("segment", "judge"):
        once, twice = (agreement(table, resampling=Resampling(over, 200, 7)) for _ in range(2))
        assert [(r.low, r.high) for r in once] == [(r.low, r.high) for r in twice]
        for result in once:
            assert result.low is not None
            assert result.low < result.tally.kappa < result.high


def test_duplicating_judges_leaves_a_perfect_judge_perfect() -> None:
    table = campaign(
        [(f"s{n}", judge, {"a": 1, "b": 1 + n % 2}) for n in range(6) for judge in ("k1", "m1")]
    )
    inter = agreement(table, resampling=Resampling("judge", 100))[0]
    # Draws of one judge twice compare with nothing, the others with perfect agreement.
    assert inter.tally.kappa == 1


def test_relabelling_systems_and_judges_changes_nothing() -> None:
    table = simulated(5)
    swapped = table.with_columns(
        pl.col("output").cast(pl.String).replace({"a": "d", "d": "a"}).cast(pl.Categorical),
        pl.col("judge").cast(pl.String).replace({"k0": "z"}).cast(pl.Categorical),
    )
    for mine, other in zip(agreement(table), agreement(swapped), strict=True):
        assert mine.tally == other.tally
        assert mine.low == pytest.approx(other.low)


def test_rankings_of_one_output_leave_nothing_to_say() -> None:
    table = campaign([("s1", "k1", {"a": 1}), ("s1", "m1", {"a": 2})])
    assert [result.tally for result in agreement(table)] == [Tally(0, 0, 0, 0)] * 2
    assert agreement_by(table, "block-size") == ()
    assert [judge.rankings for judge in agreement_by_judge(table)] == [1, 1]
    assert len(controls(compare(table, "collapsed")).to_frame()) == 0


def test_no_agreement_beyond_chance_is_still_a_number() -> None:
    rows = [ThresholdAgreement("xx-yy", 0.5, 1, 2, 3, Tally(1, 2, 0, 4)).row()]
    assert [(row["kappa"], row["landis_koch"]) for row in rows] == [(0.0, "slight")]


def test_wrong_names_are_refused_with_what_there_is() -> None:
    table = campaign([("s", "x", {"a": 1, "b": 2}), ("s", "y", {"a": 1, "b": 2})])
    with pytest.raises(BadParameter, match=r"`convention` cannot be 'wmt16'; .*sound, wmt15"):
        agreement(table, convention="wmt16")
    with pytest.raises(BadParameter, match=r"`unit` cannot be 'document'; .*segment, judge"):
        agreement(table, resampling=Resampling("document"))
    with pytest.raises(BadParameter, match="`unit` cannot be 'ranking'"):
        agreement_by(table, "length", resampling=Resampling("ranking"))
