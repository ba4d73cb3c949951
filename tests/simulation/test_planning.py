"""Planning: closed forms against simulation, suggestions that make sense, repeatability."""

import numpy as np
import polars as pl
import pytest
from scipy.special import ndtri

from adjudge.comparisons import WinCounts, compare, count
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.judgements import judgement_table
from adjudge.ranking.models.davidson_model import chances
from adjudge.ranking.models.paired_models import fit, pairs_of
from adjudge.simulation import Design, Judges, Tasks, simulate
from adjudge.simulation.futures import MODEL, cluster_numbers, futures, posterior
from adjudge.simulation.planning import (
    LARGEST,
    Goal,
    chance_of_separation,
    growth_needed,
    next_comparisons,
    plan,
)


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
    certain, growth, level = 1.2, 3.0, 0.95
    truth = random.normal(certain, 1, 400_000)  # in units of the present standard deviation
    # What is to come has growth − 1 times the information: an estimate of its own.
    later = random.normal(truth, 1 / np.sqrt(growth - 1))
    together = (certain + (growth - 1) * later) / growth
    separated = (np.abs(together) * np.sqrt(growth) > ndtri(0.975)).mean()
    assert chance_of_separation(certain, growth, level) == pytest.approx(separated, abs=0.003)


def test_equal_systems_take_61_times_the_judgements():
    assert growth_needed(0.0, 0.95, 0.8) == pytest.approx(61, abs=1)


def test_growth_needed_has_the_chance_asked_for():
    for certain in (0.1, 0.8, 1.5, 1.9):
        growth = growth_needed(certain, 0.95, 0.8)
        assert chance_of_separation(certain, growth, 0.95) == pytest.approx(0.8)
    assert growth_needed(2.0, 0.95, 0.8) == 1.0
    assert growth_needed(0.0, 0.95, 0.95) is None


def test_more_is_needed_the_less_is_known_and_the_more_is_asked():
    needed = [growth_needed(certain, 0.95, 0.8) for certain in (0.2, 0.6, 1.0, 1.4, 1.8)]
    assert needed == sorted(needed, reverse=True)
    assert growth_needed(1.5, 0.95, 0.85) > growth_needed(1.5, 0.95, 0.7)


def test_futures_agree_with_the_closed_form():
    counts = expected_counts([0.5, 0.4, 0.0, -0.9], 150)
    known = posterior(counts, design_effect=2.0)
    sigma = known.covariance
    sd = np.sqrt(sigma[0, 0] + sigma[1, 1] - 2 * sigma[0, 1])
    certain = (known.strengths[0] - known.strengths[1]) / sd
    found, covariance = futures(counts, known, 4.0, 3000, np.random.default_rng(2))
    moved = found.strengths[:, 0] - found.strengths[:, 1]
    spread = np.sqrt(covariance[:, 0, 0] + covariance[:, 1, 1] - 2 * covariance[:, 0, 1])
    assert spread.mean() == pytest.approx(sd / 2, rel=0.03)
    simulated = (np.abs(moved) > ndtri(0.975) * spread).mean()
    assert simulated == pytest.approx(chance_of_separation(certain, 4.0, 0.95), abs=0.03)


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


def test_clusters_of_what_is_well_known():
    strengths = np.array([[3.0, 1.0, 1.0, -2.0]])
    sharp, blurred = np.eye(5)[None] * 1e-4, np.eye(5)[None] * 100.0
    random = np.random.default_rng(5)
    assert cluster_numbers(strengths, sharp, 0.95, random).tolist() == [3]
    assert cluster_numbers(strengths, blurred, 0.95, random).tolist() == [1]


def test_a_plan(judged):
    goal = Goal(clusters=4, simulations=100)
    found = plan(judged, goal)
    assert found.rankings == len(np.unique(judged.ranking))
    assert found.design_effect > 1.5  # ten comparisons out of one ranking are not independent
    assert len(found.separations) == 5
    for one in found.separations:
        assert 0.5 <= one.probability <= 1
        if one.separated:
            assert one.more_rankings == 0
        elif one.more_rankings is not None:
            assert one.more_comparisons > 0
            assert one.more_rankings <= np.ceil((LARGEST - 1) * found.rankings)
            assert one.simulated_chance == pytest.approx(0.8, abs=0.15)
    clusters = [size.clusters for size in found.sizes]
    assert clusters[0] < clusters[-1]
    assert found.rankings_for_clusters is not None
    assert len(found.suggestions) == 15
    again = plan(judged, goal)
    assert (again.separations, again.sizes, again.suggestions) == (
        found.separations,
        found.sizes,
        found.suggestions,
    )


def test_two_systems_by_name(judged):
    first, last = judged.systems[0], judged.systems[-1]
    (found,) = plan(judged, Goal(between=(last, first), simulations=10)).separations
    assert {found.better, found.worse} == {first, last}


def test_larger_units_need_more(judged):
    def sd(unit):
        between = (judged.systems[0], judged.systems[1])
        return plan(judged, Goal(unit=unit, between=between, simulations=10)).separations[0].sd

    assert sd("ranking") > sd("comparison")


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ({"level": 1.0}, "between 0.5 and 1"),
        ({"chance": 0.2}, "between 0.5 and 1"),
        ({"unit": "none"}, "choose what the bootstrap draws"),
        ({"simulations": 2}, "ask for 200"),
        ({"clusters": 7}, "6 systems make 1 to 6 clusters"),
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
