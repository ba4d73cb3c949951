"""Golden files tell what moved, overlook what may change, and hold no text that is not ours."""

import json

import pytest
from golden_files import EXPECTED, NAMES, TEXT, differences, normalised, store, stored
from sessions import SESSIONS

OLD = {"rows": [{"system": "A", "score": 0.123456789, "wins": 3, "placed": True}]}


def moved(new: dict) -> list[str]:
    return [str(each) for each in differences(OLD, {"rows": [OLD["rows"][0] | new]})]


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ({}, []),
        ({"score": 0.1234567894}, []),
        ({"score": 0.1234568}, ["rows[0] › score: 0.123456789 → 0.1234568"]),
        ({"wins": 4}, ["rows[0] › wins: 3 → 4"]),
        ({"wins": 3.0}, []),
        ({"placed": 1}, ["rows[0] › placed: true → 1"]),
        ({"system": None}, ['rows[0] › system: "A" → null']),
        ({"low": 1}, ["rows[0] › low: (none) → 1"]),
    ],
)
def test_what_moved_is_told(new, told) -> None:
    assert moved(new) == told


def test_what_is_gone_is_told() -> None:
    gone = next(differences(OLD, {"rows": [{}]}))
    assert str(gone) == 'rows[0] › system: "A" → (none)'
    assert [str(each) for each in differences(OLD, {"rows": []})] == ["rows › how many: 1 → 0"]


def test_only_what_is_new_is_added() -> None:
    assert [each.added for each in differences({"a": 1}, {"a": 2, "b": 1})] == [False, True]


def test_numbers_and_names_are_stored_and_wording_is_not() -> None:
    row = {
        "score": 1 / 3,
        "system": "A",
        "text": "two words",
        "notes": "One.",
        "nothing": None,
        "time": "2026-01-31T12:00",
        "link": "https://judge.example.org/x",
        "signature": "adjudge:rank|pair:a b|version:0.1.0",
    }
    assert normalised(row) == {
        "score": 0.333333333,
        "system": "A",
        "nothing": None,
        "signature": "adjudge:rank|pair:a b",
        **dict.fromkeys(("text", "notes", "time", "link"), TEXT),
    }
    assert normalised({"text": "word", "system": ["A"]}, public=False) == {
        "text": TEXT,
        "system": ["A"],
    }


def test_renewal_keeps_what_did_not_move(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("golden_files.EXPECTED", tmp_path)
    store("x", {"a": {"b": 0.1}, "c": {"b": [{"d": 1}]}, "gone": {}})
    new = {"a": {"b": 0.1 + 1e-12}, "c": {"b": [{"d": 2}]}}
    store("x", new)
    assert stored("x") == {"a": {"b": 0.1}, "c": {"b": [{"d": 2}]}}


def test_golden_files_are_small_and_without_texts() -> None:
    """Data with texts that must stay private (`wmt17`) are in no session."""
    files = sorted(EXPECTED.glob("*.json"))
    assert sum(file.stat().st_size for file in files) < 1_500_000
    assert {file.stem for file in files} >= SESSIONS.keys()
    for file in files:
        if file.stem.startswith("shared-"):
            assert "wmt17" not in SESSIONS[file.stem].read_text(encoding="utf-8").lower()
            for line in json.loads(file.read_text(encoding="utf-8")).values():
                assert {text for row in line["rows"] for text in _texts(row)} <= {TEXT}


def _texts(row: dict) -> list[str]:
    """The texts of a row that are no names."""
    values = [value for key, value in row.items() if key not in NAMES | {"signature"}]
    assert not any(isinstance(value, (dict, list)) for value in values)
    return [value for value in values if isinstance(value, str)]


def test_what_moved_fails_and_what_is_new_warns(golden, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("golden_files.EXPECTED", tmp_path)
    rows = [{"system": name, "level": 0.95} for name in "ABC"]
    store("x", {"rank": {"rows": rows}})
    golden("x", {"rank": {"rows": rows}})
    with pytest.warns(UserWarning, match=r"not yet in x\.json .*\n.*› unit: \(none\) → \"judge\""):
        golden("x", {"rank": {"rows": [row | {"unit": "judge"} for row in rows]}})
    with pytest.raises(pytest.fail.Exception) as failed:
        golden("x", {"rank": {"rows": [row | {"level": 0.9} for row in rows]}})
    assert "rank › rows[0] › level: 0.95 → 0.9 (and 2 rows more)" in str(failed.value)
    with pytest.raises(pytest.fail.Exception, match=r"no golden file y\.json"):
        golden("y", {})
