"""Annotations of Pearmut: its log (`CAMPAIGN.jsonl`) and its download (`annotations.json`).

A log has one object a line for every document that an annotator submitted: `user_id`; `item`, the
segments of the document with `item_id`, `src` and the outputs `tgt`; `annotation`, for each of
them an object from systems to `score`, `error_spans` and `textfield`; `actions` with their times;
`item_i`, the place in the campaign. A download is one JSON object from campaigns to such lists.
WMT26 published its annotations so.

The outputs of a segment stand side by side, so they are one item. An `item_id` of WMT25 and WMT26
(`segment_names`) says language pair and document; without one, the pair is the name of the
campaign. Scores are on the scale `error-spans` where spans were asked for, else
`direct-assessment`; where spans have categories but no output has a score, on `mqm`.

Left out, as WMT26's organisers do: all that an annotator submitted before a reset, tutorials,
attention checks, and segments without an `item_id`; besides, forms, and all but the last
annotation of an output by the same annotator.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import leave_out, read_rows
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.data.error_spans import score_spans, written_span
from adjudge.data.formats import Format
from adjudge.data.json_records import (
    as_list,
    as_number,
    as_object,
    as_text,
    json_document,
    json_lines,
    wrong,
)
from adjudge.data.mqm import MQM, mqm_scores
from adjudge.data.outputs import attributed, check_system_names, list_systems
from adjudge.data.score_table import SPAN, score_table
from adjudge.data.segment_names import join_name, split_name

RESET = "__RESET__"
# How `item_i` begins of what was shown outside of the campaign's data.
_ASIDE = ("welcome_", "random_", "goodbye_")
_KEYS = {"user_id", "item", "annotation"}
_SCHEMA = {
    **dict.fromkeys(("pair", "document", "segment"), pl.String()),
    "item": pl.Int64(),
    **dict.fromkeys(("judge", "output"), pl.String()),
    "score": pl.Float64(),
    "spans": pl.List(SPAN),
    "time": pl.Datetime("us", "UTC"),
    **dict.fromkeys(("comment", "source", "text"), pl.String()),
    "line": pl.Int64(),
    "excluded": pl.String(),
}
Entry = tuple[int | None, str, dict[str, Any]]  # line, campaign, what was logged


def _recognise(file: InputFile) -> bool:
    return file.json_keys >= _KEYS or _is_download(file)


def _is_download(file: InputFile) -> bool:
    """Does it begin with a campaign's list of objects, one of which has a log's keys?"""
    head = file.head.decode("utf-8", "ignore").lstrip()
    if not head.startswith("{"):
        return False
    opened = head[1:].partition(":")[2].lstrip()
    return opened.startswith("[") and all(f'"{key}"' in head for key in ("user_id", "annotation"))


def _read(file: InputFile) -> pl.DataFrame:
    return read_rows(
        file, lambda frame: _scores(frame, file), lambda: _annotated(file), check=score_table
    )


def _annotated(file: InputFile) -> pl.DataFrame:
    """Everything that was annotated; a download has no lines to name."""
    frame = pl.DataFrame(list(_rows(_entries(file), file)), schema=_SCHEMA, orient="row")
    return frame.drop("line") if frame["line"].null_count() else frame


def _scores(frame: pl.DataFrame, file: InputFile) -> pl.DataFrame:
    kinds = frame["excluded"].drop_nulls().unique(maintain_order=True).to_list()
    frame = leave_out(frame, file, {kind: pl.col("excluded") == kind for kind in kinds})
    output = ["pair", "document", "segment", "judge", "output"]
    last = frame.select(pl.struct(output).is_last_distinct()).to_series()
    frame = leave_out(frame, file, {"earlier annotations of an output by the same judge": ~last})
    check_system_names(frame, ("output",))
    return _with_scale(frame.drop("excluded"))


def _with_scale(frame: pl.DataFrame) -> pl.DataFrame:
    marked = frame["spans"].is_not_null().any()
    scored = frame["score"].is_not_null().any()
    if marked and not scored:
        return mqm_scores(frame.with_columns(scale=pl.lit(MQM), protocol=pl.lit(MQM)))
    scale = pl.lit("error-spans" if marked else "direct-assessment")
    return frame.with_columns(scale=scale, protocol=scale)


def _entries(file: InputFile) -> Iterator[Entry]:
    """What was logged, in its order."""
    if file.json_keys >= _KEYS:
        campaign = Path(file.name).name.partition(".")[0]
        yield from ((line, campaign, entry) for line, entry in json_lines(file))
        return
    for campaign, entries in as_object(json_document(file), file, None).items():
        for entry in as_list(entries, file, None):
            yield None, campaign, as_object(entry, file, None)


def _rows(entries: Iterator[Entry], file: InputFile) -> Iterator[tuple[Any, ...]]:
    """A row for every output that was annotated, with the reason to exclude it."""
    logged = list(entries)
    resets: dict[tuple[str, str | None], int] = {}
    for place, (line, campaign, entry) in enumerate(logged):
        if entry.get("annotation") == RESET:
            resets[campaign, as_text(entry.get("user_id"), file, line)] = place
    number = 0
    for place, (line, campaign, entry) in enumerate(logged):
        if entry.get("annotation") == RESET or "item" not in entry:
            continue
        user = as_text(entry.get("user_id"), file, line)
        before_reset = place < resets.get((campaign, user), -1)
        aside = str(entry.get("item_i")).startswith(_ASIDE)
        time = _time(entry, file, line)
        segments = as_list(entry["item"], file, line)
        annotations = as_list(entry.get("annotation"), file, line)
        for segment, annotation in zip(segments, annotations, strict=False):
            number += 1
            about = as_object(segment, file, line)
            name = as_text(about.get("item_id"), file, line)
            pair, document, own = split_name(name or "")
            excluded = _exclusion(name, before_reset, aside)
            texts = about.get("tgt") or {}
            for system, given in _outputs(annotation, file, line):
                text = as_text(as_object(texts, file, line).get(system), file, line)
                spans = given.get("error_spans")
                try:
                    marked = None if spans is None else score_spans(spans, text)
                except ValueError as error:
                    raise wrong(file, line, str(error)) from None
                yield (
                    *(pair or campaign, document, own or None, number, user, system),
                    *(as_number(given.get("score"), file, line), marked, time),
                    as_text(given.get("textfield"), file, line) or None,
                    *(as_text(about.get("src"), file, line), text, line, excluded),
                )


def _outputs(annotation: Any, file: InputFile, line: int | None) -> Iterator[tuple[str, Any]]:
    """The systems of a segment and what was said of each; none of a form or a skipped segment."""
    if isinstance(annotation, dict):
        for system, given in annotation.items():
            if isinstance(given, dict):
                yield system, given
    elif annotation is not None and not isinstance(annotation, str | int | float):
        raise wrong(file, line, f"annotation {str(annotation)[:60]!r} is no object")


def _exclusion(name: str | None, before_reset: bool, aside: bool) -> str | None:
    """Why the outputs of a segment do not count, if they do not."""
    if before_reset:
        return "annotations before a reset"
    if name is None:
        return "annotations of segments without item_id"
    if name.startswith("attention_check_"):
        return "attention checks"
    if "_#_tutorial_#_" in name:
        return "tutorial items"
    return "items before, between or after the campaign's own" if aside else None


def _time(entry: dict[str, Any], file: InputFile, line: int | None) -> datetime | None:
    """When the document was submitted: the time of the last action."""
    actions = entry.get("actions") or []
    given = (as_object(each, file, line).get("time") for each in as_list(actions, file, line))
    times = [time for each in given if (time := as_number(each, file, line)) is not None]
    if not times:
        return None
    if not 0 <= max(times) < 1e11:
        raise wrong(file, line, f"{max(times)} is no time in seconds since 1970")
    return datetime.fromtimestamp(max(times), UTC)


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    """One line for every item: its segment alone is the document."""
    given = table.filter(attributed()).with_columns(output=list_systems())
    if not len(given):
        raise InputError("no scores of known systems are among these; write JSONL instead")
    for place, rows in enumerate(given.partition_by("item", maintain_order=True)):
        first, *_ = items = rows.to_dicts()
        annotation: dict[str, Any] = {}
        texts: dict[str, str | None] = {}
        for row in items:
            for system in row["output"]:
                if system in annotation:
                    raise InputError(
                        f"item {row['item']} has scores on several scales, which Pearmut does not "
                        "know; choose one (`scale`), or write JSONL"
                    )
                texts[system] = row["text"]
                annotation[system] = _annotation(row)
        item = {
            "item_id": join_name(first["pair"], first["document"], first["segment"]),
            "src": first["source"],
            "tgt": texts,
        }
        entry = {
            "user_id": first["judge"],
            "item_i": place,
            "item": [item],
            "annotation": [annotation],
            "actions": _actions(first["time"]),
        }
        file.stream.write(f"{json.dumps(entry, ensure_ascii=False)}\n".encode())


def _annotation(row: dict[str, Any]) -> dict[str, Any]:
    said = {"score": row["score"], "textfield": row["comment"]}
    if row["spans"] is not None:
        said["error_spans"] = [written_span(span) for span in row["spans"]]
        said["score"] = None if row["scale"] == MQM else row["score"]
    return said


def _actions(time: datetime | None) -> list[dict[str, Any]]:
    return [] if time is None else [{"time": time.timestamp(), "action": "submit"}]


def _example() -> bytes:
    """A document of two segments with two systems, and an attention check."""
    names = ("en-cs_#_news_#_cats_#_0", "en-cs_#_news_#_cats_#_1", "attention_check_1")
    texts = {"A": "Kočka 😀 spí.", "Překladač": "Kočky spí."}
    items = [{"item_id": name, "src": "The cat sleeps.", "tgt": texts} for name in names]
    spans = [
        {"start_i": 6, "end_i": 6, "severity": "minor", "category": None},
        {
            "start_i": "missing",
            "end_i": "missing",
            "severity": "major",
            "category": "Style/Awkward",
        },
    ]
    said = {
        "A": {"score": 71.5, "error_spans": spans, "textfield": "Fine."},
        "Překladač": {"score": 30, "error_spans": [], "textfield": "Fine."},
    }
    entry = {
        "user_id": "swift-fox-1",
        "item_i": 0,
        "item": items,
        "annotation": [said] * 3,
        "actions": [{"time": 1700000000.5, "action": "load"}, {"time": 1700000060.25}],
    }
    return f"{json.dumps(entry)}\n".encode()


FORMAT = Format(
    name="pearmut",
    description="Pearmut's annotations: its log and its download (WMT26)",
    kind="scores",
    suffix=".pearmut.jsonl",
    recognise=_recognise,
    read=_read,
    example={"campaign.jsonl": _example},
    write=_write,
    carries=frozenset({"protocol", "scale", *_SCHEMA} - {"item", "line", "excluded"}),
)
