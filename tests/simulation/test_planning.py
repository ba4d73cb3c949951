"""Planning: closed forms against simulation, suggestions that make sense, repeatability."""

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtri

from adjudge.core.errors import AdjudgeError, NotEnoughData
from adjudge.data.comparisons import compare
from adjudge.data.judgement_table import judgement_table
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.models.paired_comparison import chances, fit, pairs_of
from adjudge.ranking.ranking_result import rank
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks
from adjudge.simulation.planning import (
    LARGEST,
    Goal,
    _quantile,
    chance_of_separation,
    cluster_numbers,
    growth_needed,
    plan,
)
from adjudge.simulation.suggest_comparisons import MODEL, next_comparisons, posterior, suggestions

Z = float(ndtri(0.975))


def expected_counts(strengths, each, tie=-0.5):
    """Counts as they are on average, so that the fit is the truth."""
    systems = len(strengths)
    first, second = pairs_of(systems)
    strengths = np.asarray(strengths)
    better, worse, tied = chances(strengths[first] - strengths[second], np.array(tie))
    wins, ties = np.zeros((2, systems, systems), np.int64)
    wins[first, second], wins[second, first] = np.rint(each * better), np.rint(each * worse)
    ties[first, second] = ties[second, first] = np.rint(each * tied)
    return WinCounts(tuple("ABCDEFGH"[:systems]), wins, ties)


@pytest.fixture(scope="module")
def judged():
    design = Design(
        systems=6,
        documents=40,
        identical=0.0,
        qualities=(0.6, 0.55, 0.3, 0.0, -0.05, -0.8),
        tasks=Tasks(rankings=150),
        judges=Judges(count=12),
    )
    return compare(simulate(design, seed=4).judgements)


def test_separation_of_normal_estimates():
    random = np.random.default_rng(1)
    certain, growth = 1.2, 3.0
    truth = random.normal(certain, 1, 400_000)  # in units of the present standard deviation
    # What is to come has growth − 1 times the information: an estimate of its own.
    later = random.normal(truth, 1 / np.sqrt(growth - 1))
    together = (certain + (growth - 1) * later) / growth
    separated = (np.abs(together) * np.sqrt(growth) > ndtri(0.975)).mean()
    assert chance_of_separation(certain, growth, Z) == pytest.approx(separated, abs=0.003)


def test_equal_systems_take_61_times_the_judgements():
    assert growth_needed(0.0, Z, 0.8) == pytest.approx(61, abs=1)


def test_growth_needed_has_the_chance_asked_for():
    for certain in (0.1, 0.8, 1.5, 1.9):
        growth = growth_needed(certain, Z, 0.8)
        assert chance_of_separation(certain, growth, Z) == pytest.approx(0.8)
    assert growth_needed(2.0, Z, 0.8) == 1.0
    assert growth_needed(0.0, Z, 0.95) is None


def test_more_is_needed_the_less_is_known_and_the_more_is_asked():
    needed = [growth_needed(certain, Z, 0.8) for certain in (0.2, 0.6, 1.0, 1.4, 1.8)]
    assert needed == sorted(needed, reverse=True)
    assert growth_needed(1.5, Z, 0.85) > growth_needed(1.5, Z, 0.7)


def test_asking_for_close_systems_gains_most():
    counts = expected_counts([2.0, 1.0, 0.02, -0.02, -1.5], 200)
    suggested = next_comparisons(counts)
    assert suggested[0][:2] == ("C", "D")
    assert len(suggested) == 10
    gains = [gain for _, _, gain in suggested]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] >= -1e-12
    # Two systems far apart and well known: asking again puts nothing right.
    assert next(gain for a, b, gain in suggested if (a, b) == ("A", "E")) < 0.01 * gains[0]


def test_asking_for_a_pair_never_compared_gains_more():
    counts = expected_counts([0.1, 0.0, -0.1], 200)
    wins, ties = counts.wins.copy(), counts.ties.copy()
    wins[0, 2] = wins[2, 0] = ties[0, 2] = ties[2, 0] = 0
    sparse = WinCounts(counts.systems, wins, ties)
    gain = {(a, b): g for a, b, g in next_comparisons(sparse, batch=50)}
    even = {(a, b): g for a, b, g in next_comparisons(counts, batch=50)}
    assert gain["A", "C"] / gain["A", "B"] > even["A", "C"] / even["A", "B"]


