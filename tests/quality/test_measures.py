"""Measures: by their definitions, on drawn data, and in the examples of the paper."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from adjudge.quality.measures import classes, pairs
from adjudge.quality.measures.correlation import pearson, spearman
from adjudge.quality.measures.delta_avg import delta_avg
from adjudge.quality.measures.errors import mean_absolute_error, root_mean_squared_error

values = st.integers(0, 5).map(float)


@st.composite
def drawn(draw):
    """True values, predictions, and how often each observation counts in some replicates."""
    number = draw(st.integers(4, 12))
    gold = draw(arrays(float, number, elements=values))
    predicted = draw(arrays(float, (2, number), elements=values))
    weights = draw(arrays(float, (3, number), elements=st.integers(0, 3).map(float)))
    weights[:, 0] += 4  # no replicate is empty
    return gold, predicted, weights


def repeated(gold, predicted, weight):
    times = weight.astype(int)
    return np.repeat(gold, times), np.repeat(predicted, times)


def delta_avg_by_definition(gold, predicted):
    """Quantile by quantile, over many random orders of what is tied."""
    random = np.random.default_rng(1)
    number = len(gold)
    results = []
    for _ in range(200):
        order = np.lexsort([random.random(number), -predicted])
        ordered = gold[order]
        each = []
        for quantiles in range(2, number // 2 + 1):
            size = number // quantiles
            means = [ordered[: k * size].mean() for k in range(1, quantiles)]
            each.append(sum(means) / (quantiles - 1) - gold.mean())
        results.append(np.mean(each))
    return np.mean(results), np.std(results) / np.sqrt(len(results))


def test_delta_avg_is_its_definition():
    random = np.random.default_rng(2)
    for number in (4, 5, 17, 30):
        gold, predicted = random.random(number), random.random(number)
        expected, _ = delta_avg_by_definition(gold, predicted)
        assert delta_avg(np.ones((1, number)), gold, predicted[None])[0, 0] == pytest.approx(
            expected
        )


def test_tied_predictions_share_their_places():
    """The mean over orders of what is tied."""
    gold = np.array([1.0, 5, 2, 2, 4, 3, 5, 1, 1])
    predicted = np.array([1.0, 3, 3, 1, 3, 3, 2, 1, 1])
    expected, error = delta_avg_by_definition(gold, predicted)
    value = delta_avg(np.ones((1, 9)), gold, predicted[None])[0, 0]
    assert abs(value - expected) < 5 * error


def test_five_hundred_fours_before_five_hundred_twos():
    """0.77 in the description of the task."""
    gold = np.repeat([4.0, 2.0], 500)
    assert delta_avg(np.ones((1, 1000)), gold, gold[None])[0, 0] == pytest.approx(0.7709, abs=5e-5)


@settings(max_examples=25)
@given(drawn())
def test_a_replicate_is_the_data_with_observations_repeated(data):
    gold, predicted, weights = data
    for measure in (
        mean_absolute_error,
        root_mean_squared_error,
        delta_avg,
        pearson,
        spearman,
    ):
        together = measure(weights, gold, predicted)
        assert together.shape == (3, 2)
        for replicate, weight in enumerate(weights):
            for submission in range(2):
                truth, own = repeated(gold, predicted[submission], weight)
                alone = measure(np.ones((1, len(truth))), truth, own[None])[0, 0]
                assert together[replicate, submission] == pytest.approx(
                    alone, nan_ok=True, abs=1e-9
                )


@settings(max_examples=25)
@given(drawn())
def test_correlations_are_those_of_scipy(data):
    gold, predicted, _ = data
    one = np.ones((1, len(gold)))
    ours = spearman(one, gold, predicted)[0], pearson(one, gold, predicted)[0]
    for submission, own in enumerate(predicted):
        if len({*gold}) < 2 or len({*own}) < 2:
            assert np.isnan([ours[0][submission], ours[1][submission]]).all()
        else:
            assert ours[0][submission] == pytest.approx(spearmanr(gold, own).statistic)
            assert ours[1][submission] == pytest.approx(np.corrcoef(gold, own)[0, 1])


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_two_taus_are_bound_together(concordant, discordant, ties):
    counts = np.array([concordant, discordant, ties], float)
    ignored = pairs.tau_ignored(counts)
    decisions = int(counts.sum())
    if concordant + discordant:
        penalised = pairs.penalised_from_ignored(float(ignored), concordant + discordant, decisions)
        assert penalised == pytest.approx(float(pairs.tau_penalised(counts)))
    else:
        assert np.isnan(ignored)


def test_predicting_only_ties_is_as_bad_as_can_be():
    counts = pairs.pair_counts(np.zeros(7)).sum(axis=0)
    assert pairs.tau_penalised(counts) == -1


def test_the_example_of_a_confusion_matrix():
    """WMT13 §6.6: keep 10 and 20, change 30 and 40."""
    counts = np.array([[10.0, 20], [30, 40]])
    assert classes.precision(counts).tolist() == pytest.approx([10 / 40, 40 / 60])
    assert classes.recall(counts).tolist() == pytest.approx([10 / 30, 40 / 70])
    keep, change = 2 * 10 / (20 + 20 + 30), 2 * 40 / (80 + 30 + 20)
    assert classes.f1(counts).tolist() == pytest.approx([keep, change])
    assert classes.macro_f1(counts) == pytest.approx((keep + change) / 2)
    assert classes.micro_f1(counts) == pytest.approx(50 / 100)


@settings(max_examples=25)
@given(
    arrays(np.int8, 9, elements=st.integers(0, 2)), arrays(np.int8, 9, elements=st.integers(0, 2))
)
def test_counts_of_labels(gold, predicted):
    counts = classes.confusion(gold, predicted, 3).sum(axis=0).reshape(3, 3)
    for true in range(3):
        for label in range(3):
            assert counts[true, label] == ((gold == true) & (predicted == label)).sum()
