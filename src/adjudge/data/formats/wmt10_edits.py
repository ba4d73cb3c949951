"""WMT10's edits without the source, and whether the results are acceptable (Bojar 2011 §4.1).

Two tables: the edits (`….EDT.tsv`) and, beside them, their reviews (`….ACC.csv`). Both have
srclang, trglang, srcIndex, documentId and segmentId.

- An edit has editId, editorId, system1Id, what the editor did (system1actionStr) and the text
  that came of it (system1edit). EDIT: the text was changed; OK: it was left as it is; BAD: it
  cannot be understood; N/A: the editor did not say, but sent the text. Without a text nothing
  can be understood, whatever the editor did.
- A review has judgeId, systemId, the editId, and a judgment: YES, NO, or UNK for no answer.

WMT10 numbered the edits of its last days from 1 again in the reviews, but not in the edits: the
edit with such a number is of another segment or system. If one number added to all of them gives
edits that fit, those are meant.
"""

from pathlib import Path

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import refuse, require_columns, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import uncompressed_name
from adjudge.data.edit_table import BLIND_EDIT, REVIEW, edit_table
from adjudge.data.formats import Format
from adjudge.data.formats.wmt_csv import language_pair
from adjudge.data.outputs import check_system_names

_SEGMENT = ("srclang", "trglang", "srcIndex", "documentId", "segmentId")
_EDIT = (*_SEGMENT, "editId", "editorId", "system1Id", "system1actionStr")
_NOT_READ = ("system1Number", "system1actionVal", "systemNumber")
_REVIEW = (*_SEGMENT, "judgeId", "systemId", "editId", "judgment")
_ACTIONS = ("EDIT", "OK", "BAD", "N/A")
_VERDICTS = {"YES": "yes", "NO": "no", "UNK": None}
_OF_EDIT = ("pair", "document", "segment", "output")


def _recognise(file: InputFile) -> bool:
    """The edits or the reviews."""
    header = {*file.first_line.split("\t")}
    return header.issuperset((*_EDIT, "system1edit")) or {*file.header}.issuperset(_REVIEW)


def _read(file: InputFile) -> pl.DataFrame:
    """The edits and their reviews."""
    if {*file.header}.issuperset(_REVIEW):
        raise InputError(
            "holds reviews; give the edits that they are of (….EDT.tsv), which find it beside them",
            file=file.name,
        )
    reviews_file = file.beside(_reviews_name(file))
    edits = read_delimited(file, _edits, separator="\t", check=edit_table)

    def with_edits(frame: pl.DataFrame) -> pl.DataFrame:
        return _with_edits(_reviews(frame), edits)

    return read_delimited(reviews_file, with_edits, check=edit_table)


def _reviews_name(file: InputFile) -> str:
    """What the file of the reviews is called."""
    name = uncompressed_name(Path(file.name).name)
    before, edt, _ = name.rpartition("EDT")
    if not edt:
        raise InputError(
            "holds edits, whose reviews are in the file of the same name with ACC instead of EDT; "
            "call the two NAME.EDT.tsv and NAME.ACC.csv",
            file=file.name,
        )
    return f"{before}ACC.csv"


def _edits(frame: pl.DataFrame) -> pl.DataFrame:
    require_columns(frame, _NOT_READ, (*_EDIT, "system1edit"), "WMT10's table of edits")
    require_values(frame, _EDIT)
    check_system_names(frame, ("system1Id",))
    action, text = pl.col("system1actionStr"), pl.col("system1edit")
    refuse(
        frame,
        ~action.is_in(_ACTIONS),
        f"system1actionStr {{}} is none of {', '.join(_ACTIONS)}; mend it",
        "system1actionStr",
    )
    understood = (action != "BAD") & (text.str.strip_chars() != "").fill_null(False)
    return frame.select(
        *_about(),
        pl.lit(BLIND_EDIT).alias("protocol"),
        to_number(frame, "editId", pl.Int64).alias("item"),
        pl.col("editorId").alias("judge"),
        pl.col("system1Id").alias("output"),
        pl.when(understood).then(text).alias("edit"),
        (~understood).alias("incomprehensible"),
        pl.when(action.is_in(["OK", "BAD"])).then(text).alias("text"),
        *(pl.col(name) for name in ("line",) if name in frame.columns),
    )


