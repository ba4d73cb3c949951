"""The table of edits: what it refuses, and that files give back what was written."""

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from adjudge.core.errors import InputError
from adjudge.data.edit_table import edit_table
from adjudge.data.judgement_table import judgement_table
from adjudge.data.selection import Selection, select_edits
from adjudge.data.table_files import read, read_edits, write

EDIT = {"pair": "en-cs", "protocol": "blind-edit", "item": 1, "segment": "7", "output": "a"}
REVIEW = EDIT | {"protocol": "review", "item": 2, "reviewed": 1}
TEXT = {"edit": "a text"}
MARK = {"incomprehensible": True}


def table(*rows: dict[str, Any]) -> pl.DataFrame:
    return edit_table(pl.DataFrame(rows, infer_schema_length=None))


@pytest.mark.parametrize(
    "rows",
    [
        [EDIT | TEXT],
        [EDIT | MARK],
        [EDIT | {"output": None}],  # skipped
        [EDIT | TEXT, REVIEW | {"verdict": "yes"}],
        [EDIT | TEXT, REVIEW | {"verdict": "no", "edit": "another"}],
        [EDIT | TEXT, REVIEW | {"verdict": "no"}],
        [EDIT | TEXT, REVIEW | {"output": None}],
        [EDIT | MARK, REVIEW | {"edit": "a translation all the same"}],
        [EDIT | MARK, REVIEW | {"verdict": "no"}],  # asked all the same
    ],
)
def test_sound_rows(rows: list[dict[str, Any]]) -> None:
    assert len(table(*rows)) == len(rows)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([EDIT], "either a text or the mark"),
        ([EDIT | TEXT | MARK], "either a text or the mark"),
        ([EDIT | {"edit": " \n"}], "empty; mark it incomprehensible"),
        ([EDIT | TEXT | {"verdict": "yes"}], "only a review"),
        ([EDIT | TEXT | {"protocol": "guess"}], "neither blind-edit nor review"),
        ([EDIT | TEXT | {"pair": None}], "no language pair"),
        ([EDIT | TEXT | {"output": None}], "of no system"),
        ([EDIT | TEXT | {"seconds": -1.0}], "no time"),
        ([EDIT | TEXT | {"judge": ""}], "empty judge"),
        ([EDIT | TEXT, EDIT | TEXT], "1 numbers two edits"),
        ([EDIT | TEXT, REVIEW], "no verdict on edit 1"),
        ([EDIT | TEXT, REVIEW | {"verdict": "perhaps"}], "neither yes nor no"),
        ([EDIT | TEXT, REVIEW | {"verdict": "yes", "reviewed": 5}], "no edit in this file"),
        ([EDIT | TEXT, REVIEW | {"verdict": "yes", "reviewed": None}], "no edit in this file"),
        ([EDIT | TEXT, REVIEW | {"verdict": "yes", "segment": "8"}], "another segment"),
        ([EDIT | TEXT, REVIEW | {"verdict": "yes"} | MARK], "only an edit"),
        ([EDIT | TEXT | {"rank": 1}], "no such column"),
    ],
)
def test_what_is_refused(rows: list[dict[str, Any]], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        table(*rows)


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])).filter(
    lambda text: text.strip()
)


@st.composite
def any_edits(draw: st.DrawFn) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 5))):
        about = {"segment": draw(st.sampled_from("123")), "pair": "x", "text": draw(texts)}
        about |= {"output": draw(st.sampled_from(["a", "b", "a\x1fb"]))}
        written = draw(st.none() | texts)
        edit = 10 * number
        said = {"edit": written, "incomprehensible": written is None}
        rows.append(about | said | {"item": edit, "protocol": "blind-edit", "judge": "e"})
        for review in range(draw(st.integers(0, 2))):
            verdict = None if written is None else draw(st.sampled_from(["yes", "no"]))
            changed = draw(texts if written is None else st.none() | texts)
            rows.append(
                about
                | {"edit": changed, "verdict": verdict, "reviewed": edit, "seconds": 1.5}
                | {"item": edit + 1 + review, "protocol": "review", "judge": "r"}
            )
    return table(*rows)


@pytest.mark.slow
@given(any_edits(), st.sampled_from(["edits.jsonl", "e.jsonl.gz", "e.parquet", "e.jsonl.zst"]))
def test_a_file_gives_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, made: pl.DataFrame, name: str
) -> None:
    path = str(tmp_path_factory.mktemp("edits") / name)
    write(made, path)
    assert_frame_equal(read_edits(path), made, categorical_as_str=True)


def test_two_files_keep_reviews_with_their_edits(tmp_path: Path) -> None:
    path = str(tmp_path / "edits.jsonl")
    write(table(EDIT | TEXT, REVIEW | {"verdict": "yes"}), path)
    both = read_edits(path, path)
    assert both["item"].to_list() == [1, 2, 3, 4]
    assert both["reviewed"].to_list() == [None, 1, None, 3]


def test_a_bad_row_is_named_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "edits.jsonl.gz"
    rows = [EDIT | TEXT, EDIT | {"item": 2}]
    lines = [
        json.dumps({key: value for key, value in row.items() if key != "output"} | {"systems": []})
        for row in (row | {"text": "shown"} for row in rows)
    ]
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(InputError, match=r"line 2: edit 2 has either a text"):
        read_edits(str(file))
    file.write_bytes(gzip.compress(b'{"pair": "x", "item": 1, "edit": 3}\n'))
    with pytest.raises(InputError, match="line 1: edit '3' is not text"):
        read_edits(str(file))


@pytest.mark.parametrize("name", ["table.jsonl", "table.parquet"])
def test_tables_of_another_kind_are_told_apart(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    write(table(EDIT | TEXT), path)
    with pytest.raises(InputError, match="holds edits, not judgements; give it to `adjudge under"):
        read(path)
    ranked = pl.DataFrame({"pair": ["x"], "ranking": [1], "output": ["a"], "rank": [1]})
    write(judgement_table(ranked), path)
    with pytest.raises(InputError, match="holds judgements, not edits; give it to `adjudge rank`"):
        read_edits(path)


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n"])
def test_no_edits_at_all(tmp_path: Path, content: str) -> None:
    path = tmp_path / "edits"
    path.write_text(content)
    with pytest.raises(InputError, match=r"is empty|is in no known format"):
        read_edits(str(path))


def test_a_review_stays_only_with_its_edit() -> None:
    made = table(
        EDIT | TEXT | {"judge": "e"},
        REVIEW | {"verdict": "yes", "judge": "r"},
        EDIT | TEXT | {"item": 3, "judge": "f"},
        REVIEW | {"item": 4, "reviewed": 3, "verdict": "yes", "judge": "r"},
    )
    kept = select_edits(made, Selection(without_judge=("e",)))
    assert kept["item"].to_list() == [3, 4]
    kept = select_edits(made, Selection(judge=("e", "r")))
    assert kept["item"].to_list() == [1, 2]
