"""The compiled TrueSkill run against the `trueskill` package and against plain Python."""

from math import exp
from statistics import NormalDist

import numpy as np
import pytest
import trueskill as peer
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.parallel import Engine
from adjudge.ranking.methods.trueskill import DEVIATION, DRAW_PROBABILITY, MARGIN, estimate
from adjudge.ranking.models.trueskill_kernels import AT_ONCE, ROOM, WORD, run, update
from adjudge.stats.resampling import Resampling


def peer_environment(beta: float) -> peer.TrueSkill:
    # The package's own normal distribution is good to eight digits only.
    return peer.TrueSkill(
        mu=0.0,
        sigma=DEVIATION,
        beta=beta,
        tau=0.0,
        draw_probability=DRAW_PROBABILITY,
        backend="scipy",
    )


def peer_update(environment: peer.TrueSkill, a: peer.Rating, b: peer.Rating, outcome: int):
    if outcome < 0:
        b, a = peer.rate_1vs1(b, a, env=environment)
    else:
        a, b = peer.rate_1vs1(a, b, drawn=outcome == 0, env=environment)
    return a, b


means = st.floats(-2, 2)
deviations = st.floats(0.05, 0.5)


@settings(deadline=None)
@given(means, means, deviations, deviations, st.sampled_from([-1, 0, 1]), st.floats(0.3, 2000))
def test_an_update_is_that_of_the_trueskill_package(mean_a, mean_b, dev_a, dev_b, outcome, beta):
    expected = peer_update(
        peer_environment(beta), peer.Rating(mean_a, dev_a), peer.Rating(mean_b, dev_b), outcome
    )
    # Two runs, of which the second has ended.
    found_means = np.array([[mean_a] * 2, [mean_b] * 2])
    variances = np.array([[dev_a**2] * 2, [dev_b**2] * 2])
    first, second = np.zeros(2, np.int64), np.ones(2, np.int64)
    noise = np.full(2, beta)
    going, room = np.array([True, False]), np.empty((ROOM, 2))
    update(
        found_means,
        variances,
        first,
        second,
        np.full(2, outcome),
        noise,
        MARGIN * noise,
        going,
        room,
    )
    np.testing.assert_allclose(found_means[:, 0], [r.mu for r in expected], rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        np.sqrt(variances[:, 0]), [r.sigma for r in expected], rtol=0, atol=1e-9
    )
    assert found_means[:, 1].tolist() == [mean_a, mean_b]
    assert variances[:, 1].tolist() == [dev_a**2, dev_b**2]


def test_the_draw_margin_is_that_of_the_trueskill_package():
    environment = peer_environment(3.0)
    assert pytest.approx(peer.calc_draw_margin(0.25, 2, environment)) == 3 * MARGIN
    assert pytest.approx(NormalDist().inv_cdf(0.625) * 2**0.5) == MARGIN


def slow_run(wins: np.ndarray, ties: np.ndarray, random: np.random.Generator) -> list[float]:
    """A run as the organisers' description has it, with lists of comparisons."""
    n = len(wins)
    outcomes = {
        (a, b): [1] * wins[a, b] + [-1] * wins[b, a] + [0] * ties[a, b]
        for a in range(n)
        for b in range(n)
        if a != b
    }
    steps = sum(map(len, outcomes.values())) // 2 + 1
    environment = peer_environment(DEVIATION * steps / 40)
    ratings = [environment.create_rating() for _ in range(n)]
    for _ in range(steps):
        a = max(range(n), key=lambda i: ratings[i].sigma ** 2)
        others = [b for b in range(n) if b != a and outcomes[a, b]]
        weights = np.cumsum([exp(-abs(ratings[a].mu - ratings[b].mu)) for b in others])
        b = others[np.searchsorted(weights, random.random() * weights[-1], side="right")]
        drawn = outcomes[a, b][int(random.random() * len(outcomes[a, b]))]
        ratings[a], ratings[b] = peer_update(environment, ratings[a], ratings[b], drawn)
    return [rating.mu for rating in ratings]


