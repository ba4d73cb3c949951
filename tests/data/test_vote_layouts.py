"""Votes as MT-Bench and AlpacaEval publish them."""

import json
from pathlib import Path

import pytest

from adjudge.core.errors import InputError
from adjudge.data.table_files import read_any


def test_each_turn_of_mt_bench_is_a_segment(tmp_path: Path) -> None:
    path = tmp_path / "human.jsonl"
    vote = {"question_id": 81, "model_a": "x", "model_b": "y", "winner": "model_b"}
    vote |= {"judge": "author_0", "conversation_a": [{"role": "user", "content": "Hi"}]}
    path.write_text("".join(f"{json.dumps(vote | {'turn': turn})}\n" for turn in (1, 2)))
    table = read_any(path).frame
    assert table["segment"].to_list() == ["81 turn 1"] * 2 + ["81 turn 2"] * 2
    path.write_text("model_a,model_b,winner,question_id\nx,y,tie,81\n")
    assert read_any(path).frame["segment"].to_list() == ["81", "81"]


def alpaca(path: Path, *preferences: object) -> Path:
    outputs = {"generator_1": "x", "output_1": "a", "generator_2": "y", "output_2": "b"}
    records = [{"instruction": "Say.", **outputs, "preference": each} for each in preferences]
    path.write_text(json.dumps(records))
    return path


def test_the_side_of_a_preference_counts(tmp_path: Path) -> None:
    loaded = read_any(alpaca(tmp_path / "annotations.json", 1, 1.2, 1.5, 0, 1.9, 2.0, None))
    ranks = loaded.frame["rank"].to_list()
    assert list(zip(ranks[::2], ranks[1::2], strict=True)) == [
        *((1, 2), (1, 2), (1, 1), (1, 1), (2, 1), (2, 1)),
    ]
    assert loaded.left_out == "Left out: 1 annotations without a preference."


@pytest.mark.parametrize(
    ("preference", "message"),
    [(3, "preference 3.0 is neither 0 nor"), ("first", "'first' is no number")],
)
def test_other_preferences_are_refused(tmp_path: Path, preference: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_any(alpaca(tmp_path / "annotations.json", preference))
