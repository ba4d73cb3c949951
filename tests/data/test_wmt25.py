"""WMT25's JSON lines: both layouts of the waves, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import InputError
from adjudge.data.table_files import Loaded, read_any

NAME = "en-cs_CZ_#_news_#_cats_#_3"


def read(tmp_path: Path, scores: Any, **more: Any) -> Loaded:
    path = tmp_path / "humeval.jsonl"
    record = {"doc_id": NAME, "src_text": "It sleeps.", "tgt_text": {"A": "Spí."}}
    path.write_text(json.dumps(record | {"scores": scores} | more) + "\n")
    return read_any(path)


@pytest.mark.parametrize(
    "waves",
    [
        [
            {"score": 80, "errors": [], "annotator": "one"},
            {"score": 60.5, "errors": [], "annotator": "two"},
        ],
        {
            "human1": 80,
            "errors1": [],
            "annotator1": "one",
            "human2": 60.5,
            "errors2": [],
            "annotator2": "two",
        },
    ],
)
def test_waves_are_scores_of_their_own(tmp_path: Path, waves: Any) -> None:
    table = read(tmp_path, {"A": waves}).frame
    columns = ("pair", "document", "segment", "hit", "judge", "output", "score", "text")
    about = ("en-cs_CZ", "news_#_cats", "3")
    assert table.select(columns).rows() == [
        (*about, "wave 1", "one", "A", 80, "Spí."),
        (*about, "wave 2", "two", "A", 60.5, "Spí."),
    ]


def test_a_wave_without_a_score_gives_no_row(tmp_path: Path) -> None:
    table = read(tmp_path, {"A": [{"score": float("nan")}, {"score": 5}], "B": {"human": 6}}).frame
    assert table.select("output", "hit", "score").rows() == [("A", "wave 2", 5), ("B", "wave 1", 6)]


@pytest.mark.parametrize(
    ("scores", "more", "message"),
    [
        ({"A": [{"score": 101}]}, {}, "line 1: score 101 lies outside the scale error-spans"),
        ({"A": [{"score": "x"}]}, {}, "line 1: 'x' is no number"),
        ({"A": [3]}, {}, "line 1: '3' is no object"),
        ({"A": [{"score": 3, "errors": 4}]}, {}, "line 1: '4' is no list of spans"),
        ({"A": [{"score": 3}]}, {"doc_id": "cats"}, "line 1: doc_id 'cats' is not PAIR_#_DOMAIN"),
    ],
)
def test_bad_records_are_named(tmp_path: Path, scores: Any, more: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, scores, **more)
