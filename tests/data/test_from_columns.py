"""Tables from columns in memory are what the readers give of the same votes."""

import doctest
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.core.errors import AdjudgeError, BadParameter, InputError
from adjudge.data import from_columns
from adjudge.data.from_columns import from_comparisons, from_rankings, from_scores
from adjudge.data.outputs import join_systems
from adjudge.data.table_files import read, read_scores, write

SIDES = {1: "left", -1: "right", 0: "tie"}
WINNERS = {1: "model_a", -1: "model_b", 0: "tie"}
votes = st.lists(
    st.tuples(
        st.permutations(["a,b", 'c"d', "é"]),
        st.sampled_from((1, 0, -1)),
        st.sampled_from(("x", "y")),
        st.none() | st.sampled_from(("j", "k")),
    ),
    min_size=1,
    max_size=10,
)
LIBRARIES = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "objects": lambda values: np.array(values, dtype=object),
    "polars": pl.Series,
    "pandas": pd.Series,
    "index": pd.Index,
    "arrow": pa.array,
    "chunked": lambda values: pa.chunked_array([values]),
    "generator": iter,
}


@settings(max_examples=40, deadline=None)
@given(votes=votes, way=st.sampled_from(("number", "word", "name")), data=st.data())
def test_equals_what_the_arena_reader_gives(votes, way, data):
    left, right = ([names[side] for names, *_ in votes] for side in (0, 1))
    won = [outcome for _, outcome, _, _ in votes]
    segment, judge = ([vote[i] for vote in votes] for i in (2, 3))
    outcome: list[Any] = won if way == "number" else [SIDES[value] for value in won]
    if way == "name":
        named = zip(won, left, right, strict=True)
        outcome = [(a if value > 0 else b) if value else "tie" for value, a, b in named]
    library = LIBRARIES[data.draw(st.sampled_from(list(LIBRARIES)))]
    table = from_comparisons(
        library(left),
        library(right),
        library(outcome),
        segment=library(segment),
        judge=pl.Series(judge, dtype=pl.String),
        pair="arena",
    )
    rows = {"question_id": segment, "judge": judge, "model_a": left, "model_b": right}
    frame = pl.DataFrame({**rows, "winner": [WINNERS[value] for value in won]})
    with TemporaryDirectory() as folder:
        path = Path(folder, "votes.csv")
        frame.write_csv(path)
        assert table.equals(read(path))


@pytest.mark.parametrize("name", LIBRARIES)
def test_columns_of_any_library(name):
    column = LIBRARIES[name]
    expected = from_comparisons(["A", "B"], ["B", "C"], [1, 0], judge=["1", "2"], seconds=[3, 4.5])
    found = from_comparisons(
        column(["A", "B"]),
        column(["B", "C"]),
        column([1.0, 0.0]),
        judge=column([1, 2]),
        seconds=column([3.0, 4.5]),
    )
    assert found.equals(expected)


def test_categories_are_names_too():
    plain = from_comparisons(["A", "B"], ["B", "A"], ["A", "tie"])
    left, right = (pd.Series(names, dtype="category") for names in (["A", "B"], ["B", "A"]))
    assert from_comparisons(left, right, pd.Categorical(["A", "tie"])).equals(plain)
    left, right = (pl.Series(names, dtype=pl.Categorical) for names in (["A", "B"], ["B", "A"]))
    assert from_comparisons(left, right, ["A", "tie"]).equals(plain)


def test_what_ties_say_and_what_is_missing():
    outcome = ["both fine", "both wrong", "both bad", "tie", None, "right"]
    table = from_comparisons(["A"] * 6, ["B"] * 6, outcome)
    assert table["rank"].to_list() == [1, 1] * 4 + [None, None, 2, 1]
    assert table["label"].to_list()[::2] == ["both fine", "both wrong", "both bad"] + [None] * 3
    numbers = from_comparisons(["A"] * 3, ["B"] * 3, [0.5, np.nan, -7])
    assert numbers["rank"].to_list() == [1, 2, None, None, 2, 1]
    assert from_comparisons(["A"], ["B"], [None])["rank"].to_list() == [None, None]


