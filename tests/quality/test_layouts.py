"""Layouts of data for quality estimation: what is read, and what is said of bad input."""

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.quality.layouts import LAYOUTS
from adjudge.quality.reading import layout_of, read_quality
from adjudge.quality.tasks.editing_time import editing_time_task
from adjudge.quality.tasks.scoring import scoring_task
from adjudge.quality.tasks.selection import selection_task
from adjudge.quality.tasks.words import word_task
from adjudge.quality.translations import TRANSLATION_SCHEMA


def written(folder, files):
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(params=sorted(LAYOUTS))
def example(request, tmp_path):
    """The example of a layout: the layout, and what is given to read it."""
    layout = LAYOUTS[request.param]
    written(tmp_path, layout.example)
    return layout, str(tmp_path / layout.path) if layout.path else str(tmp_path)


def test_an_example_is_recognised_by_its_layout_alone(example):
    layout, path = example
    assert layout_of(path) is layout


def test_an_example_is_read_as_translations(example):
    _, path = example
    data = read_quality([path])
    assert len(data)
    assert {*TRANSLATION_SCHEMA} <= {*data.table.columns}
    assert data.table["segment"].null_count() == 0
    assert read_quality([path]).hash == data.hash


def test_reading_twice_the_same_is_twice_as_much(example):
    _, path = example
    once, twice = read_quality([path]).table, read_quality([path, path]).table
    assert len(twice) == 2 * len(once)
    assert twice["ranking"].n_unique() in (1, 2 * once["ranking"].n_unique())


def test_compressed_files_are_read(tmp_path):
    files = LAYOUTS["wmt16"].example
    written(tmp_path, {f"{name}.gz": gzip.compress(content) for name, content in files.items()})
    assert read_quality([str(tmp_path)]).table["hter"].to_list() == [0.2, 0.0]


def test_gaps_between_words_have_tags_of_their_own(tmp_path):
    written(tmp_path, LAYOUTS["mlqe-pe"].example)
    tags = read_quality([str(tmp_path)]).table["tags"].to_list()
    assert tags == [["OK", "OK", "OK", "BAD", "OK"], ["OK", "OK"]]


def test_scores_of_a_campaign_are_means_over_judges(tmp_path):
    row = (
        '{"pair": "en-de", "protocol": "direct-assessment", "segment": "1", "item": %d, '
        '"judge": "%s", "systems": ["A"], "scale": "direct-assessment", "score": %d, '
        '"source": "Yes.", "text": "Ja."}\n'
    )
    (tmp_path / "scores.jsonl").write_text(row % (1, "x", 50) + row % (2, "y", 80))
    task = scoring_task(read_quality([str(tmp_path / "scores.jsonl")]).table)
    assert task.quantity.name == "direct-assessment"
    assert task.gold.tolist() == [65]


def test_rankings_of_a_campaign_are_candidates(tmp_path):
    row = (
        '{"pair": "en-de", "segment": "1", "ranking": 7, "systems": ["%s"], "rank": %d, '
        '"source": "Yes.", "text": "%s"}\n'
    )
    lines = row % ("A", 2, "Nein.") + row % ("B", 1, "Ja.") + row % ("C", 2, "Ach.")
    (tmp_path / "rankings.jsonl").write_text(lines)
    task = selection_task(read_quality([str(tmp_path / "rankings.jsonl")]).table)
    better, worse = task.untied
    assert [(task.table["system"][int(i)]) for i in better] == ["B", "B"]
    assert {task.table["target"][int(i)] for i in worse} == {"Nein.", "Ach."}


def test_judgements_without_texts_are_refused(tmp_path):
    (tmp_path / "r.jsonl").write_text(
        '{"pair": "en-de", "segment": "1", "ranking": 7, "systems": ["A"], "rank": 1}\n'
    )
    with pytest.raises(InputError, match="without texts"):
        read_quality([str(tmp_path / "r.jsonl")])


