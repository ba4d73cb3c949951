"""Tests between metrics: exact p-values, sign tests, clusters, dependent correlations."""

from itertools import product

import numpy as np
import polars as pl
import pytest

from adjudge.metaeval.correlations import CORRELATIONS, pearson, williams, zou_interval
from adjudge.metaeval.permutation import SYSTEM_TESTS, metric_clusters, standardised, system_tests
from adjudge.metaeval.segment_coefficients import calibrate
from adjudge.metaeval.segment_tests import accuracy_tests, pearson_tests, right_pairs, sign_tests

SYSTEM = "system pearson"
SEGMENT = "segment acc23_calibrated item"


def places(names: list[str], column: pl.Series) -> np.ndarray:
    return np.array([names.index(name) for name in column])


@pytest.fixture(scope="module")
def by_segment(wmt23):
    """Names, people and metrics of the annotated segments (segments × systems)."""
    task = wmt23["en-de.default mqm"]
    judged = np.isfinite(task.human.segment_scores).any(axis=0)
    chosen = [each for each in task.submissions if each.segment_scores is not None]
    scores = np.array([each.segment_scores[:, judged].T for each in chosen])
    return [each.metric for each in chosen], task.human.segment_scores[:, judged].T, scores


def test_all_990_pairs_of_metrics_at_the_level_of_systems(wmt23, gold) -> None:
    task = wmt23["en-de.default mqm"]
    names = [each.metric for each in task.submissions]
    scores = np.array([each.system_scores for each in task.submissions])
    expected = gold("pvalues_all_pairs_exact").filter(pl.col("statistic") == SYSTEM)
    pairs = places(names, expected["better"]), places(names, expected["worse"])
    ours = system_tests("pearson", task.human.system_scores, scores, *pairs)
    assert len(ours) == 990
    assert ours.tolist() == expected["p_exact"].to_list()


@pytest.mark.parametrize("human", ["mqm", "da-sqm"])
def test_other_coefficients_of_systems(wmt23, gold, human: str) -> None:
    task = wmt23[f"en-de.default {human}"]
    names = [each.metric for each in task.submissions]
    scores = np.array([each.system_scores for each in task.submissions])
    table = gold("permutation_tests").filter(pl.col("level") == "sys", pl.col("human") == human)
    for (name,), expected in table.partition_by("statistic", as_dict=True).items():
        pairs = places(names, expected["metric2"]), places(names, expected["metric1"])
        statistic = str(name).removesuffix("_b")
        ours = system_tests(statistic, task.human.system_scores, scores, *pairs)
        assert ours.tolist() == expected["p_exact_or_converged"].to_list()


@pytest.mark.parametrize("statistic", SYSTEM_TESTS)
@pytest.mark.parametrize("tied", [False, True])
def test_all_ways_to_swap_one_by_one(statistic: str, tied: bool) -> None:
    random = np.random.default_rng(4)
    human, first, second = random.normal(size=(3, 7))
    if tied:
        human[1], first[2], second[4] = human[0], first[3], second[5]
    metrics = np.stack([first, second])
    one, other = standardised(metrics)
    coefficient = CORRELATIONS[statistic]
    differences = []
    for ways in product([False, True], repeat=7):
        swapped = np.where(ways, other, one), np.where(ways, one, other)
        differences.append(float(np.subtract(*(coefficient(human, side) for side in swapped))))
    expected = np.mean(np.array(differences) >= differences[0] - 1e-12)
    ours = system_tests(statistic, human, metrics, np.array([0]), np.array([1]))
    assert ours[0] == expected


def test_many_systems_are_drawn_and_p_is_never_nothing() -> None:
    random = np.random.default_rng(4)
    human = random.normal(size=30)
    metrics = np.stack([human + 0.01 * random.normal(size=30), random.normal(size=30)])
    p = system_tests("pearson", human, metrics, np.array([0]), np.array([1]), draws=99)
    assert p[0] == 1 / 100


