"""Appraise's export of scores: direct assessment, DA+SQM, ESA and MQM of WMT17 to WMT25.

One row per answer, without a header: account, system, item, item type, source and target
language, score, then, depending on the task, document and is-document-score, error spans
(`error_spans`), start and end in Unix seconds, and the numbers of batch and item. WMT25 puts the
name of the source segment after the account. Files with a header are read, too.

Left out, as WMT's organisers do: item types other than `TGT` (controls), tutorials, canaries,
documents marked `#incomplete` or `#dup`, scores of whole documents, and all but the last score
that one account gave to one output.

A document called `NAME#SYSTEM` belongs to a task that numbers its items from 1 to 100, whatever
segments they are. Its segments are numbered anew, in the order in which they were shown.
"""

import json
import re
from collections.abc import Sequence

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import leave_out, refuse, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.data.error_spans import score_spans
from adjudge.data.formats import Format
from adjudge.data.language_codes import language_pair
from adjudge.data.mqm import MQM, mqm_scores
from adjudge.data.outputs import check_system_names
from adjudge.data.score_table import SPAN, score_table

REPLACED = "earlier scores of an output by the same account"
_TYPES = ("TGT", "BAD", "CHK", "REF")
_LANGUAGE = re.compile(r"[a-z]{2,3}([-_][A-Za-z]+)?")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
_CORE = ("user", "system", "item", "type", "source_code", "target_code", "score")
_DOCUMENT = ("document", "whole")
_TIMES = ("start", "end")
_BATCH = ("batch", "batch_item")
# Headers as people write them, without case and punctuation.
_HEADERS = {
    "username": "user",
    "annotator": "user",
    "account": "user",
    "systemid": "system",
    "targetid": "system",
    "itemid": "item",
    "segmentid": "item",
    "itemtype": "type",
    "srclang": "source_code",
    "sourcelanguage": "source_code",
    "trglang": "target_code",
    "targetlanguage": "target_code",
    "docid": "document",
    "documentid": "document",
    "isdocscore": "whole",
    "iscompletedocument": "whole",
    "mqm": "spans",
    "errorspans": "spans",
    "timestart": "start",
    "starttime": "start",
    "timeend": "end",
    "endtime": "end",
}


def _columns(fields: Sequence[str]) -> list[str] | None:
    """The columns of a file by the fields of its first row, or None if it is no such file."""
    plain = [re.sub(r"[^a-z]", "", field.lower()) for field in fields]
    named = [_HEADERS.get(name, name) for name in plain]
    if {*_CORE} <= {*named}:
        return named
    names = list(_CORE)
    if len(fields) > 4 and fields[4] in _TYPES:
        names.insert(1, "source_id")
    at = len(names)
    if len(fields) < at or fields[at - 4] not in _TYPES or not _NUMBER.fullmatch(fields[at - 1]):
        return None
    if not all(map(_LANGUAGE.fullmatch, fields[at - 3 : at - 1])):
        return None
    if "".join(fields[at + 1 : at + 2]) in ("True", "False"):
        names += _DOCUMENT
    if "".join(fields[len(names) :]).startswith("["):
        names.append("spans")
    for more in (_TIMES, _BATCH):
        if len(names) < len(fields):
            names += more
    return names if len(names) == len(fields) else None


def _recognise(file: InputFile) -> bool:
    return _columns(file.header) is not None


def _read(file: InputFile) -> pl.DataFrame:
    names = _columns(file.header) or []
    has_header = file.header[names.index("type")] not in _TYPES

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        if has_header:
            frame = frame.rename(dict(zip(file.header, names, strict=True)))
        return _scores(frame, file)

    columns = None if has_header else names
    return read_delimited(file, build, columns=columns, check=score_table)


def _scores(frame: pl.DataFrame, file: InputFile) -> pl.DataFrame:
    require_values(frame, _CORE)
    check_system_names(frame, ("system",))
    refuse(
        frame,
        ~pl.col("type").is_in(_TYPES),
        f"item type {{}} is none of {', '.join(_TYPES)}; correct it",
        "type",
    )
    frame = _with_document(frame.with_columns(to_number(frame, "score", pl.Float64)))
    frame = leave_out(frame, file, _exclusions(frame))
    frame = _with_times(frame)
    frame = leave_out(frame, file, {REPLACED: _again(frame)})
    table = frame.with_row_index("number", offset=1).select(
        language_pair("source_code", "target_code").alias("pair"),
        pl.when(_in_task())
        .then(pl.col("document").str.extract(r"^(.*)#"))
        .otherwise("document")
        .alias("document"),
        _segment().alias("segment"),
        pl.col("number").alias("item"),
        pl.col("user").alias("judge"),
        _system_name().alias("output"),
        pl.lit("direct-assessment").alias("scale"),
        "score",
        *(name for name in ("seconds", "time", "line") if name in frame.columns),
    )
    table = table.with_columns(protocol=pl.col("scale"))
    return _with_spans(table, frame["spans"]) if "spans" in frame.columns else table


def _with_document(frame: pl.DataFrame) -> pl.DataFrame:
    """The document of an item: a column of its own, or part of the name of the segment (WMT25)."""
    name = pl.col("item")
    parts = name.str.contains("_#_", literal=True)
    of_name = pl.when(parts).then(name.str.extract(r"^(?:.*?_#_)?(.*)_#_"))
    document = pl.col("document") if "document" in frame.columns else pl.lit(None, pl.String)
    return frame.with_columns(
        document=pl.coalesce(of_name, document),
        item=pl.when(parts).then(name.str.extract(r"_#_([^#]*)$")).otherwise(name),
    )