def test_a_part_of_the_data_is_chosen(tmp_path):
    written(tmp_path, LAYOUTS["table"].example)
    path = str(tmp_path / "data.tsv")
    task = editing_time_task(read_quality([path], split="test").table)
    assert (task.gold.tolist(), task.translators) == ([3.0], ("B",))
    with pytest.raises(BadParameter, match="train, test"):
        read_quality([path], split="dev")


WMT16 = LAYOUTS["wmt16"].example
BAD = {
    "dev.mt": (
        b"der Tank ist voll .\n",
        r"dev\.mt: line 2: has 1 lines, \S+dev\.src has 2",
    ),
    "dev.hter": (b"0.2\nmuch\n", r"dev\.hter: line 2: hter 'much' is not a number"),
    "dev.tags": (
        b"OK OK OK BAD OK\nOK\n",
        r"dev\.tags: line 2: has 1 tags for the 2 tokens",
    ),
    "dev.align": (b"0-0\n0-9\n", r"dev\.align: line 2: links a target token that is not there"),
    "dev.src": (b"the tank is empty .\n\n", r"dev\.src: line 2: an empty source segment"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_lines_are_named(tmp_path, name):
    content, said = BAD[name]
    written(tmp_path, {**WMT16, name: content})
    with pytest.raises(InputError, match=said):
        read_quality([str(tmp_path / "dev")])


def test_hter_above_one_is_refused_where_it_is_predicted(tmp_path):
    written(tmp_path, {**WMT16, "dev.hter": b"0.2\n1.5\n"})
    table = read_quality([str(tmp_path / "dev")]).table
    with pytest.raises(InputError, match=r"dev: line 2: hter 1\.5 is not between 0 and 1"):
        scoring_task(table)


def test_two_data_sets_in_one_folder_are_told_apart(tmp_path):
    written(tmp_path, {**WMT16, "test.src": b"yes\n", "test.mt": b"ja\n"})
    with pytest.raises(InputError, match=r"both dev\.\w+ and test\.\w+; name the beginning"):
        read_quality([str(tmp_path)])
    assert len(read_quality([str(tmp_path / "test")])) == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", '{"source": "a", "target": "b"}\nno\n', "line 2: is not a JSON object"),
        ("a.jsonl", '{"source": "a", "target": 1.5}\n', "line 1: target '1.5' is not text"),
        ("a.jsonl", '{"source": "a", "mt": "b", "hter": "c"}\n', "hter 'c' is not a number"),
        ("a.jsonl", '{"source": "a", "candidates": [3]}\n', "candidates is not a list of objects"),
        ("a.tsv", "source\ttarget\thter\na\tb\tc\n", "line 2: hter 'c' is not a number"),
        ("a.tsv", "source\ttarget\trank\na\tb\t1\n", "line 2: a rank without the number"),
        ("a.txt", "nothing\n", "holds no data for quality estimation"),
    ],
)
def test_bad_files_are_refused(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=said):
        read_quality([str(tmp_path / name)])


def test_a_path_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file or folder"):
        read_quality([str(tmp_path / "dev")])


def test_what_is_predicted_is_asked_for_where_it_is_not_clear(tmp_path):
    written(tmp_path, LAYOUTS["wmt12"].example)
    table = read_quality([str(tmp_path)]).table
    with pytest.raises(BadParameter, match="effort, hter"):
        scoring_task(table)
    assert scoring_task(table, "effort").gold.tolist() == [5.0, 2.3]
    with pytest.raises(BadParameter, match="`predict` cannot be 'efort'; did you mean 'effort'"):
        scoring_task(table, "efort")


def test_a_number_that_nobody_knows_needs_its_direction(tmp_path):
    (tmp_path / "a.tsv").write_text("source\ttarget\tjoy\na\tb\t3\n")
    table = read_quality([str(tmp_path / "a.tsv")]).table
    with pytest.raises(BadParameter, match="higher_is_better"):
        scoring_task(table)
    assert scoring_task(table, higher_is_better=True).quantity.higher_is_better


def test_wmt14_tokens_make_sentences(unpacked):
    """README: 1,957 sentences; OK 30,754, BAD 16,657 of 47,411 tokens."""
    folder = unpacked("quality/word-level/word-level.tar.xz") / "wmt14-en-es"
    task = word_task(read_quality([str(folder / "target.train")]).table)
    assert len(task) == 1957
    assert np.bincount(task.gold).tolist() == [30_754, 16_657]


