"""davidson: against direct optimisation, derivatives, recovery."""

import numpy as np
import pytest
from scipy.optimize import minimize

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.methods.bradley_terry import MODEL as BRADLEY_TERRY
from adjudge.ranking.methods.davidson import scores
from adjudge.ranking.methods.hopkins_may import HopkinsMayModel
from adjudge.ranking.models.paired_comparison import (
    PRIOR_SD,
    DavidsonModel,
    Outcomes,
    chances,
    evaluate,
    fit,
    pairs_of,
    precision,
)


def drawn(seed, systems, per_pair, tie=-0.5, replicates=1):
    """Counts of independent comparisons with known strengths."""
    random = np.random.default_rng(seed)
    strength = random.normal(0, 0.7, systems)
    strength -= strength.mean()
    first, second = pairs_of(systems)
    p = np.stack(chances(strength[first] - strength[second], np.array(tie)), -1)
    counts = random.multinomial(per_pair, p, (replicates, len(first)))
    wins = np.zeros((replicates, systems, systems), np.int64)
    ties = np.zeros_like(wins)
    wins[:, first, second], wins[:, second, first] = counts[..., 0], counts[..., 1]
    ties[:, first, second] = ties[:, second, first] = counts[..., 2]
    return strength, wins, ties


@pytest.mark.parametrize(
    "model", [DavidsonModel(), BRADLEY_TERRY, HopkinsMayModel()], ids=lambda model: model.name
)
def test_derivatives_are_those_of_finite_differences(model):
    random = np.random.default_rng(1)
    outcomes = Outcomes(*random.integers(0, 9, (3, 4, 10)).astype(float))
    at = np.column_stack([random.normal(0, 1, (4, 5)), random.uniform(0.5, 1.5, 4)])
    _, gradient, curvature = evaluate(model, outcomes, at)
    step = 1e-5
    for k in range(gradient.shape[1]):
        up, down = at.copy(), at.copy()
        up[:, k] += step
        down[:, k] -= step
        value_up, slope_up, _ = evaluate(model, outcomes, up)
        value_down, slope_down, _ = evaluate(model, outcomes, down)
        np.testing.assert_allclose(
            gradient[:, k], (value_up - value_down) / (2 * step), rtol=1e-5, atol=1e-5
        )
        np.testing.assert_allclose(
            -curvature[:, k], (slope_up - slope_down) / (2 * step), rtol=1e-5, atol=1e-5
        )


def test_chances_are_davidsons():
    strong, weak, nu = np.exp(0.8), np.exp(-0.3), np.exp(-0.4)
    total = strong + weak + nu * np.sqrt(strong * weak)
    better, worse, tied = chances(np.array([1.1, -1.1]), np.array(-0.4))
    np.testing.assert_allclose(better, [strong / total, weak / total])
    np.testing.assert_allclose(worse, [weak / total, strong / total])
    np.testing.assert_allclose(tied, nu * np.sqrt(strong * weak) / total)


def test_agrees_with_direct_optimisation():
    _, wins, ties = drawn(2, 5, 8)
    wins, ties = wins[0], ties[0]

    def loss(at):
        theta, log_nu = at[:-1], at[-1]
        p = chances(theta[:, None] - theta, np.array(log_nu))
        likelihood = (wins * np.log(p[0])).sum() + (ties * np.log(p[2])).sum() / 2
        return -likelihood + (at**2).sum() / (2 * PRIOR_SD**2)

    direct = minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-8})
    found = fit(DavidsonModel(), wins, ties)
    np.testing.assert_allclose(found.strengths, direct.x[:-1], atol=1e-5)
    assert found.tie == pytest.approx(direct.x[-1], abs=1e-5)


def test_recovers_strengths_and_ties_and_knows_its_error():
    truth, wins, ties = drawn(3, 6, 200, replicates=400)
    found = fit(DavidsonModel(), wins, ties)
    np.testing.assert_allclose(found.strengths.mean(axis=0), truth, atol=0.02)
    assert found.tie.mean() == pytest.approx(-0.5, abs=0.02)
    difference = found.strengths[:, 0] - found.strengths[:, 1]
    covariance = np.linalg.inv(precision(DavidsonModel(), wins, ties, found))
    claimed = covariance[:, 0, 0] + covariance[:, 1, 1] - 2 * covariance[:, 0, 1]
    assert np.sqrt(claimed.mean()) == pytest.approx(difference.std(), rel=0.1)


def test_without_ties_the_order_is_that_of_bradley_terry():
    _, wins, ties = drawn(4, 6, 60, tie=-30.0)
    assert not ties.any()
    with_ties = fit(DavidsonModel(), wins, ties).strengths
    np.testing.assert_allclose(
        with_ties, fit(BRADLEY_TERRY, wins, ties).strengths, rtol=0.02, atol=0.01
    )


def test_only_ties_make_all_equal():
    counts = WinCounts(("a", "b", "c"), np.zeros((3, 3), int), 50 * (1 - np.eye(3, dtype=int)))
    np.testing.assert_allclose(scores(counts), 0, atol=1e-9)


def test_names_do_not_matter():
    _, wins, ties = drawn(5, 5, 6)
    order = [3, 1, 4, 0, 2]
    here = np.ix_([0], order, order)
    before, after = (
        fit(DavidsonModel(), wins, ties),
        fit(DavidsonModel(), wins[here], ties[here]),
    )
    np.testing.assert_allclose(after.strengths, before.strengths[:, order], atol=1e-9)


def test_replicates_together_are_replicates_one_at_a_time():
    _, wins, ties = drawn(6, 6, 3, replicates=25)
    together = fit(DavidsonModel(), wins, ties)
    for i in range(25):
        alone = fit(DavidsonModel(), wins[i], ties[i])
        np.testing.assert_allclose(together.strengths[i], alone.strengths, atol=1e-9)
        assert together.tie[i] == pytest.approx(float(alone.tie), abs=1e-9)
