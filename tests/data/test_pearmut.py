"""Pearmut's log and download: what is read, what is left out, what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import InputError
from adjudge.data.table_files import Loaded, read_any


def entry(user: str, name: str | None, scores: dict[str, Any], **more: Any) -> dict[str, Any]:
    item = {"src": "The cat sleeps.", "tgt": dict.fromkeys(scores, "Kočka spí.")}
    if name is not None:
        item["item_id"] = name
    said = {system: {"score": score} for system, score in scores.items()}
    return {"user_id": user, "item_i": 0, "item": [item], "annotation": [said], **more}


def read(tmp_path: Path, *entries: dict[str, Any]) -> Loaded:
    path = tmp_path / "trial.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in entries))
    return read_any(path)


def test_the_outputs_of_a_segment_are_one_item(tmp_path: Path) -> None:
    table = read(tmp_path, entry("ada", "en-cs_#_news_#_cats_#_3", {"A": 80, "B": 60.5})).frame
    columns = ("pair", "document", "segment", "item", "judge", "output", "scale", "score")
    assert table.select(columns).rows() == [
        ("en-cs", "news_#_cats", "3", 1, "ada", "A", "direct-assessment", 80),
        ("en-cs", "news_#_cats", "3", 1, "ada", "B", "direct-assessment", 60.5),
    ]


def test_a_download_has_campaigns(tmp_path: Path) -> None:
    path = tmp_path / "annotations.json"
    logs = {name: [entry("ada", "1", {"A": 80})] for name in ("first", "second")}
    path.write_text(json.dumps(logs, indent=2))
    loaded = read_any(path)
    assert loaded.sources[0].format == "pearmut"
    assert loaded.frame.select("pair", "segment").rows() == [("first", "1"), ("second", "1")]


def test_what_does_not_count_is_left_out(tmp_path: Path) -> None:
    loaded = read(
        tmp_path,
        entry("ada", "1", {"A": 10}),
        {"user_id": "ada", "item_i": 0, "annotation": "__RESET__", "item": []},
        entry("ada", "1", {"A": 20}),
        entry("ada", "1", {"A": 30}),
        entry("bob", "1", {"A": 40}),
        entry("bob", None, {"A": 50}),
        entry("bob", "attention_check_2", {"A": 50}),
        entry("bob", "en-cs_#_tutorial_#_x_#_1", {"A": 50}),
        entry("bob", "2", {"A": 50}, item_i="welcome_0"),
        {"user_id": "bob", "item_i": 1, "item": [{"text": "Age?", "form": "number"}]}
        | {"annotation": [33]},
    )
    assert loaded.frame.select("judge", "score").rows() == [("ada", 30), ("bob", 40)]
    assert loaded.left_out == (
        "Left out: 1 annotations before a reset, 1 annotations of segments without item_id, "
        "1 attention checks, 1 tutorial items, 1 items before, between or after the campaign's "
        "own, 1 earlier annotations of an output by the same judge."
    )


def test_the_scores_of_mqm_are_those_of_its_spans(tmp_path: Path) -> None:
    marked = entry("ada", "1", {"A": None})
    span = {"start_i": 0, "end_i": 4, "severity": "Major", "category": "Fluency/Grammar"}
    beyond = {"start_i": 11, "end_i": 19, "severity": "Minor", "category": "Accuracy/Omission"}
    marked["annotation"][0]["A"]["error_spans"] = [span, beyond]
    (row,) = read(tmp_path, marked).frame.to_dicts()
    assert (row["scale"], row["score"]) == ("mqm", -6)
    assert [tuple(each.values()) for each in row["spans"]] == [
        (0, 5, "major", "grammar"),
        (None, None, "minor", "omission"),
    ]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"annotation": 3}, "line 2: '3' is no list"),
        ({"annotation": [[1]]}, r"line 2: annotation '\[1\]' is no object"),
        ({"annotation": [{"A": {"score": "high"}}]}, "line 2: 'high' is no number"),
        ({"annotation": [{"A": {"score": 101}}]}, "line 2: score 101 lies outside the scale"),
        ({"annotation": [{"A": {"error_spans": [{}]}}]}, "line 2: span from 'None' to 'None'"),
        ({"actions": [{"time": -3}]}, "line 2: -3.0 is no time in seconds"),
    ],
)
def test_bad_entries_are_named(tmp_path: Path, bad: dict[str, Any], message: str) -> None:
    sound = entry("ada", "1", {"A": 80})
    with pytest.raises(InputError, match=message):
        read(tmp_path, sound, {**entry("bob", "1", {"A": 80}), **bad})
