"""One way to draw: units, weights, replicates of sums, intervals, against the slow way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import norm, t

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.stats import replicates, resampling
from adjudge.stats.bootstrap import bootstrap
from adjudge.stats.replicates import pair_sums
from adjudge.stats.resampling import (
    FEW_UNITS,
    Resampling,
    crossed,
    effective_number,
    observation_weights,
    units_of,
)
from adjudge.stats.standings import standings
from adjudge.stats.tests import expanded_tail, interval


def mean(sums: np.ndarray) -> np.ndarray:
    return sums[..., 1:] / sums[..., :1]


@pytest.fixture(scope="module")
def observed() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Statistics of 400 observations, their judges (15) and segments (80)."""
    random = np.random.default_rng(1)
    judge, segment = random.integers(0, 15, 400), random.integers(0, 80, 400)
    effect = random.normal(size=(15, 3))[judge] + random.normal(size=(80, 3))[segment]
    return np.column_stack([np.ones(400), effect + random.normal(size=(400, 3))]), judge, segment


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"unit": "judges"}, "`unit` cannot be 'judges'; did you mean 'judge'"),
        ({"replicates": 0}, "`replicates` is 1 or more, not 0"),
        ({"replicates": 1.5}, "`replicates` is a whole number"),
        ({"replicates": "many"}, "`replicates` is a whole number"),
        ({"seed": -1}, "`seed` is 0 or more"),
        ({"level": 1.0}, "`level` is between 0 and 1"),
        ({"level": float("nan")}, "`level` is between 0 and 1"),
        ({"level": "high"}, "`level` is a number"),
    ],
)
def test_what_makes_no_sense_is_refused(given, message):
    with pytest.raises(BadParameter, match=message):
        Resampling(**given)


def test_an_analysis_says_what_it_can_draw():
    assert Resampling().among(("segment", "judge")).unit == "segment"
    assert Resampling("judge").among(("segment", "judge")).unit == "judge"
    with pytest.raises(BadParameter, match=r"`unit` cannot be 'hit'; .*segment, judge"):
        Resampling("hit").among(("segment", "judge"))


def test_what_has_no_label_is_a_unit_of_its_own():
    units = units_of(np.array([3, -1, 3, -1, 7]), "judge")
    assert units.number == 4
    assert units.code.tolist() == [0, 2, 0, 3, 1]
    assert units.size.tolist() == [2, 1, 1, 1]
    together = units_of(np.array([3, -1, 3, -1, 7]), "judge", alone=np.array([0, 5, 0, 5, 0]))
    assert together.code.tolist() == [0, 2, 0, 2, 1]


def test_what_holds_nothing_is_in_no_unit():
    units = units_of(np.array([0, 1, 2, 2]), "judge", size=[1, 0, 2, 3])
    assert units.size.tolist() == [1, 5]
    assert units.code[[0, 2, 3]].tolist() == [0, 1, 1]


def test_units_that_tell_nothing_apart_are_refused():
    with pytest.raises(NotEnoughData, match="fr-en: no judge is known; choose another `unit`"):
        units_of(np.array([-1, -1]), "judge", about="fr-en")
    with pytest.raises(NotEnoughData, match="only one judge"):
        units_of(np.array([4, 4]), "judge")


def test_combinations_are_those_that_occur(observed):
    _, judge, segment = observed
    for codes in ((judge, segment), (judge, np.arange(400))):  # counted, and sorted
        units = tuple(units_of(code, "unit") for code in codes)
        row, of_rows = crossed(units)
        pairs = list(zip(*(one.code.tolist() for one in units), strict=True))
        assert len(of_rows[0]) == len(set(pairs)) == row.max() + 1
        assert [(of_rows[0][r], of_rows[1][r]) for r in row] == pairs


def test_unequal_units_count_as_fewer():
    assert effective_number(np.array([5.0, 5.0])) == 2
    assert effective_number(np.array([9.0, 1.0])) == pytest.approx(100 / 82)
    assert effective_number(np.array([[5.0, 0.0], [5.0, 0.0]])).tolist() == [2, 1]


@pytest.mark.parametrize("which", ["judge", "segment", "judge+segment"])
def test_replicates_are_those_of_drawn_observations(observed, which):
    statistics, judge, segment = observed
    labels = {"judge": judge, "segment": segment}
    units = tuple(units_of(labels[name], name) for name in which.split("+"))
    sums = replicates.replicated(statistics, units, Resampling("judge", 5, 7), lambda sums: sums)
    for number in range(5):
        weights = observation_weights(units, 7, number)
        np.testing.assert_allclose(sums[number], weights @ statistics)


def test_sparse_statistics_give_the_same(observed):
    statistics, judge, _ = observed
    units = (units_of(judge, "judge"),)
    dense = bootstrap(statistics, mean, units, Resampling(replicates=30))
    thin = bootstrap(sparse.csr_array(statistics), mean, units, Resampling(replicates=30))
    np.testing.assert_allclose(thin.replicates, dense.replicates)
    np.testing.assert_allclose(thin.estimate, dense.estimate)


def test_the_first_replicates_are_those_of_a_shorter_run(observed):
    statistics, judge, _ = observed
    units = (units_of(judge, "judge"),)
    few, many = (bootstrap(statistics, mean, units, Resampling(replicates=n)) for n in (3, 450))
    np.testing.assert_allclose(many.replicates[:3], few.replicates)


