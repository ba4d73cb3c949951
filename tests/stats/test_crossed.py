"""Variance components of crossed units: against a slow oracle, against ANOVA, and at the edges."""

import numpy as np
import pytest

from adjudge.stats.crossed import CellInfluence, moments
from adjudge.stats.uncertainty import Uncertainty, of_replicates, wilson
from adjudge.stats.variance_components import components, spread


def unbalanced(seed: int, items: int = 3) -> CellInfluence:
    """Cells of five judges and four documents, some missing, each with its own weight."""
    random = np.random.default_rng(seed)
    present = np.flatnonzero(random.random(20) < 0.7)
    weight = random.gamma(0.5, size=(len(present), items))
    weight /= weight.sum(axis=0)
    value = random.normal(size=weight.shape)
    value -= (weight * value).sum(axis=0)
    return CellInfluence(weight * value, weight, present // 4, present % 4)


def balanced(values: np.ndarray) -> CellInfluence:
    """The mean over a full judges × documents table, as many tables as there are items."""
    _, documents, items = values.shape
    cells = values.reshape(-1, items)
    weight = np.full(cells.shape, 1 / len(cells))
    judge, document = np.divmod(np.arange(len(cells)), documents)
    return CellInfluence(weight * (cells - cells.mean(axis=0)), weight, judge, document)


def test_moments_are_sums_over_units():
    cells = unbalanced(1)
    found = moments(cells)
    for unit, code in ((found.first, cells.first), (found.second, cells.second)):
        product = np.zeros((3, 3))
        powers = np.zeros((3, 4))
        for which in set(code.tolist()):
            influence = cells.influence[code == which].sum(axis=0)
            weight = cells.weight[code == which].sum(axis=0)
            product += np.outer(influence, influence)
            powers += weight[:, None] ** np.array([2, 3, 4, 5])
        np.testing.assert_allclose(unit.product, product)
        np.testing.assert_allclose(unit.powers, powers)


@pytest.mark.parametrize("seed", range(5))
def test_coefficients_are_the_expectations_of_the_sums_of_squares(seed):
    cells = unbalanced(seed, items=1)
    found = moments(cells)
    h = cells.weight[:, 0]
    # ψ = h (x − Σ h x) for any deviations x of cells: a matrix, and expectations are traces.
    form = np.diag(h) @ (np.eye(len(h)) - np.outer(np.ones(len(h)), h))
    judge, document = np.eye(5)[cells.first], np.eye(4)[cells.second]

    def expected(unit, varying):
        return np.trace(unit.T @ form @ varying @ varying.T @ form.T @ unit)

    every = np.eye(len(h))
    assert found.first.trace[0] == pytest.approx(expected(judge, judge))
    assert found.second.trace[0] == pytest.approx(expected(document, document))
    assert found.leak[0] == pytest.approx(expected(judge, document))
    assert found.leak[0] == pytest.approx(expected(document, judge))
    assert found.first.cell_overlap[0] == pytest.approx(expected(every, judge))
    assert found.second.cell_overlap[0] == pytest.approx(expected(every, document))


@pytest.mark.parametrize("seed", range(5))
def test_degrees_of_freedom_are_those_of_the_quadratic_form(seed):
    cells = unbalanced(seed, items=1)
    h = np.bincount(cells.first, cells.weight[:, 0])
    form = np.diag(h) @ (np.eye(len(h)) - np.outer(np.ones(len(h)), h))
    square = form.T @ form
    bell = np.trace(square) ** 2 / np.trace(square @ square)
    assert moments(cells).first.degrees[0] == pytest.approx(bell)


def test_equal_units_have_one_degree_less_than_there_are():
    found = moments(balanced(np.random.default_rng(1).normal(size=(7, 5, 2))))
    assert found.first.degrees == pytest.approx([6, 6])
    assert found.second.degrees == pytest.approx([4, 4])


def test_a_balanced_design_gives_the_components_of_anova():
    random = np.random.default_rng(4)
    judges, documents = 6, 9
    table = (
        random.normal(size=(judges, 1, 1))
        + random.normal(size=(1, documents, 1))
        + random.normal(size=(judges, documents, 1))
    )
    x = table[..., 0]
    row, column = x.mean(axis=1), x.mean(axis=0)
    error = (x - row[:, None] - column + x.mean()).ravel()
    mean_square = (error**2).sum() / ((judges - 1) * (documents - 1))
    judge = (documents * row.var(ddof=1) - mean_square) / documents
    document = (judges * column.var(ddof=1) - mean_square) / judges
    found = moments(balanced(table))
    first, second = components(found, np.eye(1))
    assert first.variance == pytest.approx([judge])
    assert second.variance == pytest.approx([document])
    made = spread(found, np.eye(1), np.zeros(1))
    total = judge / judges + document / documents + mean_square / (judges * documents)
    assert made.covariance[0, 0] == pytest.approx(total)
    assert made.first + made.second + made.rest == pytest.approx([total])


def test_components_find_what_the_data_were_made_with():
    random = np.random.default_rng(2)
    table = (
        0.5 * random.normal(size=(60, 1, 8))
        + 0.2 * random.normal(size=(1, 50, 8))
        + random.normal(size=(60, 50, 8))
    )
    first, second = components(moments(balanced(table)), np.eye(8))
    assert np.median(first.variance) == pytest.approx(0.25, rel=0.15)
    assert np.median(second.variance) == pytest.approx(0.04, rel=0.25)
    assert (first.degrees > 59 * 4).all()  # all items inform the pool


def test_a_single_judge_has_no_part_and_documents_do():
    random = np.random.default_rng(3)
    found = moments(balanced(random.normal(size=(1, 12, 3))))
    made = spread(found, np.eye(3), np.full(3, 1e-6))
    assert made.first.tolist() == [0, 0, 0]
    variance = made.second + made.rest
    alone = np.diag(found.cell.product) * 12 / 11
    np.testing.assert_allclose(variance, alone)
    assert made.degrees == pytest.approx(np.full(3, 11))


def test_one_unit_for_each_cell_has_the_degrees_of_the_units():
    cells = balanced(np.random.default_rng(3).normal(size=(6, 1, 3)))
    both = CellInfluence(cells.influence, cells.weight, cells.first, cells.first)
    made = spread(moments(both), np.eye(3), np.zeros(3))
    assert made.degrees == pytest.approx([5, 5, 5])
    np.testing.assert_allclose(np.diag(made.covariance), (cells.influence**2).sum(axis=0) * 6 / 5)


def test_without_any_residual_the_floor_is_left():
    weight = np.full((20, 2), 1 / 20)
    judge, document = np.divmod(np.arange(20), 5)
    silent = CellInfluence(np.zeros((20, 2)), weight, judge, document)
    made = spread(moments(silent), np.eye(2), np.array([0.01, 0.02]))
    np.testing.assert_allclose(made.covariance, np.diag([0.01, 0.02]))


def test_an_item_nobody_saw_spoils_nothing():
    cells = unbalanced(1)
    empty = np.zeros((len(cells.first), 1))
    more = CellInfluence(
        np.hstack([cells.influence, empty]),
        np.hstack([cells.weight, empty]),
        cells.first,
        cells.second,
    )
    working = np.diag([1.0, 1.0, 1.0, 0.0])
    made = spread(moments(more), working, np.array([0, 0, 0, 0.25]))
    alone = spread(moments(cells), np.eye(3), np.zeros(3))
    np.testing.assert_allclose(made.covariance[:3, :3], alone.covariance)
    assert made.covariance[3].tolist() == [0, 0, 0, 0.25]


@pytest.mark.parametrize("seed", range(3))
def test_names_and_sides_change_nothing(seed):
    cells = unbalanced(seed, items=4)
    working = np.eye(4) - 0.25
    made = spread(moments(cells), working, np.full(4, 1e-4))
    random = np.random.default_rng(seed)
    order, rows = random.permutation(4), random.permutation(len(cells.first))
    judge, document = random.permutation(5), random.permutation(4)
    other = CellInfluence(
        cells.influence[rows][:, order],
        cells.weight[rows][:, order],
        document[cells.second[rows]],
        judge[cells.first[rows]],
    )
    again = spread(moments(other), working, np.full(4, 1e-4))
    np.testing.assert_allclose(again.covariance, made.covariance[np.ix_(order, order)])
    np.testing.assert_allclose(again.degrees, made.degrees[order])
    np.testing.assert_allclose(again.first, made.second[order])


def test_an_interval_is_never_empty():
    low, high = wilson(np.array([0.0, 1.0, 0.5]), np.full(3, 4.0), np.full(3, 2.0))
    np.testing.assert_allclose(low, [0, 0.5, 0.5 - np.sqrt(4 * 2) / 8])
    np.testing.assert_allclose(high, [0.5, 1, 0.5 + np.sqrt(4 * 2) / 8])


def test_shares_and_strengths_have_their_own_intervals():
    covariance = 0.01 * np.eye(2)
    many = np.full(2, 1e6)
    scores = np.array([0.98, 0.5])
    share = Uncertainty(scores, scores, covariance, many, many, "share", 0.95)
    strength = Uncertainty(scores, scores, covariance, many, many, "strength", 0.95)
    assert share.interval()[1][0] < 1 < strength.interval()[1][0]
    assert strength.interval()[0] == pytest.approx(scores - 0.196, abs=1e-4)
    np.testing.assert_allclose(share.better() + share.better().T, np.ones((2, 2)))
    np.testing.assert_allclose(
        share.p()[0, 1], 2 * np.minimum(share.better(), share.better().T)[0, 1]
    )


def test_few_replicated_units_are_widened():
    replicates = np.random.default_rng(1).normal(size=(20_000, 2))
    scores = np.zeros(2)
    low, high = of_replicates(scores, replicates, 5, np.zeros(2), 0.95).interval()
    # t with four degrees of freedom is 2.776.
    assert high == pytest.approx(2.776 * np.sqrt(5 / 4), rel=0.03)
    np.testing.assert_allclose(low, -high)
    low, high = of_replicates(scores, replicates * 0, 5, np.full(2, 0.04), 0.95).interval()
    assert high == pytest.approx(2.776 * 0.2, rel=1e-3)
