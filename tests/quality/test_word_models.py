"""Models of words: the chain by brute force, calibrated chances, from training to tags."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import check_grad

import adjudge as door
from adjudge.core.errors import BadParameter
from adjudge.quality.learners.conditional_random_field import (
    ConditionalRandomField,
    _Chain,
    marginals,
)
from adjudge.quality.learners.cross_validation import Words
from adjudge.quality.learners.learner import TAGGERS
from adjudge.quality.measures.calibration import (
    brier,
    calibration_error,
    in_bins,
    reliability,
)
from adjudge.quality.models.calibration import calibration_of
from adjudge.quality.reading import read_quality
from adjudge.quality.tasks.words import word_task

pytestmark = pytest.mark.slow


def by_every_labelling(scores, transitions, start):
    """The slow way: the weight of every labelling of every sentence, one after the other."""
    words, labels = scores.shape
    chance, expected = np.zeros((words, labels)), np.zeros((labels, labels))
    log_z = 0.0
    for first, end in itertools.pairwise(start):
        if first == end:
            continue
        weights = {}
        for labelling in itertools.product(range(labels), repeat=end - first):
            total = sum(scores[first + place, label] for place, label in enumerate(labelling))
            total += sum(transitions[pair] for pair in itertools.pairwise(labelling))
            weights[labelling] = np.exp(total)
        z = sum(weights.values())
        log_z += np.log(z)
        for labelling, weight in weights.items():
            for place, label in enumerate(labelling):
                chance[first + place, label] += weight / z
            for pair in itertools.pairwise(labelling):
                expected[pair] += weight / z
    return log_z, chance, expected


@settings(max_examples=30)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=4), st.integers(1, 3), st.integers(0, 99))
def test_the_chain_is_every_labelling_summed(lengths, labels, seed):
    random = np.random.default_rng(seed)
    start = np.append(0, np.cumsum(lengths))
    scores = random.normal(0, 3, (start[-1], labels))
    transitions = random.normal(0, 3, (labels, labels))
    for ours, slow in zip(
        marginals(scores, transitions, start),
        by_every_labelling(scores, transitions, start),
        strict=True,
    ):
        np.testing.assert_allclose(ours, slow, rtol=1e-9, atol=1e-12)


def test_large_scores_do_not_overflow():
    scores = np.array([[900.0, -900.0], [-900.0, 900.0]] * 50)
    log_z, chance, _ = marginals(scores, np.zeros((2, 2)), np.array([0, 100]))
    assert log_z == pytest.approx(90_000)
    assert chance[:2].tolist() == [[1, 0], [0, 1]]


def test_the_gradient_of_the_loss():
    random = np.random.default_rng(3)
    features = sparse.csr_array(random.normal(size=(12, 4)))
    label, start = random.integers(0, 3, 12), np.array([0, 5, 5, 6, 12])
    chain = _Chain(features, label, start, 3, 0.7)
    point = random.normal(size=chain.size)
    assert check_grad(lambda x: chain.loss(x)[0], lambda x: chain.loss(x)[1], point) < 1e-4
    pairs = {(a, b): 0 for a in range(3) for b in range(3)}
    for first, end in itertools.pairwise(start):
        for pair in itertools.pairwise(label[first:end].tolist()):
            pairs[pair] += 1
    assert chain.pairs.ravel().tolist() == list(pairs.values())


def test_it_learns_what_stands_beside():
    """Labels come in runs, and single words say little: the chain knows more than they do."""
    random = np.random.default_rng(5)
    label = (np.cumsum(random.random(4000) < 0.1) % 2).astype(np.int64)
    features = sparse.csr_array((label + random.normal(0, 1, 4000))[:, None])
    start = np.arange(0, 4001, 20)
    model = ConditionalRandomField().fit(features[:2000], label[:2000], start[:101])
    right = model.predict(features[2000:], start[:101]) == label[2000:]
    alone = (features[2000:].toarray()[:, 0] > 0.5) == label[2000:]
    assert right.mean() > alone.mean() + 0.1
    assert model.transitions_[0, 0] > model.transitions_[0, 1]
    model.transitions_ = model.transitions_[:1]  # as a file may hold that somebody changed
    with pytest.raises(BadParameter, match="do not fit together"):
        model.predict(features, start)


def test_words_of_some_sentences():
    words = Words(sparse.csr_array(np.arange(6.0)[:, None]), np.array([0, 2, 2, 3, 6]))
    part = words.take(np.array([3, 1, 0]))
    assert part.matrix.toarray().ravel().tolist() == [3, 4, 5, 0, 1]
    assert part.start.tolist() == [0, 3, 3, 5]


def test_calibration_by_hand():
    chance = np.array([0.05, 0.05, 0.95, 0.95, 1.0])
    happened = np.array([False, False, True, False, True])
    cells = in_bins(chance, happened).sum(axis=0)
    assert brier(cells) == pytest.approx((2 * 0.05**2 + 0.05**2 + 0.95**2) / 5)
    assert calibration_error(cells) == pytest.approx((0.1 + (2.9 - 2)) / 5)
    number, mean, share = reliability(cells)[9]
    assert (number, mean, share) == (3, pytest.approx(2.9 / 3), pytest.approx(2 / 3))
    assert np.isnan(reliability(cells)[5, 1])


@pytest.mark.parametrize("classes", [2, 3])
def test_chances_that_say_too_much_are_corrected(classes):
    random = np.random.default_rng(7)
    true = random.dirichlet(np.ones(classes), 40_000)
    gold = (true.cumsum(axis=1) < random.random((40_000, 1))).sum(axis=1).astype(np.int8)
    said = true**3 / (true**3).sum(axis=1, keepdims=True)
    half = slice(None, 20_000), slice(20_000, None)
    corrected = calibration_of(said[half[0]], gold[half[0]])(said[half[1]])
    np.testing.assert_allclose(corrected.sum(axis=1), 1)
    assert np.abs(corrected - true[half[1]]).mean() < 0.01
    before, after = (
        float(calibration_error(in_bins(1 - each[:, 0], gold[half[1]] != 0).sum(axis=0)))
        for each in (said[half[1]], corrected)
    )
    assert after < 0.015 < 0.08 < before


def test_a_class_that_no_word_has():
    chance = np.tile([0.7, 0.3, 0.0], (100, 1))
    gold = np.array([0] * 60 + [1] * 40, np.int8)
    np.testing.assert_allclose(calibration_of(chance, gold)(chance)[0], [0.6, 0.4, 0], atol=1e-3)
    only = calibration_of(chance, np.zeros(100, np.int8))(chance)[0]
    np.testing.assert_allclose(only, [1, 0, 0], atol=1e-5)


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Words that are mostly BAD where they are new to the vocabulary; a second half to try."""
    folder = tmp_path_factory.mktemp("tagged")
    random = np.random.default_rng(1)
    files = {}
    for part in ("train", "test"):
        rows = ["source\ttarget\ttags\tdocument"]
        for number in range(200):
            codes = random.integers(0, 30, random.integers(1, 12))
            bad = random.random(len(codes)) < np.where(codes < 6, 0.8, 0.1)
            text = " ".join(f"w{code}" for code in codes)
            tags = " ".join(np.where(bad, "BAD", "OK"))
            rows.append(f"{text}\t{text}\t{tags}\t{part}{number // 10}")
        path = folder / f"{part}.tsv"
        path.write_text("\n".join(rows) + "\n")
        files[part] = str(path)
    return files


