"""The mixed model against a dense oracle, and on data whose truth is known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from adjudge.stats import mixed_model
from adjudge.stats.mixed_model import ScoreCells, fit_mixed_model

Floats = NDArray[np.float64]
VARIANCES = np.array([50.0, 9.0, 20.0, 16.0, 80.0])


def unbalanced(seed: int = 0, items: int = 4, judges: int = 5, texts: int = 12) -> ScoreCells:
    """Every text and item by one or two judges, with one to five scores."""
    random = np.random.default_rng(seed)
    rows = {
        (random.integers(judges), text, item)
        for text in range(texts)
        for item in range(items)
        for _ in range(random.integers(1, 3))
    }
    judge, text, item = np.array(sorted(rows)).T
    number = random.integers(1, 6, len(judge)).astype(float)
    own, preference, difficulty, suits, rest = (
        random.normal(0, np.sqrt(variance), (judges, texts, items)) for variance in VARIANCES
    )
    mean = (
        own[judge, 0, 0]
        + preference[judge, 0, item]
        + difficulty[0, text, 0]
        + suits[0, text, item]
        + rest[judge, text, item] / np.sqrt(number)
        + 3.0 * item
    )
    return ScoreCells(mean, number, item, items, judge, text)


def indicators(cells: ScoreCells) -> list[Floats]:
    """Z of every component; of the rest, 1/√n on the diagonal."""
    keys = []
    for unit in (cells.judge, cells.text):
        if unit is not None:
            keys += [unit, unit * cells.items + cells.item]
    codes = [np.unique(key, return_inverse=True)[1] for key in keys]
    return [*(np.eye(code.max() + 1)[code] for code in codes), np.diag(cells.number**-0.5)]


def oracle(cells: ScoreCells, variances: Floats) -> tuple[float, Floats, Floats, Floats]:
    """−2 log restricted likelihood, β̂, its covariance and the inverse average information."""
    changes = [z @ z.T for z in indicators(cells)]
    v = sum(variance * change for variance, change in zip(variances, changes, strict=True))
    x, y, inverse = np.eye(cells.items)[cells.item], cells.mean, np.linalg.inv(v)
    covariance = np.linalg.inv(x.T @ inverse @ x)
    p = inverse - inverse @ x @ covariance @ x.T @ inverse
    likelihood = np.linalg.slogdet(v)[1] - np.linalg.slogdet(covariance)[1] + y @ p @ y
    information = [[y @ p @ a @ p @ b @ p @ y / 2 for a in changes] for b in changes]
    estimate = covariance @ x.T @ inverse @ y
    return likelihood, estimate, covariance, np.linalg.inv(np.array(information))


def without(cells: ScoreCells, unit: str) -> ScoreCells:
    return ScoreCells(
        cells.mean,
        cells.number,
        cells.item,
        cells.items,
        None if unit == "judge" else cells.judge,
        None if unit == "text" else cells.text,
    )


@pytest.mark.parametrize(("left_out", "kept"), [("", slice(0, 5)), ("judge", slice(2, 5))])
def test_equations_are_those_of_dense_matrices(left_out: str, kept: slice) -> None:
    cells, variances = without(unbalanced(), left_out), VARIANCES[kept]
    equations = mixed_model._Equations(mixed_model._Design(cells), variances)
    likelihood, gradient = equations.minus_twice_likelihood()
    expected, estimate, covariance, uncertain = oracle(cells, variances)
    assert likelihood == pytest.approx(expected)
    steps = 1e-4 * np.eye(len(variances))
    numerical = [
        (oracle(cells, variances + step)[0] - oracle(cells, variances - step)[0]) / 2e-4
        for step in steps
    ]
    np.testing.assert_allclose(gradient, numerical, rtol=1e-5)
    np.testing.assert_allclose(equations.estimate, estimate)
    parts = equations.by_component()
    found = sum(variance * part for variance, part in zip(variances, parts, strict=True))
    np.testing.assert_allclose(found, covariance)
    np.testing.assert_allclose(equations.variance_of_variances(), uncertain)


def test_conjugate_gradients_solve_the_same_equations() -> None:
    design = mixed_model._Design(unbalanced())
    exact, iterated = (
        mixed_model._Equations(design, VARIANCES, dense=dense) for dense in (True, False)
    )
    np.testing.assert_allclose(iterated.estimate, exact.estimate, rtol=1e-6)
    np.testing.assert_allclose(sum(iterated.by_component()), sum(exact.by_component()), rtol=1e-6)


def test_variances_of_some_judges_stand_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = unbalanced(items=6, judges=40, texts=300)
    whole = fit_mixed_model(cells)
    monkeypatch.setattr(mixed_model, "MOST_PREFERENCES", 150)
    some = fit_mixed_model(cells)
    np.testing.assert_allclose(some.estimate, whole.estimate, atol=0.5)
    ratio = np.diag(some.covariance) / np.diag(whole.covariance)
    assert ((ratio > 0.5) & (ratio < 2)).all()
    assert (some.degrees < whole.degrees).all()


def test_a_balanced_design_has_the_degrees_of_an_analysis_of_variance() -> None:
    """Every judge scores all items on texts of their own: (judges − 1)(items − 1)."""
    random = np.random.default_rng(2)
    judges, items, texts = 6, 4, 60
    text, item = np.divmod(np.arange(texts * items), items)
    judge = text % judges
    y = (
        random.normal(0, 6, judges)[judge]
        + random.normal(0, 9, (judges, items))[judge, item]
        + random.normal(0, 3, len(text))
    )
    cells = ScoreCells(y, np.ones(len(y)), item, items, judge, text)
    fit = fit_mixed_model(cells)
    by_judge = y.reshape(texts // judges, judges, items).mean(axis=0)
    centred = by_judge - by_judge.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    degrees = (judges - 1) * (items - 1)
    variance = fit.covariance[0, 0] + fit.covariance[1, 1] - 2 * fit.covariance[0, 1]
    assert variance == pytest.approx(2 * (centred**2).sum() / degrees / judges, rel=1e-3)
    assert fit.degrees[0, 1] == pytest.approx(degrees, rel=1e-2)
    np.testing.assert_allclose(fit.estimate, by_judge.mean(axis=0), rtol=1e-6)


def test_severity_and_difficulty_are_removed() -> None:
    """Shifting a judge or a text that met all items moves every score alike."""
    random = np.random.default_rng(4)
    text, item = np.divmod(np.arange(30 * 3), 3)
    judge = text % 3
    y = random.normal(60, 5, len(text))
    fit, shifted = (
        fit_mixed_model(ScoreCells(values, np.ones(len(y)), item, 3, judge, text))
        for values in (y, y + 20 * (judge == 1) + 9 * (text == 4))
    )
    np.testing.assert_allclose(np.diff(fit.estimate), np.diff(shifted.estimate), atol=1e-6)


def test_equal_scores_have_the_least_variance_and_not_none() -> None:
    item = np.arange(40) % 2
    cells = ScoreCells(
        np.full(40, 7.0), np.ones(40), item, 2, np.arange(40) % 5, np.arange(40) // 2
    )
    fit = fit_mixed_model(cells, least=1 / 12)
    np.testing.assert_allclose(fit.estimate, 7)
    assert (np.diag(fit.covariance) >= 1 / 12 / 20 - 1e-12).all()
