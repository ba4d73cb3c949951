"""Models of quality: trained, saved, read again, asked; intervals that hold."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from polars.testing import assert_frame_equal

import adjudge
from adjudge.core.errors import BadParameter, InputError
from adjudge.quality.learners.cross_validation import _weights
from adjudge.quality.models.numbers import conformal_reach
from adjudge.quality.reading import read_quality

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def translations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Translations whose HTER depends on their length, with noise; a second half to try."""
    folder = tmp_path_factory.mktemp("translations")
    random = np.random.default_rng(1)
    files = {}
    for part in ("train", "test"):
        rows = ["source\ttarget\thter\tdocument"]
        for number in range(300):
            length = int(random.integers(1, 25))
            hter = np.clip(length / 30 + random.normal(0, 0.08), 0, 1)
            text = f"{'word ' * length}.\t{'Wort ' * length}."
            rows.append(f"{text}\t{hter:.4f}\t{part}{number // 10}")
        path = folder / f"{part}.tsv"
        path.write_text("\n".join(rows) + "\n")
        files[part] = str(path)
    return files


@pytest.mark.parametrize("learner", ["svr", "elastic-net", "pls"])
def test_intervals_hold_for_other_documents(translations, tmp_path: Path, learner: str) -> None:
    model = str(tmp_path / "model.adjudge")
    trained = adjudge.train_quality(translations["train"], learner=learner, feature="counts")
    trained[0].save(model)
    predicted = adjudge.predict_quality(model, translations["test"])
    gold = np.loadtxt(translations["test"], delimiter="\t", skiprows=1, usecols=2)
    score, low, high = (predicted[name].to_numpy() for name in ("score", "low", "high"))
    assert np.abs(score - gold).mean() < 0.08
    held = ((low <= gold) & (gold <= high)).mean()
    assert 0.84 <= held <= 0.96  # 90 %, and three standard errors of 300
    assert trained.card.measured["spearman"] > 0.85


def test_the_reach_of_intervals_by_hand() -> None:
    assert conformal_reach(np.arange(1.0, 20.0)) == 18  # the 18th of 19: ⌈0.9 · 20⌉
    assert conformal_reach(np.array([3.0, 1.0])) == 3  # too few: the largest


def test_what_the_members_of_a_mean_count() -> None:
    """The one that is right counts all; one that is wrong the other way round counts nothing."""
    random = np.random.default_rng(3)
    gold = random.normal(size=200)
    noise = random.normal(size=(200, 2))
    assert _weights(np.column_stack([gold, noise[:, 0], -gold]), gold) == pytest.approx(
        [1, 0, 0], abs=1e-6
    )
    # Two that err alike and independently count alike: the mean errs less than either.
    weights = _weights(gold[:, None] + noise, gold)
    assert sum(weights) == pytest.approx(1)
    assert weights == pytest.approx([0.5, 0.5], abs=0.1)


def test_the_same_seed_the_same_model(translations, tmp_path: Path) -> None:
    """Twice the same by cross-validation, and the same again from the file."""
    made = [adjudge.train_quality(translations["train"], feature="counts") for _ in range(2)]
    assert made[0].model.learner == "ensemble"
    assert sum(made[0].model.chosen.values()) == pytest.approx(1, abs=0.03)
    first, second = (each.card.measured for each in made)
    assert first == second
    model = str(tmp_path / "model.adjudge")
    made[0][0].save(model)
    expected = made[1][0].predict(read_quality([translations["test"]]))
    assert_frame_equal(adjudge.predict_quality(model, translations["test"]), expected)


@pytest.mark.parametrize("learner", ["boosting", "gaussian-process-ard"])
def test_learners_are_kept_in_files(translations, tmp_path: Path, learner: str) -> None:
    model = str(tmp_path / "model.adjudge")
    few = tmp_path / "few.tsv"
    few.write_text("\n".join(Path(translations["train"]).read_text().split("\n")[:101]) + "\n")
    trained = adjudge.train_quality(str(few), learner=learner, feature="counts")[0]
    trained.save(model)
    expected = trained.predict(read_quality([translations["test"]]))
    assert_frame_equal(adjudge.predict_quality(model, translations["test"]), expected)


def test_foreign_files_other_versions_and_no_models_are_refused(
    translations, tmp_path: Path
) -> None:
    model = tmp_path / "model.adjudge"
    adjudge.train_quality(translations["train"], learner="pls", feature="counts")[0].save(
        str(model)
    )
    parts = {}
    with zipfile.ZipFile(model) as file:
        parts = {name: file.read(name) for name in file.namelist()}

    def changed(**replaced: bytes) -> str:
        path = tmp_path / "changed.adjudge"
        with zipfile.ZipFile(path, "w") as file:
            for name, content in (parts | replaced).items():
                file.writestr(name, content)
        return str(path)

    described = json.loads(parts["model.json"]) | {"format": 0}
    old = changed(**{"model.json": json.dumps(described).encode()})
    with pytest.raises(InputError, match="train it again"):
        adjudge.predict_quality(old, translations["test"])

    foreign = changed(**{"estimator.skops": b"{}"})
    with pytest.raises(InputError, match="is not a model"):
        adjudge.predict_quality(foreign, translations["test"])
    with pytest.raises(InputError, match="is not a model"):
        adjudge.predict_quality(translations["train"], translations["test"])


def test_unknown_translators_are_refused(tmp_path: Path) -> None:
    rows = ["source\ttarget\tseconds\ttranslator"]
    for number in range(60):
        seconds = 5 + 3 * (number % 20) * (1 + number % 2)
        length = "a " * (number % 20 + 1)
        rows.append(f"{length}.\t{length}.\t{seconds}\t{'ann' if number % 2 else 'bob'}")
    (tmp_path / "train.tsv").write_text("\n".join(rows) + "\n")
    rows[1] = "a .\ta .\t3\teve"
    (tmp_path / "test.tsv").write_text("\n".join(rows) + "\n")
    model = str(tmp_path / "model.adjudge")
    trained = adjudge.train_quality(
        str(tmp_path / "train.tsv"), learner="gaussian-process-translators"
    )
    assert trained.task == "time"
    assert trained.model.estimator.labels == 2
    trained[0].save(model)
    with pytest.raises(BadParameter, match="row 1: the model knows no translator 'eve'"):
        adjudge.predict_quality(model, str(tmp_path / "test.tsv"))