def test_wmt15_tags_that_do_not_fit_are_named(unpacked):
    """In 42 lines the tags were made for other tokens than those of the text."""
    folder = unpacked("quality/word-level/word-level.tar.xz") / "wmt15-en-es-dev"
    with pytest.raises(AdjudgeError, match="line 42: has 16 tags for the 14 tokens"):
        read_quality([str(folder)])


def test_post_editing_time_keeps_documents_together(shared_data):
    """README: 3,012 rows of training, 1,176 of test, by document."""
    path = str(shared_data / "quality/pe-time-en-es/pe-time.tsv.gz")
    train, test = (
        editing_time_task(read_quality([path], split=split).table) for split in ("train", "test")
    )
    assert (len(train), len(test)) == (3012, 1176)
    assert {*train.table["document"]}.isdisjoint(test.table["document"])
    documents = train.table.with_columns(group=pl.Series(train.groups))
    assert documents.group_by("document").agg(pl.col("group").n_unique())["group"].max() == 1


@pytest.mark.parametrize(
    ("name", "rankings", "candidates", "pairs"),
    [
        ("wmt08", 365, 1810, 3054),
        ("wmt10-train", 866, 4330, 6679),
        ("wmt10-public", 2274, 9096, 11037),
    ],
)
def test_rankings_and_their_untied_pairs(shared_data, name, rankings, candidates, pairs):
    """WMT13 §6.3 counts 365 sources and 1,810 translations; README the others."""
    path = shared_data / f"quality/rankings-de-en/{name}.jsonl.gz"
    task = selection_task(read_quality([str(path)]).table)
    assert (len(task), len(task.table), len(task.untied[0])) == (rankings, candidates, pairs)


@pytest.mark.parametrize(
    ("part", "keep", "substitute", "delete"),
    [
        ("train", 321_143, 60_815, 22_240),
        ("dev", 15_678, 2752, 1057),
        ("test", 28_567, 5137, 1873),
    ],
)
def test_wmt17_tags_and_edits_come_from_post_edits(unpacked, part, keep, substitute, delete):
    """Every line's tags, and README's counts of keep, substitute, delete."""
    folder = unpacked("quality/wmt17-qe-en-de/wmt17-qe-en-de.tar.xz") / part
    table = read_quality([str(folder)]).table
    edits = word_task(table, "edits")
    assert np.bincount(edits.gold).tolist() == [keep, substitute, delete]
    given = word_task(table)
    derived = word_task(table.with_columns(tags=pl.lit(None, table.schema["tags"])))
    assert given.words == derived.words
    assert np.array_equal(given.gold, derived.gold)


@pytest.mark.parametrize(("part", "lines"), [("train", 1832), ("test", 422)])
def test_wmt12_hter_comes_from_post_edits(unpacked, part, lines):
    """Every line of hter.txt, to six digits."""
    folder = unpacked("quality/wmt12-qe/wmt12-qe.tar.xz") / part
    table = read_quality([str(folder)]).table
    given = scoring_task(table, "hter").gold
    assert len(given) == lines
    assert np.abs(scoring_task(table.drop("hter"), "hter").gold - given).max() < 6e-7


def test_mlqe_pe_tags_beside_those_from_post_edits(unpacked):
    """Its tags of words are ours on 973 of 1,000 lines."""
    folder = unpacked("mlqe-pe/en-de/dev.tar.gz") / "en-de-dev"
    table = read_quality([str(folder)]).table
    given = word_task(table)
    derived = word_task(table.with_columns(tags=pl.lit(None, table.schema["tags"])))
    differing = np.unique(given.sentence[given.gold != derived.gold])
    assert (len(given), len(differing)) == (1000, 27)


def test_the_documentation_lists_every_layout():
    page = (Path(__file__).parents[2] / "docs/quality.md").read_text(encoding="utf-8")
    for layout in LAYOUTS.values():
        assert f"| `{layout.name}` | {layout.description} |" in page
