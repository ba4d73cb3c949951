"""Moses' own files: what its extractor made of the shared lists is what we make of them."""

import numpy as np
import pytest

from adjudge.core.files.input_file import InputFile
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.moses_extractor import read_statistics, write_features, write_statistics
from adjudge.tuning.objective import tunable
from adjudge.tuning.pool import pooled
from adjudge.tuning.read_nbest import read_references

from .conftest import BLEU, MOSES


def test_lists_are_merged_without_duplicates(lists):
    sizes = [len(lists.pool(f"runs{number}", BLEU)) for number in range(1, 6)]
    assert sizes == [1000, 1999, 2999, 3943, 4912]


def test_the_merged_lists_are_the_very_files(lists, tmp_path):
    pool = lists.pool("runs5", BLEU)
    write_features(str(tmp_path / "features"), pool.names, pool.starts, pool.features)
    given = lists.text("tuning/moses-runs/runs1-5.features.txt.gz")
    assert (tmp_path / "features").read_text() == given


@pytest.mark.parametrize(
    ("runs", "named", "name"),
    [("runs5", "runs1-5", name) for name in MOSES]
    + [("runs1", "run1", name) for name in MOSES if name != "BLEU"],
)
def test_statistics_are_the_very_files(lists, tmp_path, runs, named, name):
    pool = lists.pool(runs, MOSES[name])
    metric = pool.objective.single
    write_statistics(str(tmp_path / "statistics"), metric, pool.starts, pool.statistics)
    given = lists.text(f"tuning/moses-runs/{named}.{name.lower()}-statistics.txt.gz")
    assert (tmp_path / "statistics").read_text() == given


def test_ter_as_moses_writes_it(tmp_path):
    # Mean lengths and rates are cut; beside an empty reference any output is all wrong.
    counted = np.array([[3, 10 / 3], [29, 50], [0, 0], [2, 0], [1, 4.35]])
    starts = np.array([0, len(counted)])
    for metric in ("moses-ter", "ter"):
        write_statistics(str(tmp_path / "statistics"), tunable(metric), starts, counted)
        first, *rows, last = (tmp_path / "statistics").read_text().splitlines()
        assert (first, last) == ("SCORES_TXT_BEGIN_0 0 5 3 TER", "SCORES_TXT_END_0")
        assert [row.split() for row in rows] == [
            ["300", "333", "90"],
            ["2900", "5000", "58"],
            ["0", "0", "0"],
            ["200", "0", "100"],
            ["100", "435", "22"],
        ]


def test_tercoms_search_finds_fewer_edits_than_that_of_moses(lists):
    ours, moses = (
        lists.pool("runs5", metric).statistics for metric in ("ter(case=yes)", "moses-ter")
    )
    assert (ours[:, 1] == moses[:, 1]).all()
    assert (ours[:, 0] == moses[:, 0]).mean() == pytest.approx(0.804, abs=0.001)
    assert ours[:, 0].sum() / moses[:, 0].sum() == pytest.approx(0.9899, abs=0.0001)


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