@pytest.mark.parametrize("learner", sorted(TAGGERS))
def test_from_training_to_tags(tagged, tmp_path: Path, learner: str) -> None:
    model = str(tmp_path / "model.adjudge")
    trained = door.train_quality(tagged["train"], task="words", learner=learner)
    trained[0].save(model)
    predicted = door.predict_quality(model, tagged["test"])
    tags, chances = predicted["tags"].to_list(), predicted["chances"].to_list()
    assert list(map(len, tags)) == list(map(len, chances))
    (tmp_path / "ours.tags").write_text("".join(f"{' '.join(line)}\n" for line in tags))
    result = door.evaluate_quality(tagged["test"], str(tmp_path / "ours.tags"), task="words")
    macro = result[0].to_frame().filter(submission="ours")["macro_f1"][0]
    assert macro > 0.8
    measured = trained.card.measured
    assert measured["macro_f1"] == pytest.approx(macro, abs=0.08)
    assert measured["calibration_error"] < 0.08  # of 1,100 words, so by chance too
    gold = [line.split("\t")[2].split() for line in Path(tagged["test"]).read_text().splitlines()]
    bad = np.array(list(itertools.chain.from_iterable(gold[1:]))) == "BAD"
    cells = in_bins(np.array(list(itertools.chain.from_iterable(chances))), bad).sum(axis=0)
    assert calibration_error(cells) < 0.08


