"""The TSV files of WMT's MQM annotations: one line an error, or one that says there is none.

Columns system, doc, doc_id (the segment's number in its document), seg_id (in the whole test
set, 0 where unknown), rater, source, target, category, severity; newer files call the numbers
docSegId and globalSegId and have more columns, which are not read. `<v>…</v>` in the target
surrounds the error. No quoting. A language pair has no place in it: it is the beginning of the
file's name, up to the first dot (`en-de.mqm.tsv`), or the end of it in Google's own names
(`mqm_ted_ende.tsv`). Lines whose severity begins with `HOTW` are tests of attention that the
annotation tool had put in; they are left out.

Read, it becomes rows on the scale `mqm`, categories under our names where we have one
(`mqm.CATEGORIES`). Neither the scores that judges gave nor times have a place in it, and none of
an output that a judge met again: only the marks they made first are written.
"""

import re
from pathlib import Path

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import leave_out, refuse, require_values
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.data.formats import Format
from adjudge.data.mqm import CATEGORIES, KNOWN_CATEGORIES, MQM, WEIGHTS, mqm_scores
from adjudge.data.outputs import attributed, check_system_names, list_systems
from adjudge.data.score_table import SPAN, score_table

COLUMNS = (
    "system",
    "doc",
    "doc_id",
    "seg_id",
    "rater",
    "source",
    "target",
    "category",
    "severity",
)
NAMES = {"docSegId": "doc_id", "globalSegId": "seg_id"}
NO_ERROR = "no-error"
_ITEM = ("system", "doc", "doc_id", "seg_id", "rater")
_TAGS = "</?v>"
_GOOGLE_NAME = re.compile(r"mqm[-_].*_([a-z]{2})([a-z]{2})")


def _recognise(file: InputFile) -> bool:
    """Does its header have the columns?"""
    header = {NAMES.get(name, name) for name in file.first_line.split("\t")}
    return header.issuperset(COLUMNS)


def _read(file: InputFile) -> pl.DataFrame:
    """The score table of such a file."""
    pair = pair_in_name(file.name)

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.rename({new: old for new, old in NAMES.items() if new in frame.columns})
        hotw = pl.col("severity").str.to_lowercase().str.starts_with("hotw")
        frame = leave_out(frame, file, {"tests of attention (HOTW)": hotw})
        require_values(frame, ("system", "doc", "doc_id", "rater", "target", "severity"))
        check_system_names(frame, ("system",))
        refuse(
            frame,
            ~pl.col("severity").str.to_lowercase().is_in([NO_ERROR, *WEIGHTS]),
            f"severity {{}} has no weight; those that have are {', '.join(WEIGHTS)}",
            "severity",
        )
        frame = _with_spans(frame)
        refuse(
            frame,
            (pl.col("text") != pl.col("text").first().over(_ITEM)).fill_null(False),
            "has another target than the lines of this segment, system and rater before it",
        )
        items = (
            frame.group_by(_ITEM, maintain_order=True)
            .agg(
                *(pl.col(n).first() for n in ("source", "text", "line") if n in frame.columns),
                pl.col("span").drop_nulls().alias("spans"),
            )
            .with_row_index("item", offset=1)
        )
        numbered = (items["seg_id"].fill_null("0") != "0").all()
        return mqm_scores(
            items.rename({"doc": "document", "rater": "judge", "system": "output"})
            .with_columns(
                pl.lit(pair).alias("pair"),
                pl.col("seg_id" if numbered else "doc_id").alias("segment"),
                pl.lit(MQM).alias("scale"),
            )
            .drop("doc_id", "seg_id")
        )

    return read_delimited(file, build, separator="\t", check=score_table)


def pair_in_name(path: str) -> str:
    """The language pair in the name of a file: its end in Google's names, else all up to a dot."""
    name = Path(path).name.partition(".")[0]
    google = _GOOGLE_NAME.fullmatch(name)
    return "-".join(google.groups()) if google else name


