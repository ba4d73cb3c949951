"""WMT five-way CSV (WMT07 to WMT14): one line a ranking.

srclang, trglang, srcIndex, documentId, segmentId, judgeId, then system1Number, system1Id, … and
system1rank, … for as many outputs as were shown. A rank of −1 is a missing label, a documentId
of −1 an unknown document. A place where nothing was shown has an empty systemNId, or the name
`blank` (WMT11), or the systemNNumber 0, whatever it is called. Spellings vary in case (judgeId,
judgeID). A judge called turker_… or researcher_… belongs to that group.

srcIndex is the segment; segmentId and systemNNumber say nothing more and are not kept.
"""

import re

import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.checked_table import refuse, require_columns, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import check_system_names, has_one_system
from adjudge.data.ranking_rows import to_rankings, to_rows

GROUPS = ("turker", "researcher")
BLANK = "blank"
_SYSTEM = re.compile(r"system(\d+)(id|rank|number)")
_REQUIRED = ("srclang", "trglang", "srcindex", "judgeid")
_OPTIONAL = ("documentid", "segmentid")


def lower_header(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with lower-case column names, for WMT spells them differently every year."""
    names = [name.strip().lower() for name in frame.columns]
    if len(set(names)) < len(names):
        raise InputError("names a column twice; remove one", line=1)
    return frame.rename(dict(zip(frame.columns, names, strict=True)))


def language_pair() -> pl.Expr:
    """The pair as one name."""
    return (pl.col("srclang") + "-" + pl.col("trglang")).alias("pair")


def judge_group() -> pl.Expr:
    """The group that the judge's name tells."""
    prefix = pl.col("judgeid").str.extract(r"^(.*)_[^_]*$")
    return pl.when(prefix.is_in(GROUPS)).then(prefix).alias("group")


def label(frame: pl.DataFrame, column: str) -> pl.Expr:
    """A rank as a number, null where it is −1."""
    rank = to_number(frame, column)
    refuse(
        frame,
        (rank < 1) & (rank != -1),
        f"{column} {{}} is not 1 or more; write -1 where no label was given",
        column,
    )
    return pl.when(rank != -1).then(rank)


def _build(frame: pl.DataFrame) -> pl.DataFrame:
    frame = lower_header(frame)
    systems = sorted({int(m[1]) for name in frame.columns if (m := _SYSTEM.fullmatch(name))})
    ids = [f"system{i}id" for i in systems]
    ranks = [f"system{i}rank" for i in systems]
    numbers = [f"system{i}number" for i in systems]
    require_columns(frame, (*_OPTIONAL, *numbers), (*_REQUIRED, *ids, *ranks), "the five-way CSV")
    if not systems:
        raise InputError("no column 'system1Id'; the five-way CSV needs it, add it", line=1)
    require_values(frame, (*_REQUIRED, *ranks))
    check_system_names(frame, ids)
    frame = _without_blanks(frame, systems)
    for name, rank in zip(ids, ranks, strict=True):
        refuse(
            frame,
            pl.col(name).is_null() & (pl.col(rank) != "-1"),
            f"{name} is empty but has a rank; name the system",
        )
    document = pl.col("documentid") if "documentid" in frame.columns else pl.lit(None, pl.String)
    wide = frame.select(
        language_pair(),
        pl.when(document != "-1").then(document).alias("document"),
        pl.col("srcindex").alias("segment"),
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("ranking"),
        pl.col("judgeid").alias("judge"),
        judge_group(),
        *(pl.col(name) for name in ids),
        *(label(frame, name).alias(name) for name in ranks),
        *(pl.col(name) for name in ("line",) if name in frame.columns),
    )
    rows = to_rows(wide, [pl.col(n) for n in ids], [pl.col(n) for n in ranks]).drop(ids + ranks)
    return _without_empty_places(rows)


def _without_blanks(frame: pl.DataFrame, places: list[int]) -> pl.DataFrame:
    """A word for nothing as an empty name; one that has a rank anywhere is a system's name."""
    blank: set[str] = set()
    ranked: set[str] = set()
    for place in places:
        name, unranked = pl.col(f"system{place}id"), pl.col(f"system{place}rank") == "-1"
        called = name.str.to_lowercase() == BLANK
        number = f"system{place}number"
        if number in frame.columns:
            called |= pl.col(number) == "0"
        blank.update(frame.filter(called & unranked).select(name).to_series().drop_nulls())
        ranked.update(frame.filter(~unranked).select(name).to_series().drop_nulls())
    words = list(blank - ranked)
    names = (pl.col(f"system{place}id") for place in places)
    return frame.with_columns(pl.when(~name.is_in(words)).then(name) for name in names)


def _without_empty_places(rows: pl.DataFrame) -> pl.DataFrame:
    """Drop the places where nothing was shown, but keep one of a ranking with nothing at all."""
    if not rows["output"].null_count():
        return rows
    shown = pl.col("output").is_not_null()
    skipped = ~shown.any().over("ranking") & (pl.col("position") == 1)
    return rows.filter(shown | skipped).with_columns(position=pl.when(shown).then("position"))


def split_pair(table: pl.DataFrame) -> tuple[pl.Expr, pl.Expr]:
    """Source and target language of the column `pair`."""
    for pair in table["pair"].unique().to_list():
        source, _, target = str(pair).partition("-")
        if not source or not target:
            raise AdjudgeError(
                f"{pair!r} is no language pair like eng-deu, which WMT's formats need; "
                "choose another format (`to`)"
            )
    parts = pl.col("pair").cast(pl.String).str.splitn("-", 2)
    return (
        parts.struct.field("field_0").alias("srclang"),
        parts.struct.field("field_1").alias("trglang"),
    )


def require_known(table: pl.DataFrame, columns: tuple[str, ...], format_name: str) -> None:
    """Refuse a table that lacks what the format must have."""
    for column in columns:
        if table[column].null_count():
            raise AdjudgeError(
                f"a ranking has no {column}, which {format_name} needs; "
                "choose another format (`to`)"
            )


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    require_known(table, ("segment", "judge"), "the five-way CSV")
    if not table.select(pl.col("output").unique()).select(has_one_system().all()).item():
        raise AdjudgeError(
            "the five-way CSV has no place for an output of several systems; "
            'write the pairwise one with `to="wmt-pairwise"`'
        )
    named = table.filter(pl.col("output").cast(pl.String).str.to_lowercase() == BLANK)
    if len(named) and named["rank"].null_count() == len(named):
        raise AdjudgeError(
            f"the system {named['output'][0]!r} has no rank, which the five-way CSV writes where "
            "nothing was shown; choose another format (`to`)"
        )
    rankings = to_rankings(table)
    size = max(2, int(rankings["output"].list.len().max() or 0))  # type: ignore[arg-type]
    places = range(size)
    unknown = pl.lit(-1)
    rankings.select(
        *split_pair(table),
        pl.col("segment").alias("srcIndex"),
        pl.col("document").fill_null("-1").alias("documentId"),
        pl.col("segment").alias("segmentId"),
        pl.col("judge").alias("judgeId"),
        *(
            column
            for i in places
            for column in (
                unknown.alias(f"system{i + 1}Number"),
                pl.col("output").list.get(i, null_on_oob=True).alias(f"system{i + 1}Id"),
            )
        ),
        *(
            pl.col("rank").list.get(i, null_on_oob=True).fill_null(-1).alias(f"system{i + 1}rank")
            for i in places
        ),
    ).write_csv(file.stream)


def is_wmt_header(file: InputFile) -> bool:
    """Does the file open with the header of a WMT CSV?"""
    names = {name.strip().lower() for name in file.header}
    if "editid" in names:  # reviews of edits (`wmt10_edits`)
        return False
    return len(names & {*_REQUIRED, *_OPTIONAL, "system1id", "system1rank"}) >= 3


def has_ranking_id(file: InputFile) -> bool:
    """Is it the pairwise CSV?"""
    return "rankingid" in (name.strip().lower() for name in file.header)


_EXAMPLE = """\
srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,\
system2Id,system3Number,system3Id,system1rank,system2rank,system3rank
English,Czech,7,d1,7,turker_1,-1,"a, b",-1,Překladač,-1,C,1,2,2
English,Czech,8,-1,8,researcher_2,-1,C,-1,"a, b",-1,,3,-1,-1
English,Czech,9,-1,9,judge,-1,,-1,,-1,,-1,-1,-1
"""


FORMAT = Format(
    name="wmt-csv",
    description="WMT five-way CSV (WMT07–WMT14)",
    kind="judgements",
    suffix=".csv",
    recognise=lambda file: is_wmt_header(file) and not has_ranking_id(file),
    read=lambda file: read_delimited(file, _build, check=judgement_table),
    example={"judgements.csv": _EXAMPLE.encode()},
    write=_write,
    carries=frozenset({"pair", "document", "segment", "judge", "output", "rank", "position"}),
    skipped=True,
)
