"""WMT23 en-de: the values of mt-metrics-eval, 878 of systems and 1,781 of segments."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from adjudge.metaeval.correlations import CORRELATIONS, kendall_c
from adjudge.metaeval.segment_coefficients import calibrate, soft_accuracy, superiority
from adjudge.metaeval.segment_statistics import segment_value

SYSTEM = {"kendall_b": "kendall"}
SEGMENT = {
    "kendall_b": "kendall",
    "acc23": "accuracy",
    "acc23_calibrated": "accuracy-calibrated",
    "pearson_pairwise_differences": "pearson-differences",
    "kendall_like_25": "darr",
}


def test_every_value_of_systems(wmt23, gold) -> None:
    number = 0
    for config, _, human, metric, _, statistic, value, systems, _ in gold("system_level").rows():
        task = wmt23[f"{config} {human}"]
        assert len(task.systems) == systems
        submission = next(each for each in task.submissions if each.metric == metric)
        if statistic.startswith("spa"):
            ours = soft_accuracy(task.human.segment_scores, submission.segment_scores)
            near = 3e-4 if "converged" in statistic else 2e-3
            assert ours == pytest.approx(value, abs=near), (config, human, metric)
        else:
            coefficient = CORRELATIONS[SYSTEM.get(statistic, statistic)]
            ours = float(coefficient(task.human.system_scores, submission.system_scores))
            assert ours == pytest.approx(value, abs=1e-12), (config, human, metric)
        number += 1
    assert number == 878


# Calibration over pairs of segments takes a tenth of a second a metric, over all 15 million pairs
# of outputs two seconds: these are checked for some metrics, everything else for all.
SOME = {"GEMBA-MQM-src", "XCOMET-Ensemble-refA", "BLEU-refA", "Random-sysname-src"}


def test_every_value_of_segments(wmt23, gold) -> None:
    number = 0
    for row in gold("segment_level").iter_rows(named=True):
        number += 1
        statistic = row["statistic"].removesuffix("_nan0")
        if statistic == "acc23_calibrated" and row["average_by"] != "item":
            few = {"GEMBA-MQM-src"} if row["average_by"] == "none" else SOME
            if row["metric"] not in few or row["config"] != "en-de.default":
                continue
        task = wmt23[f"{row['config']} {row['human']}"]
        submission = next(each for each in task.submissions if each.metric == row["metric"])
        ours = segment_value(
            SEGMENT.get(statistic, statistic),
            task.human.segment_scores,
            submission.segment_scores,
            {"sys": "system"}.get(row["average_by"], row["average_by"]),
            "zero" if row["statistic"].endswith("_nan0") else "leave-out",
        )
        assert ours.value == pytest.approx(row["value"], abs=1e-9), row
        if statistic in ("pearson", "kendall_b", "acc23"):
            assert ours.groups == row["rows_used"]
    assert number == 1781


def test_calibrations_are_the_smallest_of_the_best(wmt23, gold) -> None:
    table = gold("tie_calibration").filter(gold("tie_calibration")["average_by"] == "item")
    for row in table.iter_rows(named=True):
        task = wmt23[f"{row['config']} {row['human']}"]
        submission = next(each for each in task.submissions if each.metric == row["metric"])
        judged = np.isfinite(task.human.segment_scores).any(axis=0)
        sides = (task.human.segment_scores[:, judged].T, submission.segment_scores[:, judged].T)
        ours = calibrate(*sides)
        assert ours.epsilon == row["eps_exact"]
        assert round(ours.accuracy * ours.pairs) == row["correct_pairs"]
        assert ours.pairs == row["pairs"]
        assert ours.accuracy_without == pytest.approx(row["acc_eps0"], abs=1e-12)
    assert len(table) == 122


def test_calibration_is_the_best_of_all_thresholds_tried() -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        human = random.integers(0, 4, (6, 5)).astype(float)
        metric = np.round(4 * (human + random.normal(size=human.shape))) / 4
        human[random.random(human.shape) < 0.1] = np.nan
        ours = calibrate(human, metric)
        tried = [_accuracy(human, metric, epsilon) for epsilon in np.arange(0, 8, 0.125)]
        assert ours.accuracy == pytest.approx(max(tried), abs=1e-12)
        assert _accuracy(human, metric, ours.epsilon) == pytest.approx(ours.accuracy, abs=1e-12)


def _accuracy(human, metric, epsilon) -> float:
    """The mean over rows, one pair after another."""
    rows = []
    for h, m in zip(human, metric, strict=True):
        right = []
        for i in range(len(h)):
            for j in range(i):
                if np.isfinite(h[i] - h[j]):
                    delta = 0 if abs(m[i] - m[j]) <= epsilon else np.sign(m[i] - m[j])
                    right.append(np.sign(h[i] - h[j]) == delta)
        if right:
            rows.append(np.mean(right))
    return float(np.mean(rows))


@pytest.mark.parametrize("length", [9, 90])
def test_counts_of_pairs_make_scipys_tau(length: int) -> None:
    random = np.random.default_rng(length)
    human, metric = random.integers(0, 6, (2, 5, length)).astype(float)
    ours = CORRELATIONS["kendall"](human, metric)
    theirs = [kendalltau(h, m).statistic for h, m in zip(human, metric, strict=True)]
    assert ours == pytest.approx(theirs, abs=1e-12)
    theirs = [kendalltau(h, m, variant="c").statistic for h, m in zip(human, metric, strict=True)]
    assert kendall_c(human, metric) == pytest.approx(theirs, abs=1e-12)


def test_what_is_missing_is_left_out_pairwise() -> None:
    random = np.random.default_rng(5)
    for length in (9, 90):
        human, metric = random.normal(size=(2, length))
        human[[1, 4]] = metric[[2, 4]] = np.nan
        known = np.isfinite(human + metric)
        for coefficient in CORRELATIONS.values():
            assert coefficient(human, metric) == pytest.approx(
                coefficient(human[known], metric[known]), abs=1e-12
            )


def test_constant_scores_have_no_correlation() -> None:
    human, same = np.arange(5.0), np.full(5, 0.1)
    assert all(
        np.isnan(CORRELATIONS[name](human, same))
        for name in ("pearson", "spearman", "kendall", "kendall-c")
    )
    assert CORRELATIONS["accuracy"](human, same) == 0


def test_soft_accuracy_of_few_segments_counts_all_ways() -> None:
    random = np.random.default_rng(3)
    scores = random.normal(size=(2, 12)) + np.array([[0.3], [0]])
    exact = float(superiority(scores)[0])
    difference = scores[0] - scores[1]
    signs = random.choice([-1, 1], (200_000, 12))
    drawn = (signs @ difference >= difference.sum()).mean()
    assert exact == pytest.approx(drawn, abs=0.005)
    twice = np.tile(scores, 2)  # 24 segments: no longer counted
    signs = random.choice([-1, 1], (200_000, 24))
    drawn = (signs @ np.tile(difference, 2) >= 2 * difference.sum()).mean()
    assert float(superiority(twice)[0]) == pytest.approx(drawn, abs=0.005)