def test_units_that_say_the_same_are_drawn_together():
    """Many units of few kinds: a multinomial, with the spread of the binomial."""
    said = np.repeat([[1.0, 1.0], [1.0, 0.0]], [300, 700], axis=0)
    units = (units_of(np.arange(1000), "row"),)
    drawn = bootstrap(said, mean, units, Resampling(replicates=4000))
    assert drawn.replicates.mean() == pytest.approx(0.3, abs=0.001)
    assert drawn.replicates.std() == pytest.approx(np.sqrt(0.3 * 0.7 / 1000), rel=0.05)
    assert drawn.effective_number == 1000


def test_very_many_units_are_drawn_in_groups_with_the_same_spread(observed, monkeypatch):
    statistics, _, _ = observed
    units = (units_of(np.arange(400), "item"),)
    exact = bootstrap(statistics, mean, units, Resampling(replicates=2000)).replicates
    monkeypatch.setattr(resampling, "MOST_UNITS", 100)
    grouped = bootstrap(statistics, mean, units, Resampling(replicates=2000)).replicates
    np.testing.assert_allclose(grouped.std(axis=0), exact.std(axis=0), rtol=0.25)
    assert not np.array_equal(grouped, exact)


def test_crossed_units_spread_as_both_do(observed):
    """V(judge) + V(segment) − V(both), not what products of weights give."""
    statistics, judge, segment = observed
    units = (units_of(judge, "judge"), units_of(segment, "segment"))
    drawn = bootstrap(statistics, mean, units, Resampling(replicates=4000)).replicates

    def variance(codes):
        deviations = statistics[:, 1:] - statistics[:, 1:].mean(axis=0)
        number = codes.max() + 1
        sums = np.stack([np.bincount(codes, column) for column in deviations.T])
        return (sums**2).sum(axis=1) / 400**2 * number / (number - 1)

    both = crossed(units)[0]
    expected = variance(judge) + variance(segment) - variance(both)
    assert drawn.var(axis=0).mean() == pytest.approx(expected.mean(), rel=0.15)


def test_a_judge_drawn_twice_never_meets_itself():
    pairs = np.array([[0, 2, 1], [2, 0, 3], [1, 3, 0]])
    assert pair_sums(np.array([[1.0, 1, 1], [2, 0, 1], [0, 3, 0]]), pairs).tolist() == [12, 4, 0]


def test_intervals_are_percentiles_where_units_are_many():
    drawn = np.arange(101.0)[:, None]
    low, high = interval(np.array([50.0]), drawn, np.inf, 0.8)
    assert (low[0], high[0]) == pytest.approx((10, 90))


def test_few_units_need_wider_intervals():
    assert expanded_tail(0.95, np.inf) == pytest.approx(0.025)
    assert expanded_tail(0.95, 30) == pytest.approx(norm.cdf(-np.sqrt(30 / 29) * t.ppf(0.975, 29)))
    assert expanded_tail(0.95, 30) < 0.019
    assert expanded_tail(0.95, 4000) == pytest.approx(0.025, abs=1e-4)
    assert expanded_tail(0.95, [2, FEW_UNITS, 100]).tolist() == sorted(
        expanded_tail(0.95, [2, FEW_UNITS, 100])
    )


@settings(deadline=None)
@given(
    st.lists(st.floats(-100, 100), min_size=2, max_size=60),
    st.floats(2, 1e6),
    st.sampled_from([0.5, 0.9, 0.95]),
)
def test_intervals_are_numpys_quantiles(values, number, level):
    drawn = np.array(values)
    tail = float(expanded_tail(level, number))
    low, high = interval(np.array([0.0]), drawn[:, None], number, level)
    np.testing.assert_allclose([low[0], high[0]], np.quantile(drawn, [tail, 1 - tail]), atol=1e-9)


def test_every_value_has_the_interval_of_its_own_units():
    drawn = np.random.default_rng(1).normal(size=(1000, 2))
    drawn[:, 1] = drawn[:, 0]
    low, high = interval(np.zeros(2), drawn, np.array([5.0, 1000.0]), 0.95)
    assert high[0] - low[0] > 1.3 * (high[1] - low[1])


def test_too_few_replicates_with_a_value_make_no_interval():
    drawn = np.tile(np.arange(100.0)[:, None], 2)
    drawn[:5, 0] = drawn[:6, 1] = np.nan
    low, high = interval(np.zeros(2), drawn, np.inf, 0.95)
    assert low[0] == pytest.approx(np.quantile(np.arange(5.0, 100), 0.025))
    assert np.isnan([low[1], high[1]]).all()


def test_nothing_drawn_is_the_estimate_alone(observed):
    statistics, _, _ = observed
    alone = bootstrap(statistics, mean, (), Resampling("none"))
    standing = standings(alone)
    assert np.isnan(standing.low).all()  # no interval, rather than one of no width
    assert np.isnan(standing.high).all()
    assert standing.cluster.tolist() == [1, 2, 3]


def test_intervals_of_a_ratio_over_judges_cover():
    """15 judges who differ: 95 % intervals of a mean hold the truth; percentiles would not."""
    held = []
    for seed in range(300):
        random = np.random.default_rng(seed)
        judge = np.repeat(np.arange(15), 20)
        value = random.normal(size=15)[judge] + random.normal(size=300)
        statistics = np.column_stack([np.ones(300), value])
        drawn = bootstrap(
            statistics, mean, (units_of(judge, "judge"),), Resampling("judge", 400, seed)
        )
        low, high = drawn.interval()
        held.append(low[0] <= 0 <= high[0])
    assert 0.92 <= np.mean(held) <= 0.98
