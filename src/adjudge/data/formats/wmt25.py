"""WMT25's human evaluation: JSON lines, one segment a line, with all its outputs and scores.

`doc_id` is the name of the segment (`en-cs_CZ_#_news_#_document_#_3`), `src_text` its source,
`tgt_text` has the output of every system. `scores` has for every system the two waves of error
span annotation: a list of objects with `score`, `errors` and `annotator`, or, in the earlier
layout, `human1`, `errors1`, `annotator1` and the same with 2. A wave that scored nothing has no
score or NaN. The wave is the HIT.
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from adjudge.core.files.checked_table import read_rows
from adjudge.core.files.input_file import InputFile
from adjudge.data.error_spans import score_spans
from adjudge.data.formats import Format
from adjudge.data.json_records import as_number, as_object, as_text, json_lines, wrong
from adjudge.data.outputs import check_system_names
from adjudge.data.score_table import SPAN, score_table
from adjudge.data.segment_names import split_name

SCALE = "error-spans"
_SCHEMA = {
    **dict.fromkeys(("pair", "document", "segment", "hit", "judge", "output"), pl.String()),
    "score": pl.Float64(),
    "spans": pl.List(SPAN),
    **dict.fromkeys(("source", "text"), pl.String()),
    "line": pl.Int64(),
}


def _recognise(file: InputFile) -> bool:
    return {"doc_id", "src_text", "tgt_text", "scores"} <= file.json_keys


def _read(file: InputFile) -> pl.DataFrame:
    return read_rows(file, _scores, lambda: _rows(file), check=score_table)


def _rows(file: InputFile) -> pl.DataFrame:
    rows = [row for line, record in json_lines(file) for row in _segment(record, file, line)]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def _scores(frame: pl.DataFrame) -> pl.DataFrame:
    check_system_names(frame, ("output",))
    scale = pl.lit(SCALE)
    return frame.with_row_index("item", offset=1).with_columns(scale=scale, protocol=scale)


def _segment(record: Mapping[str, Any], file: InputFile, line: int) -> Iterator[tuple[Any, ...]]:
    """A row for every score of the segment."""
    name = as_text(record.get("doc_id"), file, line)
    pair, document, segment = split_name(name or "")
    if pair is None:
        raise wrong(file, line, f"doc_id {name!r} is not PAIR_#_DOMAIN_#_DOCUMENT_#_SEGMENT")
    source = as_text(record.get("src_text"), file, line)
    texts = as_object(record.get("tgt_text"), file, line)
    for system, given in as_object(record.get("scores"), file, line).items():
        text = as_text(texts.get(system), file, line)
        for wave, score, errors, judge in _waves(given, file, line):
            number = as_number(score, file, line)
            if number is None:
                continue
            try:
                spans = None if errors is None else score_spans(errors, text)
            except ValueError as error:
                raise wrong(file, line, str(error)) from None
            by = as_text(judge, file, line)
            about = (pair, document, segment, f"wave {wave}", by, system)
            yield (*about, number, spans, source, text, line)


def _waves(given: Any, file: InputFile, line: int) -> Iterator[tuple[int, Any, Any, Any]]:
    """The number of each wave, and what it says."""
    if isinstance(given, list):
        for wave, one in enumerate(given, 1):
            said = as_object(one, file, line)
            yield wave, said.get("score"), said.get("errors"), said.get("annotator")
        return
    said = as_object(given, file, line)
    for ending in ("", "1", "2"):
        if f"human{ending}" in said:
            keys = (f"{key}{ending}" for key in ("human", "errors", "annotator"))
            score, errors, judge = map(said.get, keys)
            yield int(ending or 1), score, errors, judge


_MARKS = (
    {"start_i": 0, "end_i": 4, "severity": "major"},
    {"start_i": "missing", "end_i": "missing", "severity": "minor"},
)
_EXAMPLE = (
    {
        "doc_id": "en-cs_CZ_#_news_#_cats_#_0",
        "src_text": "The cat sleeps.",
        "tgt_text": {"A": "Kočka spí.", "B": "Kočky spí."},
        "scores": {
            "A": [
                {"score": 95, "errors": [], "annotator": "annotator1"},
                {"score": 90.5, "errors": [], "annotator": "annotator2"},
            ],
            "B": [{"score": 60, "errors": _MARKS, "annotator": "annotator1"}, {"score": math.nan}],
        },
    },
    {
        "doc_id": "en-cs_CZ_#_news_#_cats_#_1",
        "src_text": "It dreams.",
        "tgt_text": {"A": "Sní."},
        "scores": {"A": {"human1": 88, "errors1": [], "annotator1": "annotator1", "human2": 70}},
    },
)


FORMAT = Format(
    name="wmt25",
    description="WMT25's human evaluation (JSON lines)",
    kind="scores",
    suffix=".jsonl",
    recognise=_recognise,
    read=_read,
    example={"wmt25-genmt-humeval.jsonl": "\n".join(map(json.dumps, _EXAMPLE)).encode()},
    carries=frozenset({"protocol", "scale", "output", *_SCHEMA} - {"line"}),
)
