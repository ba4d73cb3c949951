"""The tasks as data: labels from post-edits, pairs of rankings, parts of tasks."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import NotEnoughData
from adjudge.quality.tasks.editing_time import editing_time_task
from adjudge.quality.tasks.infer_task import chosen_task
from adjudge.quality.tasks.scoring import scoring_task
from adjudge.quality.tasks.selection import pairs_within, selection_task, without_references
from adjudge.quality.tasks.words import labels_from_post_edits, word_task
from adjudge.quality.translations import translation_table

sentences = st.lists(st.sampled_from("abcA"), max_size=7).map(" ".join)


def edits_by_hand(target, edited):
    """The alignment as it is described: costs of all pairs of beginnings, traced from the end."""
    own, other = target.lower().split(), edited.lower().split()
    cost = {(0, 0): 0}
    for i in range(len(own) + 1):
        for j in range(len(other) + 1):
            ways = []
            if i and j:
                ways.append(cost[i - 1, j - 1] + (own[i - 1] != other[j - 1]))
            if i:
                ways.append(cost[i - 1, j] + 1)
            if j:
                ways.append(cost[i, j - 1] + 1)
            if ways:
                cost[i, j] = min(ways)
    labels, i, j = [], len(own), len(other)
    while i:
        if j and cost[i, j] == cost[i - 1, j - 1] + (own[i - 1] != other[j - 1]):
            labels.append("K" if own[i - 1] == other[j - 1] else "S")
            i, j = i - 1, j - 1
        elif cost[i, j] == cost[i - 1, j] + 1:
            labels.append("D")
            i -= 1
        else:
            j -= 1
    return labels[::-1]


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=4))
def test_labels_are_those_of_the_alignment(pairs):
    targets, edited = zip(*pairs, strict=True)
    expected = [label for pair in pairs for label in edits_by_hand(*pair)]
    labels = labels_from_post_edits(targets, edited)
    assert ["KSD"[label] for label in labels] == expected


def words_table(**columns):
    number = len(next(iter(columns.values())))
    return translation_table(pl.DataFrame({"segment": [str(i) for i in range(number)], **columns}))


def test_labels_are_binary_or_name_the_edit():
    table = words_table(target=["a b c"], post_edit=["a x"])
    assert word_task(table).gold.tolist() == [0, 1, 1]
    task = word_task(table, "edits")
    assert [task.classes[label] for label in task.gold] == ["K", "D", "S"]


def test_given_tags_come_before_post_edits():
    table = words_table(target=["a b"], post_edit=["a b"], tags=[["BAD", "OK"]])
    assert word_task(table).gold.tolist() == [1, 0]
    assert word_task(table, "edits").gold.tolist() == [0, 0]


def test_tags_that_are_no_edits_do_not_make_any():
    table = words_table(target=["a b"], tags=[["BAD", "OK"]])
    with pytest.raises(NotEnoughData, match="'BAD' is no label"):
        word_task(table, "edits")


def test_words_of_some_rows():
    table = words_table(target=["a b", "", "c"], tags=[["OK", "BAD"], [], ["BAD"]])
    part = word_task(table).take(np.array([2, 1, 0]))
    assert part.words == ("c", "a", "b")
    assert part.start.tolist() == [0, 1, 1, 3]
    assert part.sentence.tolist() == [0, 2, 2]
    assert part.gold.tolist() == [1, 0, 1]


@given(st.lists(st.integers(1, 5), max_size=6))
def test_every_two_rows_of_a_code_are_a_pair(sizes):
    code = np.repeat(np.arange(len(sizes)), sizes)
    first, second = pairs_within(code)
    expected = [
        (i, j) for i in range(len(code)) for j in range(i + 1, len(code)) if code[i] == code[j]
    ]
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == expected


def test_pairs_are_of_different_ranks_that_are_known():
    table = words_table(target=list("abcde"), ranking=[4, 4, 4, 2, 2], rank=[1, 1, 3, 2, None])
    task = selection_task(table)
    better, worse = task.untied
    assert sorted(zip(better.tolist(), worse.tolist(), strict=True)) == [(0, 2), (1, 2)]
    part = task.take(np.array([1, 0]))
    assert part.table["target"].to_list() == list("deabc")
    assert len(part.untied[0]) == 2


def test_people_among_the_systems_are_not_learned_from():
    table = words_table(
        target=list("abcd"), ranking=[1, 1, 1, 1], rank=[1, 2, 3, 4],
        system=["_ref", "uedin", None, "refA"],
    )  # fmt: skip
    assert without_references(table)["target"].to_list() == ["b", "c"]


def test_groups_are_documents_or_equal_sources():
    table = words_table(
        source=["x", "x", "y", "x"], document=["d", None, None, None], seconds=[1.0, 2, 3, 4]
    )
    assert editing_time_task(table).groups.tolist() == [0, 1, 2, 1]


def test_hter_comes_from_post_edits_where_it_is_not_given():
    """As TERp's: marks are tokens, capitals do not count, no sentence has more than 1."""
    table = words_table(
        target=["Der Tank ist voll.", "Ja", "a b c d"],
        post_edit=["der Tank ist leer .", None, "x"],
    )
    task = scoring_task(table)
    assert task.gold.tolist() == [0.2, 1.0]
    assert task.table["segment"].to_list() == ["0", "2"]


