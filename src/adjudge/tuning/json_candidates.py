"""Candidates as JSON lines, for generators other than phrase-based decoders.

    {"segment": 1, "text": "a candidate", "features": {"lm": -47.3}, "scores": {"comet": 0.81}}

`segment` is the line of the reference, from 1. `scores` may be left out: how good the candidate is
by a metric of segments or by quality estimation, to be tuned towards.
"""

import json
from collections.abc import Iterator
from typing import Any

from adjudge.core.files.input_file import InputFile
from adjudge.tuning.candidates import Candidates, Row, gathered

_KEYS = ("segment", "text", "features", "scores")


def looks_like_json(file: InputFile) -> bool:
    """Test whether the first lines have the keys."""
    return file.first_line.startswith("{")


def read_json(file: InputFile) -> Candidates:
    """Read the list of a file."""
    return gathered(file, _rows(file), counted_from=1)


def _rows(file: InputFile) -> Iterator[Row]:
    order: tuple[str, ...] | None = None
    for line, text in enumerate(file.text.split("\n"), 1):
        if not text.strip():
            continue
        row = _object(file, line, text)
        segment, words = row.get("segment"), row.get("text", "")
        if not isinstance(segment, int) or isinstance(segment, bool) or segment < 1:
            raise file.bad_line(line, f"segment {segment!r} is not a line of a reference, from 1")
        if not isinstance(words, str):
            raise file.bad_line(line, f"text {words!r} is not text; put it between quotes")
        features = _numbers(file, line, "features", row.get("features", {}))
        # Objects have no order: all rows take that of the first.
        if order is None:
            order = tuple(features)
        if features.keys() == set(order):
            features = {name: features[name] for name in order}
        scores = _numbers(file, line, "scores", row.get("scores", {}))
        yield Row(line, segment - 1, words, tuple(features), tuple(features.values()), scores)


def _object(file: InputFile, line: int, text: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise file.bad_line(line, f"is not a JSON object ({error}); correct the line") from None
    if not isinstance(row, dict):
        raise file.bad_line(line, "is not a JSON object; write one {…} a line")
    unknown = [key for key in row if key not in _KEYS]
    if unknown:
        raise file.bad_line(line, f"unknown key {unknown[0][:80]!r}; there are {', '.join(_KEYS)}")
    return row


def _numbers(file: InputFile, line: int, key: str, given: Any) -> dict[str, float]:
    if not isinstance(given, dict):
        raise file.bad_line(line, f'{key} is no object; write {{"name": 1.5}}')
    for name, value in given.items():
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise file.bad_line(line, f"{key}: {name} is {value!r}, which is not a number")
        if not name or any(letter.isspace() for letter in name):
            raise file.bad_line(line, f"{key}: {name!r} is not a name; write one without blanks")
    return {name: float(value) for name, value in given.items()}