def test_the_same_on_any_number_of_workers(tagged) -> None:
    made = [
        door.train_quality(tagged["train"], task="words", learner="crf", workers=workers)
        for workers in (1, 2)
    ]
    assert made[0].card.measured == made[1].card.measured


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["a b\tx y\tOK", "c\tz\tBAD"], "line 2: has 1 tags for the 2 tokens"),
        (["a b\tx y\tOK WRONG", "c\tz\tBAD"], "train.tsv: line 2: 'WRONG' is no label of a word"),
        (["a b\tx y\tOK OK", "c\tz\tOK"], "all words have the same label"),
        (["a b\tx y\tOK BAD"], "all translations are of one document or source"),
        (["a b\tx y\t", "c\tz\t"], "words have no labels; give data with tags or post-edits"),
    ],
)
def test_bad_labels_are_refused_and_nothing_is_written(adjudge, tmp_path, rows, said) -> None:
    data, model = tmp_path / "train.tsv", tmp_path / "model.adjudge"
    data.write_text("\n".join(["source\ttarget\ttags", *rows]) + "\n")
    result = adjudge("quality", "train", str(data), "--task", "words", "-o", str(model))
    assert result.code == 2
    assert said in " ".join(result.err.split())
    assert not model.exists()


@pytest.mark.parametrize("learner", sorted(TAGGERS))
def test_few_words_and_empty_translations(tmp_path, learner: str) -> None:
    rows = ["source\ttarget\ttags", "a\tx x\tOK BAD", "b\ty\tOK", "c\tx\tOK", "d\tz\tOK"]
    (tmp_path / "train.tsv").write_text("\n".join(rows) + "\n")
    texts = [{"source": "a", "target": ""}, {"source": "b", "target": "y x"}]
    (tmp_path / "test.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in texts))
    model = str(tmp_path / "model.adjudge")
    door.train_quality(str(tmp_path / "train.tsv"), task="words", learner=learner)[0].save(model)
    predicted = door.predict_quality(model, str(tmp_path / "test.jsonl"))
    assert list(map(len, predicted["tags"].to_list())) == [0, 2]
    assert all(0 <= chance <= 1 for chance in predicted["chances"].to_list()[1])


def test_a_part_of_wmt17(adjudge, unpacked, tmp_path: Path) -> None:
    """From 1,200 translations, without resources, to predictions of the development set.

    A simple model has a macro F1 of 0.596 on the test set from 8,000 (README). The whole is
    `python -m benchmarks quality_words`.
    """
    folder = unpacked("quality/wmt17-qe-en-de/wmt17-qe-en-de.tar.xz")
    for name in ("src", "mt", "tags", "align"):
        lines = (folder / "train" / name).read_text(encoding="utf-8").split("\n")[:1200]
        (tmp_path / f"train.{name}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    model, tags = str(tmp_path / "model.adjudge"), str(tmp_path / "dev.tags")
    asked = ("quality", "train", str(tmp_path / "train"), "--task", "words", "-o", model)
    assert adjudge(*asked).code == 0
    dev = str(folder / "dev")
    assert adjudge("quality", "predict", model, dev, "-o", tags).code == 0
    judged = adjudge("quality", "evaluate", dev, tags, "--task", "words", "-f", "json")
    assert json.loads(judged.out)[0]["macro_f1"] > 0.6, judged.out
    chances = door.predict_quality(model, dev)["chances"].explode().drop_nulls().to_numpy()
    cells = in_bins(chances, word_task(read_quality([dev]).table).gold != 0).sum(axis=0)
    assert calibration_error(cells) < 0.04