def test_one_value_stands_for_all_rows():
    noon = datetime(2026, 1, 2, 12, tzinfo=UTC)
    table = from_comparisons(
        ["A", "B"], ["B", "A"], [1, 1], judge=7, pair="x-y", seconds=2, time="2026-01-02T12:00"
    )
    assert table.select("judge", "pair", "seconds", "time").unique().rows() == [
        ("7", "x-y", 2.0, noon)
    ]
    naive = from_comparisons(["A"], ["B"], [1], time=[datetime(2026, 1, 2, 12)])
    assert naive["time"].to_list() == [noon, noon]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"right": ["B"]}, "`right` has 1 rows, `left` has 3; give columns of one length"),
        ({"judge": ["j"]}, "`judge` has 1 rows, `left` has 3"),
        ({"left": ["A", None, "A"]}, "row 2: `left` None is missing"),
        ({"right": ["B", "C", "A"]}, "row 3: `left` 'A' is compared with itself"),
        (
            {"outcome": ["left", "tie", "lfet"]},
            "row 3: `outcome` 'lfet' is unknown; use left, right, tie",
        ),
        ({"outcome": ["A", "C", "B"]}, "row 3: `outcome` 'B' is unknown"),
        ({"outcome": [[1], [2], [3]]}, "one value a row"),
        ({"left": "AAA"}, "`left` is 'AAA'; give a column"),
        ({"left": 7}, "`left` is no column of values"),
        ({"seconds": ["1", "soon", "2"]}, "row 2: `seconds` cannot be 'soon'"),
        ({"time": ["2026-01-01", "noon", None]}, "row 2: `time` cannot be 'noon'"),
        ({"left": ["A", join_systems("XY"), "A"]}, "row 2: `left` .* control character"),
        ({"left": [], "right": [], "outcome": []}, "`left` has no rows"),
        ({"left": ["tie", "A", "A"], "outcome": ["tie", "tie", "tie"]}, "name of a system too"),
    ],
)
def test_bad_columns_are_named(change, reason):
    good = {"left": ["A"] * 3, "right": ["B", "C", "D"], "outcome": ["left", "tie", "right"]}
    from_comparisons(**good)
    with pytest.raises(BadParameter, match=reason):
        from_comparisons(**{**good, **change})


def test_what_the_table_refuses_is_said_too():
    with pytest.raises(AdjudgeError, match="seconds are no time"):
        from_comparisons(["A"], ["B"], [1], seconds=-1)
    with pytest.raises(AdjudgeError, match="empty judge"):
        from_comparisons(["A"], ["B"], [1], judge="")


def test_rankings_of_any_library():
    columns = {"pair": ["x"] * 2, "ranking": [1, 1], "output": ["A", "B"], "rank": [2, 1]}
    columns["segment"] = [7, 7]
    expected = from_rankings(pl.DataFrame(columns))
    assert expected["segment"].to_list() == ["7", "7"]
    for given_frame in (
        columns,
        pl.DataFrame(columns).lazy(),
        pd.DataFrame(columns),
        pa.table(columns),
    ):
        assert from_rankings(given_frame).equals(expected)
    with pytest.raises(InputError, match="no such column in a judgement table: colour"):
        from_rankings({**columns, "colour": ["red", "red"]})
    with pytest.raises(InputError, match="no column 'rank'"):
        from_rankings(pl.DataFrame(columns).drop("rank"))
    with pytest.raises(InputError, match="line 2: ranking 1 is there twice"):
        from_rankings({**columns, "output": ["A", "A"]})
    with pytest.raises(BadParameter, match="row 2: `rank` cannot be 'x'"):
        from_rankings({**columns, "rank": ["1", "x"]})
    with pytest.raises(BadParameter, match="`frame` is a int"):
        from_rankings(7)


def test_scores(tmp_path):
    made = from_scores(["A", "B", "A"], [1, 1, 2], [71, None, 64.5], judge="j", pair="en-de")
    assert made["item"].to_list() == [1, 2, 3]
    assert made["score"].to_list() == [71, None, 64.5]
    path = tmp_path / "scores.parquet"
    write(made, path)
    assert read_scores(path).equals(made)
    frame = pd.DataFrame({"system": ["A", "B"], "segment": [1, 1], "score": [1.0, np.nan]})
    assert from_scores(frame.system, frame.segment, frame.score)["score"].null_count() == 1
    with pytest.raises(InputError, match="line 2: score 6 lies outside the scale adequacy"):
        from_scores(["A", "B"], [1, 1], [1, 6], scale="adequacy")


def test_the_examples_in_the_docstrings_run():
    failed, tried = doctest.testmod(from_columns)
    assert (failed, tried > 0) == (0, True)


def test_marked_errors_and_texts_are_taken():
    span = {"start": 0, "end": 5, "severity": "major", "category": "accuracy"}
    table = from_scores(
        ["A", "B"],
        [1, 1],
        [60, 90],
        spans=[[span], []],
        text=["Katze", "Hund"],
        comment=["odd", None],
        source="cat",
        reference="Kater",
    )
    assert table["spans"].to_list() == [[span], []]
    assert table.select("text", "comment", "source", "reference").rows() == [
        ("Katze", "odd", "cat", "Kater"),
        ("Hund", None, "cat", "Kater"),
    ]
    for spans, reason in (
        ([[span]], "`spans` has 1 rows, `system` has 2"),
        ([7, 8], "`spans` holds no lists"),
    ):
        with pytest.raises(BadParameter, match=reason):
            from_scores(["A", "B"], [1, 1], [60, 90], spans=spans)
    with pytest.raises(InputError, match="beyond the text"):
        from_scores(["A"], [1], [60], spans=[[span | {"end": 9}]], text=["Katze"])


def test_frames_of_pandas():
    table = from_scores(["A", "B"], [1, 1], [60, 90])
    frame = from_columns.to_pandas(table)
    assert isinstance(frame, pd.DataFrame)
    assert frame["score"].tolist() == [60, 90]
