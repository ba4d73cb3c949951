"""Several metrics as one, with equal weights, given ones, and weights learnt from people."""

import csv
import gzip
import json

import numpy as np
import pytest

import adjudge as door
from adjudge.errors import BadParameter, NotEnoughData
from adjudge.metrics.combination import combined, learnt_weights, scaled

REFERENCE = [f"line {i} has word{i} and word{i + 1} in it" for i in range(30)]
GOOD = [line.replace("and", "or") for line in REFERENCE]
BAD = [line.replace("has", "had").replace("in it", "out") for line in REFERENCE]


@pytest.fixture
def texts():
    return door.from_texts({"good": GOOD, "bad": BAD}, [REFERENCE])


def test_scales():
    scores = np.array([[1.0, 10.0, 5.0], [3.0, 30.0, 5.0], [2.0, 10.0, 5.0]])
    assert scaled(scores).tolist() == [[0, 0, 0], [1, 1, 0], [0.5, 0, 0]]
    z = scaled(scores, "z")
    assert z.mean(axis=0) == pytest.approx([0, 0, 0])
    assert z.std(axis=0) == pytest.approx([1, 1, 0])


def test_the_better_system_is_first(texts):
    result = texts.combined(["bleu", "ter"], replicates=50)
    assert result.systems == ("good", "bad")
    assert "All metrics weigh the same." in result.notes
    turned = texts.combined(["bleu", "ter"], weights=[-1, -1], replicates=50)
    assert turned.systems == ("bad", "good")


def test_weights_are_learnt_from_what_people_prefer(texts, tmp_path):
    path = tmp_path / "scores.csv"
    door.from_scores(
        ["good", "bad"] * 20,
        [n for i in range(1, 21) for n in (i, i)],
        [90, 40] * 20,
        judge="ann",
        pair="en-de",
    ).write(str(tmp_path / "scores.jsonl"))
    path = str(tmp_path / "scores.jsonl")
    result = texts.combined(["bleu", "ter"], human=path, replicates=50)
    assert result.systems == ("good", "bad")
    assert result.notes[0].startswith("Weights learnt from 20 pairs: bleu ")
    with pytest.raises(BadParameter, match="not both"):
        texts.combined("bleu", human=path, weights=[1])
    other = door.from_texts({"x": GOOD, "y": BAD}, [REFERENCE])
    with pytest.raises(NotEnoughData, match="people preferred no output of these systems"):
        other.combined(["bleu", "ter"], human=path)


def test_weights_that_do_not_fit(texts):
    for weights, said in (([1.0], "1 numbers for 2 metrics"), ([0.0, 0.0], "all 0")):
        with pytest.raises(BadParameter, match=said):
            texts.combined(["bleu", "ter"], weights=weights)
    with pytest.raises(BadParameter, match="`scaling`"):
        texts.combined(["bleu", "ter"], scaling="log")


def test_the_command(adjudge, tmp_path):
    for name, lines in (("ref", REFERENCE), ("good", GOOD), ("bad", BAD)):
        (tmp_path / name).write_text("\n".join(lines))
    files = ["--reference", "ref", "--system", "bad=bad", "--system", "good=good"]
    rows = json.loads(adjudge("metrics", *files, "--combine", "-f", "json", folder=tmp_path).out)
    assert [row["system"] for row in rows] == ["good", "bad"]
    assert rows[0]["metric"] == "combined(of=bleu+chrf+ter,scaling=minmax)"
    again = adjudge(
        "again", rows[0]["signature"], "ref", "bad", "good", "-f", "json", folder=tmp_path
    )
    assert json.loads(again.out) == rows


def test_learnt_weights_beat_every_single_metric(gold):
    path = gold.folder / "blend/wmt1516-da-toen.scores.tsv.gz"
    if not path.exists():
        pytest.skip("no blend/ among the real data")
    with gzip.open(path, "rt") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    names = [name for name in rows[0] if name not in ("seg", "human_DA")]
    lower = {"WER", "cTER"}
    scores = np.array([[(-1) ** (n in lower) * float(row[n]) for n in names] for row in rows])
    human = np.array([float(row["human_DA"]) for row in rows])
    features, half = scaled(scores, "z"), len(rows) // 2
    first, second = np.random.default_rng(1).integers(0, half, (2, 20_000))
    right = human[first] > human[second]
    better, worse = np.where(right, first, second), np.where(right, second, first)
    weights = learnt_weights(features[better], features[worse])
    r = [np.corrcoef(column, human[half:])[0, 1] for column in features[half:].T]
    learnt, uniform = (
        np.corrcoef(combined(features, w)[half:], human[half:])[0, 1] for w in (weights, None)
    )
    assert learnt == pytest.approx(0.572, abs=0.01)
    assert max(r) == pytest.approx(0.539, abs=0.001)
    assert uniform == pytest.approx(0.530, abs=0.001)
