"""JSON lines: one object per translation, or per source with its `candidates`.

Keys are the columns of the table of translations (`quality/translations.py`), or their synonyms, or
`pseudo_reference:NAME`; every other key holds a number. `candidates` is a list of objects, each a
candidate with its `rank` (1 is best; null: not ranked), `system` and `target`; the keys beside it
are the same for all of them. `judge` and `testset` are left out.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from adjudge.core.files.input_file import InputFile
from adjudge.data.table_files import is_known
from adjudge.quality.layouts import Layout
from adjudge.quality.layouts.table import CALLED
from adjudge.quality.translations import (
    TRANSLATION_SCHEMA,
    Place,
    is_number,
    translation_table,
)

_LEFT_OUT = ("judge", "testset")


def _recognise(path: str) -> bool:
    if not Path(path).is_file():
        return False
    file = InputFile(path)
    keys = {CALLED.get(key, key) for key in file.json_keys}
    return "source" in keys and bool(keys & {"candidates", "target"}) and not is_known(file)


def translations_in(file: InputFile) -> pl.DataFrame:
    """Read the table of translations of a file."""
    rows = [
        _row(file, line, given)
        for line, read in _objects(file)
        for given in _translations(file, line, read)
    ]
    names = {name for row in rows for name in row}
    schema = {
        **{name: dtype for name, dtype in TRANSLATION_SCHEMA.items() if name in names},
        **{name: _type(name) for name in sorted(names - TRANSLATION_SCHEMA.keys())},
    }
    frame = pl.DataFrame(rows, schema=schema)
    if "segment" not in names:
        frame = frame.with_columns(segment=pl.col("line").cast(pl.String))
    return translation_table(frame, Place(file.name))


def _objects(file: InputFile) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, text in enumerate(file.text.split("\n"), 1):
        if not text.strip():
            continue
        try:
            read = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise file.bad_line(line, f"is not a JSON object ({error}); correct the line") from None
        if not isinstance(read, dict):
            raise file.bad_line(line, "is not a JSON object; write one {…} a line")
        yield line, read


def _translations(file: InputFile, line: int, read: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the object itself, or one for each of its candidates."""
    if "candidates" not in read:
        yield read
        return
    candidates = read["candidates"]
    if not isinstance(candidates, list) or not all(isinstance(each, dict) for each in candidates):
        raise file.bad_line(line, "candidates is not a list of objects; correct it")
    shared = {key: value for key, value in read.items() if key != "candidates"}
    shared.setdefault("ranking", line)
    for candidate in candidates:
        yield {**shared, **candidate}


def _row(file: InputFile, line: int, given: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"line": line}
    for key, value in given.items():
        name = CALLED.get(key, key)
        if key in _LEFT_OUT or value is None:
            continue
        if name in row:
            raise file.bad_line(line, f"has {name} twice; remove one")
        row[name] = _value(file, line, name, value)
    return row


def _type(name: str) -> pl.DataType:
    return TRANSLATION_SCHEMA.get(name, pl.Float64() if is_number(name) else pl.String())


def _value(file: InputFile, line: int, name: str, value: Any) -> Any:
    dtype = _type(name)
    if isinstance(dtype, pl.String):
        if isinstance(value, str | int):
            return str(value)
        what = "text"
    elif isinstance(dtype, pl.List):
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return value
        what = "a list of tags"
    elif isinstance(dtype, pl.Float64):
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        what = "a number"
    else:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31:
            return value
        what = "a whole number"
    raise file.bad_line(line, f"{name} {str(value)[:60]!r} is not {what}; correct it")


LAYOUT = Layout(
    name="json-lines",
    description="an object a translation, or a source and its candidates with their ranks",
    recognise=_recognise,
    read=lambda path: translations_in(InputFile(path)),
    files=lambda path: [path],
    example={
        "rankings.jsonl": (
            '{"ranking": 1, "segment": 13, "source": "The tank is empty.", "candidates": ['
            '{"system": "A", "rank": 1, "text": "Der Tank ist leer."}, '
            '{"system": "B", "rank": null, "text": "Leer."}]}\n'
            '{"ranking": 2, "segment": 14, "source": "Press twice.", "candidates": ['
            '{"system": "A", "rank": 2, "text": "Drück"}, '
            '{"system": "B", "rank": 1, "text": "Zweimal drücken."}]}\n'
        ).encode()
    },
    path="rankings.jsonl",
)
