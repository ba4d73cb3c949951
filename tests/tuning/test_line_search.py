"""The line search is exact: every interval of a line is as a slow, plain search finds it."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from operator import mul

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import adjudge
from adjudge.data.outputs import join_systems
from adjudge.metrics.metric import METRICS
from adjudge.segments.database import SegmentDatabase
from adjudge.tuning import kernels
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.candidates import Candidates
from adjudge.tuning.line_search import (
    Regularisation,
    axes,
    lines_along,
    scores_along,
    search_lines,
)
from adjudge.tuning.objective import interpolated, tunable
from adjudge.tuning.pool import Pool, pooled
from adjudge.tuning.segranks import SEGMENT_METRICS, metric_of_segments
from adjudge.tuning.weights import Limits, unlimited

pytestmark = pytest.mark.slow

WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)
FEATURES = 3


TUNABLE = [metric.name for metric in METRICS.values() if metric.reads == "words"]
INTERPOLATED = [("bleu", "cder"), ("chrf", "ter", "nist")]


@st.composite
def candidates(draw):
    """A list with small whole numbers, of which lines often meet in one point or are the same."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    number = sum(sizes)
    values = st.integers(-3, 3)
    features = draw(st.lists(st.tuples(*[values] * FEATURES), min_size=number, max_size=number))
    texts = draw(st.lists(SENTENCES, min_size=number, max_size=number))
    references = draw(st.lists(SENTENCES, min_size=len(sizes), max_size=len(sizes)))
    starts = np.concatenate([[0], np.cumsum(sizes)])
    names = tuple(f"f{k}" for k in range(FEATURES))
    own = Candidates("list", names, starts, np.array(features, float), tuple(texts))
    return own, tuple(references)


WEIGHTS = st.tuples(*[st.integers(-3, 3)] * FEATURES)


class BruteForce:
    """A line, slowly and without any rounding."""

    def __init__(self, pool: Pool, weights, direction) -> None:
        self.pool = pool
        self.lines = [
            tuple(Fraction(sum(map(mul, row, way))) for way in (direction, weights))
            for row in pool.features.astype(int).tolist()
        ]
        self.sentences = list(pairwise(pool.starts))

    def score_at(self, gamma: Fraction) -> float:
        """The objective of the best candidates, the first of equals."""
        best = [
            max(range(*own), key=lambda c: (self.lines[c][1] + gamma * self.lines[c][0], -c))
            for own in self.sentences
        ]
        return self.pool.score_of(np.array(best))

    def points(self) -> list[Fraction]:
        """One between every two places where any two lines of a sentence meet."""
        places = sorted(
            {
                (b[1] - a[1]) / (a[0] - b[0])
                for first, end in self.sentences
                for a, b in combinations(self.lines[first:end], 2)
                if a[0] != b[0]
            }
        )
        between = [(a + b) / 2 for a, b in pairwise(places)]
        return [places[0] - 1, *between, places[-1] + 1] if places else [Fraction(0)]


def check_line(pool: Pool, weights, direction) -> None:
    slowly = BruteForce(pool, weights, direction)
    edges, scores = scores_along(pool, np.array(weights, float), np.array(direction, float))
    assert edges[0] == -np.inf
    assert edges[-1] == np.inf
    expected = {gamma: slowly.score_at(gamma) for gamma in slowly.points()}
    for gamma, score in expected.items():
        place = np.searchsorted(edges, float(gamma)) - 1
        assert scores[place] == pytest.approx(score, abs=1e-9)
    lines = lines_along(pool, np.array([direction], float))
    (gain,), (gamma,) = search_lines(
        pool, np.array(weights, float), lines, unlimited(FEATURES), Regularisation()
    )
    best = max(expected.values())
    assert slowly.score_at(Fraction(gamma)) == pytest.approx(best, abs=1e-9)
    at_zero = scores[np.searchsorted(edges, 0.0, side="right") - 1]
    assert gain == pytest.approx(best - at_zero, abs=1e-9)


@pytest.mark.parametrize("metrics", [*((name,) for name in TUNABLE), *INTERPOLATED], ids="+".join)
@settings(max_examples=12)
@given(drawn=candidates(), weights=WEIGHTS, direction=WEIGHTS)
def test_every_interval_is_that_of_brute_force(ready, metrics, drawn, weights, direction):
    own, references = drawn
    statistics, objective = count([own], [tunable(ready(name)) for name in metrics], [references])
    check_line(pooled([own], statistics, objective), weights, direction)


@cache
def ranked(sentences: int) -> SegmentDatabase:
    """A database with two ranked segments of each of so many sentences."""
    random = np.random.default_rng(sentences)
    rows = []
    for sentence in range(1, sentences + 1):
        for place in ("0,1,2", "3,4,5"):
            length = random.integers(1, 4)
            texts = {" ".join(random.choice(WORDS, length)) for _ in range(4)}
            rows += [
                (f"{sentence}:{place}", join_systems([f"{system}"]), random.integers(1, 4), text)
                for system, text in enumerate(sorted(texts))
            ]
    columns = dict(zip(("segment", "output", "rank", "text"), zip(*rows, strict=True), strict=True))
    frame = pl.DataFrame(columns).with_columns(
        pl.lit("en-cs").alias("pair"),
        pl.lit("segments").alias("protocol"),
        pl.col("segment").rle_id().alias("ranking"),
        pl.lit("a b c d e f").alias("source"),
        pl.lit("the cat sat").alias("reference"),
    )
    (database,) = adjudge.from_rankings(frame).segments().databases
    return database


