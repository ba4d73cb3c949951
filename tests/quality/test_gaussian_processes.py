"""Gaussian processes: likelihood and slopes, features selected, translators, what to ask next."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

import adjudge as door
from adjudge.core.errors import BadParameter
from adjudge.quality.learners.gaussian_process import GaussianProcess, _Layout, order_of_variance

pytestmark = pytest.mark.slow


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.parametrize(("labels", "ard"), [(0, False), (0, True), (3, False), (3, True)])
def test_the_likelihood_and_its_slopes(random, labels: int, ard: bool) -> None:
    layout = _Layout(4, labels, ard)
    inputs, gold = random.normal(size=(25, 4)), random.normal(size=25)
    owner = random.integers(0, max(labels, 1), 25)
    size = (4 if ard else 1) + 1 + max(labels, 1) + labels + bool(labels)
    theta = random.normal(0, 0.3, size)

    def loss(values):
        return layout._loss(values, inputs, owner, gold)[0]

    slopes = layout._loss(theta, inputs, owner, gold)[1]
    assert slopes == pytest.approx(approx_fprime(theta, loss, 1e-6), abs=1e-3)
    value = layout.read(theta)
    covariance = value.covariance(inputs, owner, inputs, owner) + np.diag(value.noise_of(owner))
    constant = 25 / 2 * np.log(2 * np.pi)
    density = multivariate_normal(np.zeros(25), covariance).logpdf(gold)
    assert -loss(theta) - constant == pytest.approx(density)


def test_beside_scikit_learn(random) -> None:
    """The same kernel, learned by another program, predicts the same, and is as uncertain."""
    features = random.normal(size=(120, 3))
    features = (features - features.mean(axis=0)) / features.std(axis=0)
    gold = np.sin(features[:, 0]) + 0.3 * features[:, 1] + random.normal(0, 0.2, 120)
    gold -= gold.mean()
    others = random.normal(size=(20, 3))
    ours = GaussianProcess().fit(features, gold)
    kernel = ConstantKernel(0.5) * RBF(2.0) + WhiteKernel(0.5)
    theirs = GaussianProcessRegressor(kernel, random_state=1).fit(features, gold)
    expected, deviation = theirs.predict(others, return_std=True)
    assert ours.predict(others) == pytest.approx(expected, abs=0.01)
    variance = np.diag(ours.covariance(others)) + ours.noise(others)
    assert np.sqrt(variance) == pytest.approx(deviation, abs=0.01)


def test_features_are_selected_by_their_length_scales(random) -> None:
    features = random.normal(size=(200, 8))
    features[:, 5] = 3.0  # never changes
    gold = np.sin(2 * features[:, 2]) + features[:, 6] + random.normal(0, 0.1, 200)
    process = GaussianProcess(ard=True, keep=2).fit(features, gold)
    assert process.kept_.tolist() == [2, 6]
    assert np.flatnonzero(process.relevance_).tolist() == [2, 6]
    wide = GaussianProcess(ard=True).fit(features, gold)
    assert set(np.argsort(-wide.relevance_)[:2].tolist()) == {2, 6}


def test_translators_who_differ(random) -> None:
    """Two of them slow down with length, one does not: a process with parts for each knows."""
    owner = random.integers(0, 3, 240)
    length = random.uniform(-2, 2, 240)
    gold = owner + np.where(owner == 2, -1.0, 1.0) * length + random.normal(0, 0.2, 240)
    numbers = np.column_stack([length, random.normal(size=240)])
    both = np.column_stack([numbers, np.eye(3)[owner]])
    known, asked = np.arange(160), np.arange(160, 240)
    parted = GaussianProcess(labels=3).fit(both[known], gold[known]).predict(both[asked])
    pooled = GaussianProcess().fit(numbers[known], gold[known]).predict(numbers[asked])
    assert np.abs(parted - gold[asked]).mean() < 0.25
    assert np.abs(pooled - gold[asked]).mean() > 0.6


def test_the_order_of_variance_by_conditioning_anew(random) -> None:
    points = random.normal(size=(12, 12))
    covariance, noise = points @ points.T, np.full(12, 0.5)
    rows, deviation = order_of_variance(covariance, noise, 6)
    for turn, row in enumerate(rows):
        asked = rows[:turn]
        inner = covariance[np.ix_(asked, asked)] + 0.5 * np.eye(turn)
        known = covariance[:, asked] @ np.linalg.solve(inner, covariance[asked])
        left = np.diag(covariance - known).copy()
        left[asked] = -np.inf
        assert left.argmax() == row
        assert deviation[turn] ** 2 == pytest.approx(left[row])


@pytest.fixture
def translations(tmp_path: Path) -> str:
    """Sixty short translations and a very long one, each of a document."""
    rows = ["source\ttarget\thter\tdocument"]
    for number in range(60):
        length = 3 + number % 7
        rows.append(f"{'a ' * length}.\t{'b ' * length}.\t{length / 20}\t{number // 4}")
    rows.append(f"{'a ' * 60}.\t{'b ' * 60}.\t0.5\tlast")
    path = tmp_path / "data.tsv"
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def test_what_to_annotate_next(adjudge, translations: str, tmp_path: Path) -> None:
    """The long one first, for the model has seen nothing like it."""
    short = tmp_path / "short.tsv"
    short.write_text("\n".join(Path(translations).read_text().split("\n")[:-2]) + "\n")
    model = str(tmp_path / "model.adjudge")
    trained = door.train_quality(str(short), learner="gaussian-process", feature="counts")
    trained[0].save(model)
    order = door.annotation_order(model, translations, number=5)
    assert order["row"][0] == 61
    assert order["deviation"].is_sorted(descending=True)
    everything = door.annotation_order(model, translations)
    assert sorted(everything["row"].to_list()) == list(range(1, 62))
    written = adjudge("quality", "order", model, translations, "--number", "5").out
    assert written.split("\n")[1].startswith("61\t61\t")
    assert len(written.strip().split("\n")) == 6


def test_only_processes_know_how_uncertain_they_are(translations: str, tmp_path: Path) -> None:
    model = str(tmp_path / "model.adjudge")
    door.train_quality(translations, learner="pls", feature="counts")[0].save(model)
    with pytest.raises(BadParameter, match="pls does not know how uncertain it is"):
        door.annotation_order(model, translations)
    with pytest.raises(BadParameter, match="`number` is 1 or more"):
        door.annotation_order(model, translations, number=0)