def _with_spans(frame: pl.DataFrame) -> pl.DataFrame:
    """The target without its marks as `text`, and `span`: null where there is no error."""
    target = pl.col("target")
    before = target.str.extract(r"(?s)^(.*?)<v>").str.len_chars()
    inside = target.str.extract(r"(?s)<v>(.*)</v>").str.replace_all(_TAGS, "").str.len_chars()
    marked = inside > 0
    severity = pl.col("severity").str.to_lowercase()
    span = pl.struct(
        pl.when(marked).then(before).alias("start"),
        pl.when(marked).then(before + inside).alias("end"),
        severity.alias("severity"),
        pl.col("category")
        .str.to_lowercase()
        .replace_strict(KNOWN_CATEGORIES, default=pl.col("category"))
        .alias("category"),
    ).cast(SPAN)
    return frame.with_columns(
        target.str.replace_all(_TAGS, "").alias("text"),
        pl.when(severity != NO_ERROR).then(span).alias("span"),
    )


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    """One line an error, and one for every output without."""
    marked = table.drop_nulls(["spans", "text"]).filter(attributed())
    marked = marked.sort("time", "item", maintain_order=True).unique(
        ["pair", "document", "segment", "output", "judge"], keep="first", maintain_order=True
    )
    if not len(marked):
        raise InputError("no errors are marked in these scores; write JSONL instead")
    text = pl.col("text").cast(pl.String)
    if marked.select(text.str.contains(_TAGS).any()).item():
        raise InputError("an output has <v> in it, which would look like a mark; write JSONL")
    errors = (
        _numbered(marked)
        .with_columns(
            list_systems().alias("output"),
            text.str.replace_all(r"[\t\r\n]", " "),
            pl.col("source").cast(pl.String).str.replace_all(r"[\t\r\n]", " "),
        )
        .explode("output")
        .explode("spans", empty_as_null=True)
        .unnest("spans")
    )
    start, end = pl.col("start"), pl.col("end")
    target = pl.concat_str(
        text.str.slice(0, start),
        pl.lit("<v>"),
        text.str.slice(start, end - start),
        pl.lit("</v>"),
        text.str.slice(end),
    )
    severity = pl.col("severity")
    errors.select(
        pl.col("output").alias("system"),
        pl.col("document").alias("doc"),
        "doc_id",
        "seg_id",
        pl.col("judge").alias("rater"),
        "source",
        pl.when(start.is_null()).then(text).otherwise(target).alias("target"),
        pl.when(severity.is_null())
        .then(pl.lit("No-error"))
        .otherwise(pl.col("category").replace(CATEGORIES))
        .alias("category"),
        severity.str.to_titlecase().fill_null("No-error"),
    ).write_csv(file.stream, separator="\t", quote_style="never")


def _numbered(marked: pl.DataFrame) -> pl.DataFrame:
    """With the numbers of the segment in its document (`doc_id`) and in the test set (`seg_id`).

    Segments that are named by numbers of which no two documents share one are those of the test
    set; in a document they count from the lowest there is. Names that are no numbers are numbered
    in their order.
    """
    number = pl.col("segment").cast(pl.String).cast(pl.Int64, strict=False)
    by_name = pl.col("segment").cast(pl.String).rank("dense").over("document").cast(pl.Int64)
    named = marked.with_columns(number=number)
    if named["number"].null_count():
        return marked.with_columns(doc_id=by_name, seg_id=0)
    homes = named.group_by("number").agg(pl.col("document").n_unique())["document"]
    if len(homes) and (homes > 1).any():
        return named.with_columns(doc_id="number", seg_id=0)
    first = pl.col("number").min().over("document")
    return named.with_columns(doc_id=pl.col("number") - first + 1, seg_id="number")


_EXAMPLE = """\
system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity
A\tcats\t1\t11\trater1\tThe cat sleeps.\tKočka <v>😀</v> spí.\tFluency/Spelling\tMinor
A\tcats\t1\t11\trater1\tThe cat sleeps.\tKočka 😀 spí.\tAccuracy/Omission\tMajor
Překladač\tcats\t3\t13\trater1\tA "cat".\t"Kočka".\tNo-error\tNo-error
"""


FORMAT = Format(
    name="mqm-tsv",
    description="WMT's MQM annotations (TSV)",
    kind="scores",
    suffix=".tsv",
    recognise=_recognise,
    read=_read,
    example={"en-cs.mqm.tsv": _EXAMPLE.encode()},
    write=_write,
    carries=frozenset(
        {"pair", "document", "segment", "judge", "output", "spans", "source", "text"}
    ),
)
