"""Moses' own files: what its extractor made of the shared lists is what we make of them."""

import numpy as np
import pytest

from adjudge.files.input_file import InputFile
from adjudge.metrics import tercom
from adjudge.metrics.ter_kernels import all_edits
from adjudge.metrics.words import Vocabulary
from adjudge.tuning.counting import count
from adjudge.tuning.moses_extracted import read_statistics, write_features, write_statistics
from adjudge.tuning.objective import tunable
from adjudge.tuning.pool import pooled
from adjudge.tuning.reading import extracted_pool, read_candidates, read_references

from .conftest import BLEU, MOSES


def test_lists_are_merged_without_duplicates(lists):
    sizes = [len(lists.pool(f"runs{number}", BLEU)) for number in range(1, 6)]
    assert sizes == [1000, 1999, 2999, 3943, 4912]


def test_the_merged_lists_are_the_very_files(lists, tmp_path):
    pool = lists.pool("runs5", BLEU)
    write_features(str(tmp_path / "features"), pool.names, pool.starts, pool.features)
    given = lists.text("tuning/moses-runs/runs1-5.features.txt.gz")
    assert (tmp_path / "features").read_text() == given


@pytest.mark.parametrize("name", MOSES)
def test_statistics_are_the_very_files(lists, tmp_path, name):
    pool = lists.pool("runs5", MOSES[name])
    metric = pool.objective.single
    write_statistics(str(tmp_path / "statistics"), metric, pool.starts, pool.statistics)
    given = lists.text(f"tuning/moses-runs/runs1-5.{name.lower()}-statistics.txt.gz")
    assert (tmp_path / "statistics").read_text() == given


def test_ter_is_not_that_of_moses(lists):
    # Ours is sacrebleu's search. Moses' numbers fit better with output and reference exchanged; it
    # also tries longer blocks, puts them elsewhere, and makes moves that gain nothing.
    pool = lists.pool("runs5", "ter(case=yes)")
    folder = lists.data / "tuning" / "moses-runs"
    moses = extracted_pool(
        [read_candidates(InputFile(folder / "runs1-5.features.txt.gz"))],
        [str(folder / "runs1-5.ter-statistics.txt.gz")],
    )
    difference = pool.statistics - moses.statistics
    assert (difference[:, 0] == 0).mean() == pytest.approx(0.804, abs=0.001)
    assert difference[:, 0].sum() / moses.statistics[:, 0].sum() == pytest.approx(
        -0.0101, abs=0.0001
    )
    assert not difference[:, 1].any()
    (reference,) = read_references([str(path) for path in lists.files("runs5")[1]])
    sentence = np.repeat(np.arange(pool.sentences), np.diff(pool.starts))
    texts = tercom.split(pool.texts, False, True, False, True)
    beside = tercom.split(tuple(reference[s] for s in sentence), False, True, False, True)
    vocabulary = Vocabulary([texts])
    words, exchanged = vocabulary.references[0], vocabulary.system(beside)
    edits = all_edits(exchanged.numbers, exchanged.starts, words.numbers, words.starts)[:, 0]
    assert (edits == moses.statistics[:, 0]).mean() == pytest.approx(0.838, abs=0.001)


@pytest.mark.parametrize("name", MOSES)
def test_statistics_of_the_scorer_data(lists, name):
    (path,), references = lists.files("moses-scorer-data")
    candidates = lists.read(path)
    lines = read_references([str(reference) for reference in references])
    (counted,), _ = count([candidates], [tunable(MOSES[name])], lines)
    file = InputFile(path.parent / f"{name.lower()}-statistics.txt.gz")
    _, given = read_statistics(file, candidates)
    assert np.array_equal(counted, given)


def test_statistics_with_three_references(lists):
    (path,), references = lists.files("moses-three-references")
    candidates = lists.read(path)
    assert len(references) == 3
    lines = read_references([str(reference) for reference in references])
    (counted,), _ = count([candidates], [tunable(BLEU)], lines)
    _, given = read_statistics(InputFile(path.parent / "bleu-statistics.txt.gz"), candidates)
    assert np.array_equal(counted, given)


def test_of_three_candidates_one_is_a_duplicate(lists):
    (path,), references = lists.files("moses-duplicates")
    candidates = lists.read(path)
    assert len(candidates) == 3
    lines = [read_references([str(references[0])])[0][: candidates.sentences]]
    # The two with equal features differ in a word that is in no reference.
    statistics, objective = count([candidates], [tunable(BLEU)], lines)
    assert len(pooled([candidates], statistics, objective)) == 2


def test_two_sentences_with_four_references(shared_data):
    rows = (shared_data / "tuning/multi-reference-metrics/sentences.tsv").read_text().splitlines()
    said = [row.split("\t") for row in rows[1:]]
    lines = [
        tuple(text for _, role, text in said if role == f"reference {number}")
        for number in range(1, 5)
    ]
    outputs = tuple(text for _, role, text in said if role == "hypothesis")
    metric = tunable(BLEU)
    counts = metric.statistics(lines)(outputs)
    assert metric.values(counts.sum(axis=0)) / 100 == pytest.approx(0.348854, abs=1e-6)
    assert (metric.values(counts) / 100).tolist() == pytest.approx([0.23185077, 0.38101241])
    assert counts.sum(axis=0).tolist() == [53, 32, 18, 11, 65, 63, 61, 59, 65, 72]
