"""Several metrics as one, with equal weights, given ones, and weights learnt from people."""

import csv
import gzip
import json

import numpy as np
import pytest

import adjudge as door
from adjudge.core.errors import BadParameter, NotEnoughData
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
    chosen = [*files, "-m", "bleu", "-m", "ter", "-f", "json"]
    turned = adjudge(
        "metrics", *chosen, "--combine", "--weight", "-1", "--weight", "-2", folder=tmp_path
    )
    assert [row["system"] for row in json.loads(turned.out)] == ["bad", "good"]
    for wrong in (["--weight", "1"], ["--combine", "--weight", "1"]):
        refused = adjudge("metrics", *chosen, *wrong, folder=tmp_path)
        assert (refused.code, "weight" in refused.err) == (2, True)
    rows = json.loads(adjudge("metrics", *files, "--combine", "-f", "json", folder=tmp_path).out)
    assert [row["system"] for row in rows] == ["good", "bad"]
    assert rows[0]["metric"] == "combined(of=bleu+chrf+ter,scaling=minmax)"
    again = adjudge(
        "again", rows[0]["signature"], "ref", "bad", "good", "-f", "json", folder=tmp_path
    )
    assert json.loads(again.out) == rows


BLEND = "wmt1516-da-toen"  # segments of WMT15 and WMT16 with direct assessments


@pytest.fixture(scope="module")
def blend(gold):
    """Scores of 15 metrics as they were taken, and of people."""
    with gzip.open(gold.folder / f"blend/{BLEND}.scores.tsv.gz", "rt") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def _on_the_other_half(scores, human, scaling):
    """r of the best metric, of equal weights and of weights learnt on the first half."""
    features, half = scaled(scores, scaling), len(human) // 2
    first, second = np.random.default_rng(1).integers(0, half, (2, 20_000))
    right = human[first] > human[second]
    better, worse = np.where(right, first, second), np.where(right, second, first)
    weights = learnt_weights(features[better], features[worse])
    columns = [*features.T, combined(features), combined(features, weights)]
    *single, uniform, learnt = (np.corrcoef(c[half:], human[half:])[0, 1] for c in columns)
    return max(single), uniform, learnt


def test_learnt_weights_beat_every_single_metric(blend):
    names = [name for name in blend if name not in ("seg", "human_DA")]
    lower = {"WER", "cTER"}
    scores = np.stack([(-1) ** (name in lower) * blend[name] for name in names], axis=1)
    best, uniform, learnt = _on_the_other_half(scores, blend["human_DA"], "z")
    assert learnt == pytest.approx(0.572, abs=0.01)
    assert best == pytest.approx(0.539, abs=0.001)
    assert uniform == pytest.approx(0.530, abs=0.001)


def test_our_own_metrics_combined_on_the_same_segments(gold, blend):
    texts = door.from_texts(
        {"all": gold.texts(f"metrics-gold/blend/{BLEND}.hyp.txt.gz")},
        [gold.texts(f"metrics-gold/blend/{BLEND}.ref.txt.gz")],
    )
    beer = f"beer(model={gold.folder}/beer-params/beer-2.0-default-model.tsv)"
    errors = ("ter", "wer", "per", "cder")
    names = ("bleu", "nist", "chrf", *errors, "gtm", "gtm(exponent=2)", "bleu-nrc", beer)
    scores = {}
    for name in names:
        measured = texts.segment_scores(name)[0].measured
        scores[name] = measured.sign * measured.segment_scores()[:, 0]
    assert scores["nist"] == pytest.approx(blend["NIST"], abs=1e-8)
    assert scores[beer] == pytest.approx(blend["BEER"], abs=1e-10)
    every = np.stack([scores[name] for name in names], axis=1)
    best, uniform, learnt = _on_the_other_half(every, blend["human_DA"], "minmax")
    assert (best, uniform) == pytest.approx((0.504, 0.507), abs=0.001)
    assert learnt == pytest.approx(0.542, abs=0.01)