def test_gain_is_what_simulated_comparisons_put_right():
    counts = expected_counts([0.3, 0.2, 0.0], 60)
    batch = 120
    gain = {(a, b): g for a, b, g in next_comparisons(counts, batch=batch)}
    known = posterior(counts)
    random = np.random.default_rng(3)
    truth = random.multivariate_normal(
        np.append(known.strengths, known.tie), known.covariance, 4000
    )
    better, worse, _ = chances(truth[:, 0] - truth[:, 1], truth[:, -1])
    u = random.random((4000, batch))
    won = (u < better[:, None]).sum(axis=1)
    lost = ((u >= better[:, None]) & (u < (better + worse)[:, None])).sum(axis=1)
    wins = np.repeat(counts.wins[None], 4000, axis=0)
    ties = np.repeat(counts.ties[None], 4000, axis=0)
    wins[:, 0, 1] += won
    wins[:, 1, 0] += lost
    ties[:, 0, 1] += batch - won - lost
    ties[:, 1, 0] += batch - won - lost
    after = fit(MODEL, wins, ties).strengths
    first, second = pairs_of(3)

    def wrong(strengths):
        found = strengths[..., first] > strengths[..., second]
        return (found != (truth[:, first] > truth[:, second])).sum(axis=1).mean()

    put_right = (wrong(known.strengths[None]) - wrong(after)) * 1000 / batch
    assert gain["A", "B"] == pytest.approx(put_right, rel=0.15)


def test_without_any_comparison_every_pair_is_as_good():
    nothing = WinCounts(("A", "B", "C"), np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64))
    gains = [gain for _, _, gain in next_comparisons(nothing)]
    np.testing.assert_allclose(gains, gains[0])
    assert gains[0] > 0


def test_what_judges_share_is_not_lessened_by_comparisons():
    counts = expected_counts([0.3, 0.2, 0.0], 60)
    rest = np.eye(3) * 0.02
    alone = next_comparisons(counts, rest=rest, shared=np.zeros((3, 3)))
    shared = next_comparisons(counts, rest=rest, shared=np.eye(3) * 0.5)
    assert max(gain for *_, gain in shared) < 0.5 * max(gain for *_, gain in alone)


@pytest.mark.filterwarnings("error")
def test_systems_that_always_agree_gain_nothing_and_spoil_no_other_pair():
    """A and B are one system under two names: no variance, no difference, 0 / 0."""
    counts = expected_counts([0.2, 0.2, 0.0, -0.1], 60)
    rest = np.zeros((4, 4))
    rest[:2, :2], rest[2, 2], rest[3, 3] = 0.02, 0.03, 0.04
    gain = {pair[:2]: pair[2] for pair in next_comparisons(counts, batch=50, rest=rest)}
    assert gain["A", "B"] == pytest.approx(0, abs=1e-9)
    assert gain["A", "C"] > 0
    assert gain["A", "C"] == pytest.approx(gain["B", "C"])


def test_suggestions_name_every_pair_once(judged):
    pairs = suggestions(judged)
    assert len({frozenset(pair[:2]) for pair in pairs}) == 15
    assert [gain for *_, gain in pairs] == sorted((gain for *_, gain in pairs), reverse=True)


def test_quantiles_are_numpy_s():
    random = np.random.default_rng(6)
    for number in (1, 2, 7, 400):
        values = random.normal(size=number)
        for level in (0.0, 0.5, 0.9, 0.95, 0.99, 1.0):
            assert _quantile(values, level) == np.quantile(values, level)


def test_clusters_of_what_is_well_known():
    scores = np.array([3.0, 1.0, 1.0, -2.0])
    random = np.random.default_rng(5)
    sharp = cluster_numbers(scores, np.eye(4) * 1e-4, 100.0, 2.0, 0.95, 10, random)
    blurred = cluster_numbers(scores, np.eye(4) * 100.0, 100.0, 2.0, 0.95, 10, random)
    assert sharp.min() == 3
    assert blurred.max() == 1


def test_a_plan(judged):
    goal = Goal(clusters=4, simulations=100)
    planned = plan(judged, goal)
    assert planned.rankings == len(np.unique(judged.ranking))
    assert len(planned.separations) == 5
    for separation in planned.separations:
        assert 0.5 <= separation.probability <= 1
        if separation.separated:
            assert separation.more_rankings == 0
        elif separation.more_rankings is not None:
            assert separation.more_rankings <= np.ceil((LARGEST - 1) * planned.rankings)
            same = separation.more_rankings_same
            assert same is None or same >= separation.more_rankings
    clusters = [size.clusters for size in planned.sizes]
    assert clusters[0] < clusters[-1]
    assert planned.rankings_for_clusters is not None
    assert len(planned.suggestions) == 15
    again = plan(judged, goal)
    assert (again.separations, again.sizes, again.suggestions) == (
        planned.separations,
        planned.sizes,
        planned.suggestions,
    )


def test_the_plan_begins_where_the_ranking_is(judged):
    ranking = rank(judged)
    planned = plan(judged, Goal(simulations=10), ranking)
    assert planned.sizes[0].clusters == ranking.cluster.max()
    place = {name: i for i, name in enumerate(ranking.systems)}
    for separation in planned.separations:
        a, b = place[separation.better], place[separation.worse]
        assert b == a + 1
        assert separation.separated == ranking.told_apart[a, b]
        assert separation.probability == ranking.better[a, b]