def test_calibrated_accuracy_is_a_sign_test(by_segment, gold) -> None:
    names, human, scores = by_segment
    right = np.array(
        [right_pairs(human, each, calibrate(human, each).epsilon).ravel() for each in scores]
    )
    expected = gold("pvalues_all_pairs_exact").filter(pl.col("statistic") == SEGMENT)
    ours = sign_tests(right, places(names, expected["better"]), places(names, expected["worse"]))
    assert len(ours) == 903
    assert ours == pytest.approx(expected["p_exact"].to_numpy(), abs=1e-12)


def test_tests_that_draw_come_near_the_converged_ones(by_segment, gold) -> None:
    names, human, scores = by_segment
    table = gold("permutation_tests").filter(pl.col("level") == "seg", pl.col("human") == "mqm")
    for statistic, by in (("acc23", "item"), ("pearson", "none"), ("pearson", "item")):
        expected = table.filter(pl.col("statistic") == statistic, pl.col("average_by") == by)
        pairs = places(names, expected["metric2"]), places(names, expected["metric1"])
        if statistic == "acc23":
            ours = accuracy_tests(human, scores, *pairs, draws=2000)
        elif by == "none":
            ours = pearson_tests(human.reshape(1, -1), scores.reshape(len(scores), 1, -1), *pairs)
        else:
            ours = pearson_tests(human, scores, *pairs)
        theirs = expected["p_exact_or_converged"].to_numpy()
        noise = 4 * np.sqrt(np.maximum(theirs * (1 - theirs), 1e-3) / 1000)
        assert (np.abs(ours - theirs) < noise).all(), (statistic, by)
        assert (ours > 0).all()


@pytest.mark.parametrize("systems", [3, 7, 14])
def test_swapped_accuracies_are_those_of_plain_loops(systems: int) -> None:
    """Chunks of systems, whole and cut; the draws are repeated one by one."""
    random = np.random.default_rng(systems)
    human = random.integers(0, 4, (5, systems)).astype(float)
    human[2, 1] = np.nan
    metrics = random.normal(size=(2, 5, systems)).round(1)
    ours = accuracy_tests(human, metrics, np.array([0]), np.array([1]), draws=50, seed=3)
    from adjudge.metaeval.segment_tests import _standardised
    from adjudge.stats.resampling import generator

    one, other = _standardised(human, metrics)
    masks = generator(3, 0).integers(0, 1 << systems, (50, 5), np.int64)
    accuracy = CORRELATIONS["accuracy"]

    def difference(swap: np.ndarray) -> float:
        sides = np.where(swap, other, one), np.where(swap, one, other)
        return float(np.subtract(*(accuracy(human, side).mean() for side in sides)))

    seen = difference(np.zeros((5, systems), bool))
    drawn = [difference((mask[:, None] >> np.arange(systems) & 1) > 0) for mask in masks]
    assert ours[0] == (np.sum(np.array(drawn) >= seen - 1e-9) + 1) / 51


def test_clusters_are_those_of_mt_metrics_eval(gold) -> None:
    tests = gold("pvalues_all_pairs_exact")
    parts = gold("clusters_exact").partition_by("statistic", "metrics", as_dict=True)
    assert len(parts) == 4
    for (statistic, _), part in parts.items():
        names = part["metric"].to_list()
        p = np.ones((len(names), len(names)))
        known = tests.filter(
            pl.col("statistic") == statistic,
            pl.col("better").is_in(names),
            pl.col("worse").is_in(names),
        )
        p[places(names, known["better"]), places(names, known["worse"])] = known["p_exact"]
        assert metric_clusters(p).tolist() == part["cluster"].to_list()


def test_williams_and_zou_hold_their_level() -> None:
    """Two metrics that are equally good: 5 % of tests are wrong, 95 % of intervals are right."""
    random = np.random.default_rng(1)
    people = random.normal(size=(4000, 16))
    first, second = (people + random.normal(size=people.shape) for _ in range(2))
    r = pearson(people, first), pearson(people, second), pearson(first, second)
    low, high = zou_interval(*r, systems=16)
    assert np.mean((low <= 0) & (high >= 0)) == pytest.approx(0.95, abs=0.012)
    assert np.mean(williams(*r, systems=16) <= 0.05) == pytest.approx(0.05, abs=0.012)
