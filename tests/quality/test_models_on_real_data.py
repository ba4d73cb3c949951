"""What fast models reach on real test sets; the slow ones are `benchmarks/quality.py`."""

from pathlib import Path

import numpy as np
import pytest

import adjudge
from adjudge.quality.features.inputs import prepare
from adjudge.quality.models.numbers import train_number_model
from adjudge.quality.reading import read_quality
from adjudge.quality.tasks.scoring import scoring_task

pytestmark = pytest.mark.slow


def measures(data: Path, predictions: Path, **asked: str) -> dict[str, float]:
    """What `quality evaluate` says of one submission, by the name of the measure."""
    tables = adjudge.evaluate_quality(
        str(data), str(predictions), unit="none", oracles=False, **asked
    )
    return {name: value for table in tables for name, value in table.row(0).items()}


def test_hter_of_wmt12_from_given_features(unpacked, tmp_path: Path) -> None:
    """The baseline of WMT13 §6.4, SVR on 17 features: at least what was published for it."""
    data = unpacked("quality/wmt12-qe/wmt12-qe.tar.xz")
    model, said = tmp_path / "model.adjudge", tmp_path / "said.tsv"
    adjudge.train_quality(
        str(data / "train"), predict="hter", feature="given", learner="svr"
    )[0].save(str(model))  # fmt: skip
    predicted = adjudge.predict_quality(str(model), str(data / "test"))
    predicted.write_csv(said, separator="\t")
    reached = measures(data / "test", said, predict="hter")
    assert reached["mae"] <= 14.0
    assert reached["rmse"] <= 18.0
    assert reached["delta_avg"] >= 8.5
    assert reached["spearman"] >= 0.44
    # Intervals hold less often in another year than among translations like those of training.
    gold = read_quality([str(data / "test")]).table["hter"].to_numpy()
    low, high = predicted["low"].to_numpy(), predicted["high"].to_numpy()
    assert 0.83 <= ((low <= gold) & (gold <= high)).mean() <= 0.93


@pytest.mark.parametrize("quantity", ["effort", "hter"])
def test_intervals_hold_on_held_out_translations(unpacked, quantity: str) -> None:
    """Ten times a tenth of WMT12's training translations: 90 %, give or take three errors."""
    data = unpacked("quality/wmt12-qe/wmt12-qe.tar.xz")
    task = scoring_task(read_quality([str(data / "train")]).table, quantity)
    fold = np.random.default_rng(1).permutation(len(task)) % 10
    inside: list[bool] = []
    for each in range(10):
        others, asked = task.take(np.flatnonzero(fold != each)), np.flatnonzero(fold == each)
        model = train_number_model(others, prepare(others.table), "pls", ("given",))
        said = model.predict(prepare(task.table[asked]))
        inside += list((said.low <= task.gold[asked]) & (task.gold[asked] <= said.high))
    assert np.mean(inside) == pytest.approx(0.9, abs=3 * np.sqrt(0.09 / len(inside)))


def test_candidates_of_wmt08_without_resources(shared_data, tmp_path: Path) -> None:
    """Agreement between candidates and counts alone: better than the seven simple features."""
    folder = shared_data / "quality/rankings-de-en"
    if not folder.is_dir():
        pytest.skip("no rankings of WMT08 and WMT10")
    model, said = tmp_path / "model.adjudge", tmp_path / "said.tsv"
    trained = adjudge.train_quality(
        str(folder / "wmt10-train.jsonl.gz"), feature=["agreement", "counts"]
    )
    assert trained.card.translations == 4_330 - 174  # without the references
    trained[0].save(str(model))
    test = folder / "wmt08.jsonl.gz"
    adjudge.predict_quality(str(model), str(test)).write_csv(said, separator="\t")
    assert measures(test, said)["tau_penalised"] > 0.17