def test_more_of_the_same_never_helps_more_than_more_of_everything(judged):
    helps = {help.more: help.width for help in plan(judged, Goal(simulations=10)).helps}
    assert set(helps) == {"rankings", "judges", "documents", "judges and documents"}
    assert helps["judges and documents"] == pytest.approx(0.5)
    assert helps["rankings"] == max(helps.values())
    assert all(0.5 <= width <= 1 for width in helps.values())


@pytest.mark.slow
def test_four_in_five_are_told_apart_as_planned():
    """Judges and documents like some systems more than others; the plan is then carried out."""
    told = []
    for seed in range(60):
        random = np.random.default_rng(seed)
        quality = 0.5 * random.normal(size=4)
        before = liked(random, quality, 8, 15, 200, "a")
        planned = plan(compared(before), Goal(simulations=10))
        open_pairs = [s for s in planned.separations if s.more_rankings and s.more_rankings < 800]
        if not open_pairs:
            continue
        pair = open_pairs[0]
        growth = pair.more_rankings / 200
        sizes = [max(1, round(n * growth)) for n in (8, 15, 200)]
        ranking = rank(compared([*before, *liked(random, quality, *sizes, "b")]))
        a, b = (ranking.systems.index(name) for name in (pair.better, pair.worse))
        told.append(ranking.told_apart[a, b] or ranking.told_apart[b, a])
    assert len(told) > 20
    assert 0.6 < np.mean(told) < 0.97


def liked(random, quality, judges, documents, rankings, name):
    """Rankings of all systems, with mild effects of judges and documents."""
    systems = len(quality)
    of_judge = 0.2 * random.normal(size=(judges, systems))
    of_document = 0.2 * random.normal(size=(documents, systems))
    rows = []
    for ranking in range(rankings):
        j, d = random.integers(judges), random.integers(documents)
        seen = quality + of_judge[j] + of_document[d] + random.normal(size=systems)
        for system, rank_given in enumerate((-seen).argsort().argsort() + 1):
            about = {"judge": f"{name}{j}", "document": f"{name}{d}", "output": f"s{system}"}
            rows.append({"block": f"{name}{ranking}", "rank": int(rank_given), **about})
    return rows


def compared(rows):
    frame = pl.DataFrame(rows).with_columns(
        pl.lit("xxx-yyy").alias("pair"),
        pl.col("block").rank("dense").cast(pl.Int64).alias("ranking"),
        pl.col("document").alias("segment"),
    )
    return compare(judgement_table(frame.drop("block")))


def test_two_systems_by_name(judged):
    first, last = judged.systems[0], judged.systems[-1]
    (found,) = plan(judged, Goal(between=(last, first), simulations=10)).separations
    assert {found.better, found.worse} == {first, last}


def test_larger_units_need_more(judged):
    def sd(unit):
        between = (judged.systems[0], judged.systems[1])
        return plan(judged, Goal(unit=unit, between=between, simulations=10)).separations[0].sd

    assert sd("judge+document") > sd("ranking")


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ({"level": 1.0}, "`level` is between 0 and 1"),
        ({"chance": 0.2}, "between 0.5 and 1"),
        ({"unit": "none"}, "choose what the bootstrap draws"),
        ({"simulations": 2}, "`simulations` is 10 or more"),
        ({"clusters": 7}, "6 systems make 1 to 6 `clusters`, not 7"),
        ({"between": ("nobody", "nothing")}, "no system 'nobody'"),
        ({"between": ("system-1", "system-1")}, "cannot be separated from itself"),
    ],
)
def test_impossible_goals_are_refused(judged, goal, message):
    if goal.get("between", ("",))[0] == "system-1":
        goal = {"between": (judged.systems[0],) * 2}
    with pytest.raises(AdjudgeError, match=message):
        plan(judged, Goal(**goal))


def test_separate_groups_are_refused(judged):
    a, b, c, d = range(4)
    mask = np.isin(judged.left, [a, b]) & np.isin(judged.right, [a, b])
    mask |= np.isin(judged.left, [c, d]) & np.isin(judged.right, [c, d])
    with pytest.raises(NotEnoughData):
        plan(judged.where(mask))


def test_counts_and_posterior_agree_on_who_is_better(judged):
    known = posterior(count(judged))
    assert known.strengths.sum() == pytest.approx(0, abs=1e-9)
    assert known.systems[int(known.strengths.argmin())] == judged.systems[-1]


@pytest.mark.parametrize("blocks", [[(1, 2, 3)] * 4, [(1, 1, 1)] * 4, [(1, 2, 3), (3, 2, 1)]])
def test_hard_data_give_a_plan(blocks):
    rows = [
        {"pair": "xxx-yyy", "ranking": number, "output": system, "rank": rank}
        for number, ranks in enumerate(blocks)
        for system, rank in zip("ABC", ranks, strict=True)
    ]
    found = plan(compare(judgement_table(pl.DataFrame(rows))), Goal(simulations=20, clusters=3))
    for one in found.separations:
        assert np.isfinite([one.difference, one.sd, one.probability]).all()
    assert all(np.isfinite(size.clusters) for size in found.sizes)
    assert all(np.isfinite(one.gain) for one in found.suggestions)