def _exclusions(frame: pl.DataFrame) -> dict[str, pl.Expr | pl.Series]:
    """The items that WMT's organisers leave out, by reason."""
    document, system = pl.col("document"), pl.col("system")
    whole = pl.col("whole").str.to_lowercase() == "true"
    return {
        **{f"controls (type {kind})": pl.col("type") == kind for kind in _TYPES[1:]},
        "tutorial items": pl.any_horizontal(
            name.str.contains("tutorial", literal=True) for name in (system, document)
        ),
        "canary items": document.str.contains("canary", literal=True),
        "items of documents marked #incomplete": document.str.contains("#incomplete", literal=True),
        "items of documents marked #dup": document.str.contains("#dup", literal=True),
        **({"scores of whole documents": whole} if "whole" in frame.columns else {}),
    }


def _with_times(frame: pl.DataFrame) -> pl.DataFrame:
    """When an item was submitted, and how long it took."""
    if "end" not in frame.columns:
        return frame
    start, end = (to_number(frame, name, pl.Float64) for name in _TIMES)
    sound = pl.max_horizontal(start, end).is_between(0, 1e11)
    frame = frame.with_columns(seconds=(end - start).abs(), sound=sound)
    refuse(frame, ~pl.col("sound"), "end {} is no time in seconds since 1970; correct it", "end")
    time = (pl.max_horizontal(start, end) * 1e6).round().cast(pl.Int64)
    return frame.with_columns(time=time.cast(pl.Datetime("us", "UTC"))).drop("sound")


def _again(frame: pl.DataFrame) -> pl.Series:
    """Scores that the same account replaced later."""
    output = [name for name in (*_CORE[:3], "document", *_CORE[4:6]) if name in frame.columns]
    order = ["time"] if "time" in frame.columns else []
    rows = frame.with_row_index("row").sort(*order, "row")
    last = rows.unique(output, keep="last")["row"]
    return ~pl.int_range(len(frame), eager=True).is_in(last.cast(pl.Int64).implode())


def _in_task() -> pl.Expr:
    """Does the document name the system, so that items are numbered through a task?"""
    return pl.col("document").str.ends_with(pl.concat_str(pl.lit("#"), _system_name()))


def _segment() -> pl.Expr:
    """The item, or its place in the document where items are numbered through a task."""
    place = pl.col("item").cast(pl.Int64, strict=False).rank("dense")
    in_document = place.over("user", "system", "document").cast(pl.String)
    return pl.when(_in_task()).then(in_document).otherwise("item")


def _system_name() -> pl.Expr:
    """The system without the campaign before it (`wmt23.refA`), or of the file of its outputs.

    Such a file is called `generaltest2022.en-liv.hyp.NiuTrans.liv.txt`, a reference's
    `….ref.A.liv.txt`.
    """
    name = pl.col("system").str.replace(r"^wmt\d\d\.", "")
    parts = name.str.extract_groups(r"^[^.]+\.[^.]+\.(hyp|ref)\.(.+)\.[a-z]+\.txt$")
    kind, called = parts.struct.field("1"), parts.struct.field("2")
    reference = pl.when(kind == "ref").then(pl.concat_str(pl.lit("ref"), called))
    return pl.coalesce(reference, called, name)


def _with_spans(table: pl.DataFrame, written: pl.Series) -> pl.DataFrame:
    """The scores with the spans marked; of MQM, the scores are those of the spans."""
    frame = table.with_columns(written=written)
    distinct = frame["written"].drop_nulls().unique(maintain_order=True)
    spans = []
    for text in distinct.to_list():
        try:
            spans.append(score_spans(json.loads(text)))
        except (ValueError, RecursionError) as error:
            reason = f"has error spans that cannot be read ({error}); correct them"
            refuse(frame, pl.col("written") == text, reason.replace("{}", ""))
            raise InputError(reason) from None
    known = pl.DataFrame({"written": distinct, "spans": pl.Series(spans, dtype=pl.List(SPAN))})
    frame = frame.join(known, on="written", how="left", maintain_order="left").drop("written")
    category = pl.element().struct.field("category").is_not_null().any()
    is_mqm = frame.select(pl.col("spans").list.eval(category).explode().any()).item()
    if is_mqm and (frame["score"] == 0).all():
        named = frame.with_columns(pl.lit(MQM).alias("scale"), pl.lit(MQM).alias("protocol"))
        return mqm_scores(named)
    asked = pl.lit("error-spans")
    return frame.with_columns(asked.alias("scale"), asked.alias("protocol"))


_EXAMPLE = """\
engces01,A,11,TGT,eng,ces,80,cats,False,[],1700000000.5,1700000010.0
engces01,Překladač,11,TGT,eng,ces,55.5,cats,False,"[{""start_i"":0,""end_i"":0,""severity"":""minor"",\
""error_type"":null},{""start_i"":""missing"",""end_i"":""missing"",""severity"":""major""}]",\
1700000010.0,1700000030.0
engces01,A,12,BAD,eng,ces,20,cats,False,[],1700000030.0,1700000031.0
engces02,ende-tutorial1,1,TGT,eng,ces,20,ende-tutorial1,False,[],1700000030.0,1700000031.0
"""


FORMAT = Format(
    name="appraise-scores",
    description="Appraise's export of scores (DA, DA+SQM, ESA, MQM of WMT17–WMT25)",
    kind="scores",
    suffix=".csv",
    recognise=_recognise,
    read=_read,
    example={"wave.csv": _EXAMPLE.encode()},
    carries=frozenset(
        {
            "pair",
            "protocol",
            "document",
            "segment",
            "judge",
            "output",
            "scale",
            "score",
            "seconds",
            "time",
            "spans",
        }
    ),
)