RANKS = {"ranking": [1, 1], "rank": [1, 2]}


@pytest.mark.parametrize(
    ("columns", "predict", "task"),
    [
        ({"hter": [0.1, 0.2]}, None, "scoring"),
        ({"seconds": [3.0, 4.0]}, None, "time"),
        ({"post_edit": ["a", "b"]}, None, "scoring"),
        ({"tags": [["OK"], ["BAD"]]}, None, "words"),
        ({"tags": [["OK"], ["BAD"]], "hter": [0.0, 1.0]}, None, "scoring"),
        (RANKS, None, "selection"),
        (RANKS | {"feature_1": [1.0, 2.0], "judge_number": [1.0, 2.0]}, None, "selection"),
        (RANKS | {"hter": [0.1, 0.2]}, "hter", "scoring"),
        ({"seconds": [3.0, 4.0], "post_edit": ["a", "b"]}, "seconds", "time"),
        ({"seconds": [3.0, 4.0], "post_edit": ["a", "b"]}, "hter", "scoring"),
    ],
)
def test_the_only_task_of_the_data_is_taken(columns, predict, task) -> None:
    table = pl.DataFrame({"segment": ["1", "2"], "source": ["x", "y"], "target": ["a", "b"]})
    table = translation_table(table.with_columns(pl.Series(k, v) for k, v in columns.items()))
    assert chosen_task(table, predict) == task


BLIND_EDITS = "source\ttarget\tpost_edit\tseconds\n" + "".join(
    f"{'a ' * n}b\t{'c ' * n}d\t{'c ' * n}e\t{n}\n" for n in range(1, 9)
)
RANKED = "source\ttarget\tranking\trank\thter\n" + "".join(
    f"s{n // 2}\tt{n}\t{n // 2}\t{1 + n % 2}\t0.{n}\n" for n in range(8)
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BLIND_EDITS, "--predict says what is predicted; there are: seconds, hter"),
        (RANKED, "there are ranks and hter; say which is predicted: --task selection, or "
         "--predict hter"),
    ],
)  # fmt: skip
def test_training_and_judging_ask_alike(adjudge, tmp_path, text, says) -> None:
    data, predictions = tmp_path / "data.tsv", tmp_path / "predictions.txt"
    data.write_text(text)
    predictions.write_text("1\n" * 8)
    for asked in (("train", data, "-o", tmp_path / "m"), ("evaluate", data, predictions)):
        answer = adjudge("quality", *asked)
        assert answer.code == 2
        assert answer.err == f"adjudge: {says}\n"
    assert not (tmp_path / "m").exists()