def drawn_counts(seed: int, systems: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Wins and ties, of two systems that were never compared, too."""
    random = np.random.default_rng(seed)
    wins = random.integers(0, most, (systems, systems))
    np.fill_diagonal(wins, 0)
    ties = np.triu(random.integers(0, most // 2, (systems, systems)), 1)
    wins[0, 1] = wins[1, 0] = ties[0, 1] = 0
    return wins, ties + ties.T


def made(counts: list[tuple[np.ndarray, np.ndarray]], first: int = 0) -> np.ndarray:
    """Runs in step, each of its own seed."""
    wins, ties = (np.stack(tables) for tables in zip(*counts, strict=True))
    generators = [np.random.default_rng(first + i) for i in range(len(counts))]
    return run(wins, ties, DEVIATION, MARGIN, generators)


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_run_is_that_of_plain_python(seed):
    wins, ties = drawn_counts(seed, 5, 40)
    slow = slow_run(wins, ties, np.random.default_rng(seed))
    np.testing.assert_allclose(made([(wins, ties)], seed)[0], slow, rtol=0, atol=1e-9)


def test_systems_in_two_words_of_bits_are_as_those_in_one():
    wins, ties = drawn_counts(4, 10, 20)
    there = slice(WORD - 4, WORD + 6)
    among_many = tuple(np.zeros((WORD + 8, WORD + 8), np.int64) for _ in range(2))
    for table, few in zip(among_many, (wins, ties), strict=True):
        table[there, there] = few
    found = made([among_many])[0]
    np.testing.assert_array_equal(found[there], made([(wins, ties)])[0])
    assert np.count_nonzero(found) == 10


def test_runs_in_step_are_those_that_go_alone():
    # Of different lengths, some longer than chances are drawn at a time, one of nothing.
    counts = [drawn_counts(seed, 6, most) for seed, most in enumerate([3, 90, 40, 200, 2, 7])]
    counts[4] = (np.zeros_like(counts[4][0]), np.zeros_like(counts[4][1]))
    lengths = [int(wins.sum() + ties.sum() // 2) for wins, ties in counts]
    assert max(lengths) > 2 * AT_ONCE > 2 * min(lengths)
    together = made(counts)
    for i, one in enumerate(counts):
        np.testing.assert_array_equal(together[i], made([one], i)[0])


BLOCKS = [{"A": 1, "B": 2, "C": 3}, {"A": 1, "B": 1, "C": 2}, {"B": 1, "A": 2, "C": 2}] * 20


def labels(number: int) -> dict[str, list[str]]:
    return {
        "judges": [f"judge {i % 7}" for i in range(number)],
        "segments": [f"segment {i}" for i in range(number)],
    }


@pytest.mark.parametrize("unit", ["none", "comparison", "ranking", "judge"])
def test_scores_are_means_over_runs_and_every_unit_can_be_drawn(unit, campaign):
    comparisons = campaign(BLOCKS, **labels(len(BLOCKS)))
    found = estimate(comparisons, Resampling(unit, 60, 1), Engine())
    assert found.systems == ("A", "B", "C")
    assert found.replicates.shape == (60, 3)
    np.testing.assert_allclose(found.scores, found.replicates.mean(axis=0))
    assert found.scores[1] > found.scores[0] > found.scores[2]
    # A prior of mean 0 that all share: what one wins, another loses.
    assert found.scores.sum() == pytest.approx(0, abs=0.05)


def test_more_is_uncertain_the_larger_the_unit_drawn(campaign):
    # Every judge has a taste of their own and made ten rankings.
    blocks = [{"A": 1 + (j % 3 == 0), "B": 2 - (j % 3 == 0)} for j in range(12) for _ in range(10)]
    judges = [f"judge {j}" for j in range(12) for _ in range(10)]
    comparisons = campaign(blocks, judges=judges)
    spread = {
        unit: estimate(comparisons, Resampling(unit, 200, 1), Engine()).replicates[:, 0].std()
        for unit in ("none", "ranking", "judge")
    }
    assert spread["none"] < spread["ranking"] < spread["judge"]


def test_the_first_runs_do_not_depend_on_how_many_follow(campaign):
    comparisons = campaign(BLOCKS, **labels(len(BLOCKS)))
    few, many = (
        estimate(comparisons, Resampling("ranking", number, 4), Engine()).replicates
        for number in (7, 45)
    )
    np.testing.assert_array_equal(few, many[:7])


def test_names_do_not_matter(campaign):
    renamed = {"A": "C", "B": "A", "C": "B"}
    again = [{renamed[system]: rank for system, rank in block.items()} for block in BLOCKS]
    before, after = (
        estimate(campaign(blocks), Resampling("none", 5, 1), Engine()).replicates
        for blocks in (BLOCKS, again)
    )
    np.testing.assert_array_equal(before, after[:, [2, 0, 1]])


def test_a_system_that_a_replicate_never_drew_stays_at_the_prior():
    wins = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]])
    nothing = np.zeros_like(wins)
    found, still = made([(wins, nothing), (nothing, nothing)], 1)
    assert found[2] == 0.0
    assert found[0] > found[1]
    assert still.tolist() == [0, 0, 0]
    assert made([(nothing, nothing)]).tolist() == [[0, 0, 0]]