def _reviews(frame: pl.DataFrame) -> pl.DataFrame:
    require_columns(frame, _NOT_READ, _REVIEW, "WMT10's table of reviews")
    require_values(frame, _REVIEW)
    check_system_names(frame, ("systemId",))
    refuse(
        frame,
        ~pl.col("judgment").is_in(list(_VERDICTS)),
        f"judgment {{}} is none of {', '.join(_VERDICTS)}; mend it",
        "judgment",
    )
    return frame.select(
        *_about(),
        pl.lit(REVIEW).alias("protocol"),
        pl.col("judgeId").alias("judge"),
        pl.col("systemId").alias("output"),
        pl.col("judgment").replace_strict(_VERDICTS, default=None).alias("verdict"),
        to_number(frame, "editId", pl.Int64).alias("reviewed"),
        *(pl.col(name) for name in ("line",) if name in frame.columns),
    )


def _about() -> tuple[pl.Expr, ...]:
    return (
        language_pair(),
        pl.col("documentId").alias("document"),
        pl.col("srcIndex").alias("segment"),
    )


def _with_edits(reviews: pl.DataFrame, edits: pl.DataFrame) -> pl.DataFrame:
    """Edits and reviews as one frame, each review with the number of its edit."""
    texts = edits.with_columns(pl.col(pl.Categorical).cast(pl.String))
    known = texts.select(pl.col("item").alias("reviewed"), *_OF_EDIT)
    after = texts["item"].max()
    named = reviews.with_columns(item=pl.int_range(1, pl.len() + 1, dtype=pl.Int64) + after)
    lost = named.join(known, on=("reviewed", *_OF_EDIT), how="anti", maintain_order="left")
    if len(lost):
        moved = pl.col("item").is_in(lost["item"].implode())
        named = named.with_columns(
            pl.when(moved).then(pl.col("reviewed") + _shift(lost, known)).otherwise("reviewed")
        )
    answered = named.with_columns(
        pl.when(pl.col("verdict").is_not_null()).then("output").alias("output")
    )
    return pl.concat([texts, answered], how="diagonal")


def _shift(lost: pl.DataFrame, known: pl.DataFrame) -> int:
    """What has to be added to the numbers of edits that do not fit, so that all of them do."""
    numbers = known.rename({"reviewed": "fitting"})
    shifts = (
        lost.join(numbers, on=_OF_EDIT)
        .select("item", shift=pl.col("fitting") - pl.col("reviewed"))
        .unique()
        .group_by("shift")
        .len()
        .filter(pl.col("len") == len(lost))["shift"]
    )
    if len(shifts) != 1:
        refuse(
            lost,
            pl.lit(True),
            "edit {} is not there, or of another segment or system; mend the editId",
            "reviewed",
        )
    return int(shifts.item())


_EXAMPLE_EDITS = """\
editId\tsrclang\ttrglang\tsrcIndex\tdocumentId\tsegmentId\teditorId\tsystem1Number\tsystem1Id\t\
system1actionVal\tsystem1actionStr\tsystem1edit
1\tEnglish\tCzech\t12\tnews/1\t2\tjudge1\t4\tA\t1\tEDIT\tKočka spí.
2\tEnglish\tCzech\t13\tnews/1\t3\tjudge1\t4\tA\t3\tBAD\tTen "spí.
3\tEnglish\tCzech\t12\tnews/1\t2\tjudge2\t5\tPřekladač\t2\tOK\tKočka spala.
"""
_EXAMPLE_REVIEWS = """\
srclang,trglang,srcIndex,documentId,segmentId,judgeId,systemNumber,systemId,editId,judgment
English,Czech,12,news/1,2,judge3,4,A,1,YES
English,Czech,13,news/1,3,judge3,4,A,2,NO
English,Czech,12,news/1,2,judge3,5,Překladač,1,NO
English,Czech,12,news/1,2,judge4,4,A,1,UNK
"""


FORMAT = Format(
    name="wmt10-edits",
    description="WMT10's edits (….EDT.tsv), their reviews (….ACC.csv) beside them",
    kind="edits",
    suffix=".EDT.tsv",
    recognise=_recognise,
    read=_read,
    example={
        "wmt10.EDT.tsv": _EXAMPLE_EDITS.encode(),
        "wmt10.ACC.csv": _EXAMPLE_REVIEWS.encode(),
    },
    carries=frozenset(
        {"pair", "protocol", "document", "segment", "judge", "output", "edit", "incomprehensible"}
        | {"verdict", "reviewed", "text"}
    ),
    skipped=True,
)
