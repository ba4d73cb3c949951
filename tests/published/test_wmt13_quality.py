"""WMT13 §6: measures of quality estimation on data with known figures."""

import csv
import tarfile

import numpy as np
import pytest

import adjudge as door
from adjudge.quality.measures.pairs import penalised_from_ignored

# The rows whose two τ do not fit each other, and what the other one implies.
SLIPS = {
    ("de-en", "Oracle METEOR-ex (margin 0.00)"): "0.18",
    ("en-es", "Oracle METEOR-ex (margin 0.00)"): "0.23",
    ("en-es", "Baseline Random-ranks-with-ties"): "-0.18",
}


def test_the_two_taus_of_tables_14_to_17(shared_data):
    """In 29 of 32 rows the two τ are bound together; three rows are slips."""
    path = shared_data / "quality/wmt13-published/task1.2.tsv"
    if not path.exists():
        pytest.skip("no published figures of Task 1.2")
    fitting = 0
    with path.open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            implied = penalised_from_ignored(
                float(row["tau_ties_ignored"]), int(row["non_ties"]), int(row["decisions"])
            )
            printed = float(row["tau_ties_penalised"])
            slip = SLIPS.get((row["pair"], row["system"]))
            if slip is None:
                fitting += 1
                assert printed == pytest.approx(implied, abs=0.01), row
            else:
                assert abs(printed - implied) > 0.03
                assert f"{implied:.2f}" == slip
    assert fitting == 29


def test_measures_of_wmt12(shared_data, tmp_path):
    """Predictions of effort: the figures that come with them, and the oracle's DeltaAvg."""
    archive = shared_data / "quality/wmt12-qe/wmt12-qe.tar.xz"
    predictions = shared_data / "quality/wmt12-qe/example-predictions.txt"
    if not archive.exists() or not predictions.exists():
        pytest.skip("no data of WMT12's quality estimation")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    ranking, scoring = door.evaluate_quality(
        str(tmp_path / "test"), str(predictions), predict="effort", replicates=500
    )
    assert np.round(ranking.values[0], 4).tolist() == [0.5602, 0.5748]
    assert np.round(scoring.values[0], 4).tolist() == [0.6750, 0.8109, 0.5673]
    assert ranking.names[1] == "Oracle effort"
    assert np.round(ranking.values[1], 4).tolist() == [0.9533, 1.0]
    assert (ranking.low[:, 0] < ranking.values[:, 0]).all()
    assert (ranking.high[:, 0] > ranking.values[:, 0]).all()


def test_words_of_wmt17_when_all_are_kept(shared_data, tmp_path):
    """What the label of most words reaches: the figures that come with the data."""
    archive = shared_data / "quality/wmt17-qe-en-de/wmt17-qe-en-de.tar.xz"
    if not archive.exists():
        pytest.skip("no data of WMT17's quality estimation")
    with tarfile.open(archive) as packed:
        members = [each for each in packed if each.name.startswith("test/")]
        packed.extractall(tmp_path, members, filter="data")
    tags = (tmp_path / "test/tags").read_text(encoding="utf-8")
    (tmp_path / "all.txt").write_text(tags.replace("BAD", "OK"))
    (tmp_path / "keep.txt").write_text(tags.replace("BAD", "K").replace("OK", "K"))
    (binary,) = door.evaluate_quality(
        str(tmp_path / "test"), str(tmp_path / "all.txt"), unit="none"
    )
    rows = {row["submission"]: row for row in binary.to_frame().to_dicts()}
    for row in (rows["all"], rows["Baseline (one class)"]):
        figures = [row[key] for key in ("accuracy", "f1_ok", "f1_bad", "macro_f1")]
        assert np.round(figures, 3).tolist() == [0.803, 0.891, 0, 0.445]
    (edits,) = door.evaluate_quality(
        str(tmp_path / "test"), str(tmp_path / "keep.txt"), labels="edits", unit="none"
    )
    assert edits.to_frame()["macro_f1"].round(3).to_list() == [0.297, 0.297]
