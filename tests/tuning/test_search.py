"""The search: what it reaches, that it repeats itself, and that it keeps to limits."""

from dataclasses import replace

import numpy as np
import pytest

from adjudge.core.parallel import Engine
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.candidates import Candidates
from adjudge.tuning.line_search import Regularisation
from adjudge.tuning.objective import tunable
from adjudge.tuning.pool import Pool, pooled
from adjudge.tuning.search import Search, search
from adjudge.tuning.weights import Limits, unlimited

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pool() -> Pool:
    """Forty sentences whose words are right the more often the higher `good − 2 · bad` is."""
    random = np.random.default_rng(3)
    features, texts = [], []
    for _ in range(40 * 12):
        good, bad, noise = random.normal(size=3)
        right = np.clip(np.round(5 + good - 2 * bad + random.normal()), 0, 10).astype(int)
        features.append((good, bad, noise, 0.0))
        texts.append(" ".join(["w"] * right + ["x"] * (10 - right)))
    own = Candidates(
        "list",
        ("good", "bad", "noise", "nothing"),
        np.arange(0, 481, 12),
        np.array(features),
        tuple(texts),
    )
    statistics, objective = count([own], [tunable("per")], [(" ".join(["w"] * 10),) * 40])
    return pooled([own], statistics, objective)


START = np.ones(4) / 4


def weights_of(points):
    return [point.weights.tolist() for point in points]


@pytest.mark.parametrize("directions", ["axes", "random", "conjugate"])
def test_it_finds_the_weights_that_made_the_candidates(pool, directions):
    points = search(pool, START, Search(directions=directions), unlimited(4))
    best = points[0].weights
    assert best[0] > 0 > best[1]
    assert -4 < best[1] / best[0] < -1
    assert abs(best[2]) < best[0]
    assert points[0].score == pool.score(best) > pool.score(START) + 10
    assert [p.score for p in points] == sorted((p.score for p in points), reverse=True)


@pytest.mark.parametrize("directions", ["axes", "random", "conjugate"])
def test_a_seed_repeats_it_on_any_number_of_workers(pool, directions):
    how = Search(restarts=7, rounds=2, directions=directions, seed=5)
    alone = search(pool, START, how, unlimited(4))
    together = search(pool, START, how, unlimited(4), Engine(workers=2))
    assert weights_of(alone) == weights_of(together)
    assert weights_of(alone) != weights_of(search(pool, START, replace(how, seed=6), unlimited(4)))


def test_signs_and_frozen_weights_hold_everywhere(pool):
    inf = np.full(4, np.inf)
    positive = Limits(np.array([-np.inf, 0.0, -np.inf, -np.inf]), inf, np.zeros(4, bool))
    for point in search(pool, START, Search(restarts=10, rounds=1), positive):
        assert point.weights[1] >= 0
    frozen = Limits(-inf, inf, np.array([False, False, True, False]))
    for directions in ("axes", "random", "conjugate"):
        how = Search(restarts=5, rounds=1, directions=directions)
        assert {point.weights[2] for point in search(pool, START, how, frozen)} == {0.25}


@pytest.mark.parametrize("neighbours", ["average", "minimum"])
def test_a_regularised_search_ends_and_finds_good_weights(pool, neighbours):
    how = Search(restarts=5, rounds=0, regularisation=Regularisation(neighbours))
    points = search(pool, START, how, unlimited(4))
    assert points[0].score > pool.score(START) + 10


def test_no_restarts_climb_from_the_given_weights_only(pool):
    points = search(pool, START, Search(restarts=0), unlimited(4))
    assert [point.start for point in points] == [0]