@pytest.mark.parametrize(
    "metrics",
    [own for name in SEGMENT_METRICS for own in ((name,), (name, "bleu"))],
    ids="+".join,
)
@settings(max_examples=25)
@given(drawn=candidates(), weights=WEIGHTS, direction=WEIGHTS)
def test_every_interval_of_ranked_segments(metrics, drawn, weights, direction):
    own, references = drawn
    database = ranked(own.sentences)
    found = [metric_of_segments(name, database) for name in metrics]
    statistics, objective = count([own], found, [references])
    check_line(pooled([own], statistics, objective), weights, direction)


@settings(max_examples=25)
@given(drawn=candidates(), weights=WEIGHTS, direction=WEIGHTS, data=st.data())
def test_every_interval_of_given_scores(drawn, weights, direction, data):
    own, references = drawn
    numbers = st.lists(st.integers(-5, 5), min_size=len(own), max_size=len(own))
    given_scores = {"qe": np.array(data.draw(numbers), float)}
    metrics = [tunable("scores:qe"), tunable("wer")]
    statistics, objective = count([replace(own, scores=given_scores)], metrics, [references])
    check_line(pooled([own], statistics, objective), weights, direction)


def test_all_usual_metrics_can_be_tuned():
    assert {"bleu", "ter", "cder", "per", "wer", "chrf", "nist"} <= set(TUNABLE)


@settings(max_examples=200)
@given(drawn=candidates(), weights=WEIGHTS, direction=WEIGHTS)
def test_many_lines_of_one_metric(drawn, weights, direction):
    own, references = drawn
    statistics, objective = count([own], [tunable("wer(tokenize=none)")], [references])
    check_line(pooled([own], statistics, objective), weights, direction)


@pytest.mark.parametrize(
    "name",
    ["bleu", "bleu(smooth=none)", "bleu(order=2)", "wer", "cder", "per", "ter", "scores:x"],
)
@settings(max_examples=50)
@given(data=st.data())
def test_kernels_score_as_metrics_do(name, data):
    metric = tunable(name)
    width = {"bleu(order=2)": 6, "per": 3}.get(name, 10 if name.startswith("bleu") else 2)
    objective = interpolated([metric], [width])
    sums = np.array(data.draw(st.lists(st.integers(0, 9), min_size=width, max_size=width)), float)
    if name.startswith("bleu"):  # matches are among the n-grams, and those shrink with order
        order = (width - 2) // 2
        sums[order : 2 * order] = np.sort(sums[order : 2 * order])[::-1]
        sums[:order] = np.minimum(sums[:order], sums[order : 2 * order])
        sums[-2] = sums[order]
    known = objective.compiled
    scored = kernels.score(sums, known.kinds, known.firsts, known.orders, known.shares)
    assert scored == pytest.approx(float(objective.values(sums)), abs=1e-9)


def _pool() -> Pool:
    starts = np.array([0, 3, 6])
    features = np.array([[0, 1], [1, 0], [2, -2], [0, 0], [1, 1], [-1, 2]], float)
    own = Candidates("list", ("f", "g"), starts, features, ("a", "a b", "b", "c", "c d", "d"))
    statistics, objective = count([own], [tunable("wer")], [("a b", "c d")])
    return pooled([own], statistics, objective)


def test_limits_hold_on_every_line():
    pool = _pool()
    limits = Limits(np.array([0.0, -np.inf]), np.array([np.inf, 0.0]), np.zeros(2, bool))
    weights = np.array([0.5, -0.5])
    lines = lines_along(pool, np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 2.0]]))
    low, high = limits.on_lines(weights, lines.directions)
    assert low.tolist() == [-0.5, -np.inf, -np.inf]
    assert high.tolist() == [np.inf, 0.5, 0.25]
    _, gamma = search_lines(pool, weights, lines, limits, Regularisation())
    assert ((low <= gamma) & (gamma <= high)).all()


def test_frozen_weights_have_no_axis():
    pool = _pool()
    none = np.full(2, np.inf)
    along = axes(pool, Limits(-none, none, np.array([True, False])))
    assert along.directions.tolist() == [[0.0, 1.0]]


def test_a_plateau_is_preferred_to_a_spike():
    edges = np.array([-np.inf, 0, 1, 2, 3, 4, 5, 6, np.inf])
    scores = np.array([0.0, 0, 10, 0, 7, 7, 7, 0])
    _, spike = kernels.best_place(edges, scores, 8, -np.inf, np.inf)
    assert 1 < spike < 2
    for how in (kernels.AVERAGE, kernels.MINIMUM):
        seen = kernels.regularised(scores, 8, how, 1)
        _, place = kernels.best_place(edges, seen, 8, -np.inf, np.inf)
        assert 4 < place < 5
