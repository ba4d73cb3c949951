"""The SegRanks database as three tables (Macháček 2014, appendix C.1).

- `annotations.tsv`: annotation, segment, annotator, ranks (one per candidate, in their order),
  created_utc, seconds
- `segments.tsv`: segment, sentence, source_segment, source_word_indices, candidate,
  candidate_segment, systems (columns after these are left alone)
- `sentences.tsv`: sentence, source, reference

Reading the annotations finds the other two beside them. A judgement's segment is written
`number:indices` (`11702:6,7,8,9,10`: which words of the source sentence it covers), its HIT is
the sentence, for all segments of a sentence share one screen. The order in which candidates
were shown is not recorded. A rank beyond the number of candidates is the category "garbage",
which counts as one more rank, the worst (§3.1). A candidate whose systems are unknown is an
output of its own, of no system.

Writing numbers the segments anew: a segment is a phrase with one set of candidates.
"""

from collections.abc import Callable

import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.checked_table import (
    READ_ERRORS,
    refuse,
    require_columns,
    require_values,
    to_number,
    unreadable,
)
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.data.formats import Format, Writer
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import join_column, separate_systems, text_output
from adjudge.data.segranks import (
    CAMPAIGN,
    GARBAGE,
    indices,
    own_ranks,
    sentence,
    words_at,
)

_ANNOTATIONS = ("annotation", "segment", "annotator", "ranks", "created_utc", "seconds")
_SEGMENTS = (
    "segment",
    "sentence",
    "source_segment",
    "source_word_indices",
    "candidate",
    "candidate_segment",
    "systems",
)
_BETWEEN = "\t"  # systems, until it is known that no name holds a space
_SENTENCES = ("sentence", "source", "reference")


def _table(file: InputFile, columns: tuple[str, ...]) -> pl.DataFrame:
    """One of the two tables beside the annotations."""
    try:
        frame = pl.read_csv(
            file.source, separator="\t", quote_char=None, infer_schema=False, glob=False
        )
    except READ_ERRORS as error:
        raise unreadable(file, error) from None
    if tuple(frame.columns[: len(columns)]) != columns:
        raise InputError(f"needs the columns {', '.join(columns)}", file=file.name, line=1)
    return frame.select(columns)


def is_table_of_segments(file: InputFile) -> bool:
    """Is it `segments.tsv`?"""
    return tuple(file.first_line.split("\t"))[: len(_SEGMENTS)] == _SEGMENTS


def read_segments(segments: InputFile) -> pl.DataFrame:
    """`segments.tsv` with the sentences of the table beside it."""
    rows = _table(segments, _SEGMENTS)
    sentences = _table(segments.beside("sentences.tsv"), _SENTENCES)
    return rows.join(sentences, on="sentence", how="left", maintain_order="left")


def _candidates(file: InputFile) -> pl.DataFrame:
    """One row per segment: where it is, and its candidates as lists."""
    segments = read_segments(file.beside("segments.tsv"))
    systems = pl.lit(join_column(segments["systems"], " "))
    output = pl.coalesce(systems, text_output(pl.col("candidate_segment")))
    return (
        segments.with_columns(pl.col("candidate").cast(pl.Int32, strict=False), output=output)
        .sort("segment", "candidate", maintain_order=True)
        .group_by("segment", maintain_order=True)
        .agg(
            pl.col("sentence").first().alias("hit"),
            pl.col("source_word_indices").first().str.replace_all(" ", ",").alias("indices"),
            pl.col("output"),
            pl.col("candidate_segment").alias("text"),
            pl.col("source", "reference").first(),
        )
    )


def _build(frame: pl.DataFrame, candidates: pl.DataFrame) -> pl.DataFrame:
    require_columns(frame, (), _ANNOTATIONS, "the table of annotations")
    require_values(frame, _ANNOTATIONS)
    frame = frame.with_columns(
        to_number(frame, "annotation", pl.Int64),
        to_number(frame, "seconds", pl.Float64),
        ranks=pl.col("ranks").str.split(" "),
        time=pl.col("created_utc").str.to_datetime(strict=False, time_zone="UTC"),
    )
    refuse(frame, pl.col("time").is_null(), "created_utc {} is no time; mend it", "created_utc")
    refuse(
        frame,
        ~pl.col("annotation").is_first_distinct(),
        "annotation {} is there twice; remove the repeat",
        "annotation",
    )
    frame = frame.join(candidates, on="segment", how="left", maintain_order="left")
    refuse(
        frame,
        pl.col("output").is_null(),
        "segment {} is not in segments.tsv; use the one of this project",
        "segment",
    )
    size = pl.col("output").list.len()
    refuse(
        frame,
        pl.col("ranks").list.len() != size,
        "the segment {} has another number of candidates than ranks here; mend the ranks",
        "segment",
    )
    rows = frame.with_columns(size=size.cast(pl.Int32)).explode("ranks", "output", "text")
    rank = to_number(rows, "ranks")
    return rows.select(
        pl.lit(CAMPAIGN).alias("pair"),
        (pl.col("segment") + ":" + pl.col("indices")).alias("segment"),
        pl.col("annotation").alias("ranking"),
        "hit",
        pl.col("annotator").alias("judge"),
        "output",
        rank.alias("rank"),
        "seconds",
        "time",
        pl.when(rank > pl.col("size")).then(pl.lit(GARBAGE)).alias("label"),
        "source",
        "reference",
        "text",
        *(name for name in ("line",) if name in rows.columns),
    )


def read(file: InputFile) -> pl.DataFrame:
    """Every annotation, with the segments and sentences beside it."""
    candidates = _candidates(file)
    return read_delimited(
        file, lambda frame: _build(frame, candidates), separator="\t", check=judgement_table
    )


def _ranked(table: pl.DataFrame) -> pl.DataFrame:
    """One row per candidate of every ranking, in order, with the number of its segment."""
    rows = table.drop_nulls("output").select(
        pl.col("ranking", "seconds"),
        pl.col("judge", "source", "reference").cast(pl.String),
        sentence(),
        words_at().list.join(" ").alias("source_segment"),
        indices().str.replace_all(",", " ").alias("indices"),
        pl.col("text").cast(pl.String),
        separate_systems(_BETWEEN).alias("systems"),
        own_ranks(),
        pl.col("time").dt.strftime("%Y-%m-%d %H:%M:%S%.6f").alias("created_utc"),
    )
    if sum(rows.null_count().row(0)):
        raise AdjudgeError(
            "SegRanks's database needs sentence, source, reference, word indices, candidate, rank, "
            "judge, time and seconds, which these judgements lack; choose another format (`to`)"
        )
    unwritable = pl.col(pl.String).exclude("systems").str.contains(r"[\t\r\n]").any()
    if any(rows.select(unwritable).row(0)) or rows["systems"].str.contains(" ", literal=True).any():
        raise AdjudgeError(
            "a text holds a tab or a line end, or the name of a system a space, which SegRanks's "
            "database cannot; choose another format (`to`)"
        )
    phrase = ("sentence", "indices")
    rows = rows.sort("ranking", "text").with_columns(
        pl.col("text").str.join("\t").over("ranking").alias("candidates")
    )
    numbers = rows.select(*phrase, "candidates").unique(maintain_order=True)
    numbers = numbers.with_row_index("segment", 1)
    return rows.join(numbers, on=[*phrase, "candidates"], how="left", maintain_order="left")


def _annotations(table: pl.DataFrame) -> pl.DataFrame:
    return (
        _ranked(table)
        .group_by("ranking", maintain_order=True)
        .agg(
            pl.col("segment", "judge").first(),
            pl.col("rank").cast(pl.String).str.join(" ").alias("ranks"),
            pl.col("created_utc", "seconds").first(),
        )
        .rename({"ranking": "annotation", "judge": "annotator"})
    )


def _segments(table: pl.DataFrame) -> pl.DataFrame:
    return (
        _ranked(table)
        .unique(("segment", "text"), keep="first", maintain_order=True)
        .select(
            "segment",
            "sentence",
            "source_segment",
            pl.col("indices").alias("source_word_indices"),
            pl.int_range(pl.len()).over("segment").alias("candidate"),
            pl.col("text").alias("candidate_segment"),
            pl.col("systems").str.replace_all(_BETWEEN, " ", literal=True),
        )
    )


def _sentences(table: pl.DataFrame) -> pl.DataFrame:
    rows = _ranked(table).unique("sentence", keep="first", maintain_order=True)
    return rows.select("sentence", "source", "reference")


def _writer(rows_of: Callable[[pl.DataFrame], pl.DataFrame]) -> Writer:
    return lambda table, file: rows_of(table).write_csv(
        file.stream, separator="\t", quote_style="never"
    )


_EXAMPLE = {
    "annotations.tsv": """\
annotation\tsegment\tannotator\tranks\tcreated_utc\tseconds
1\t1\tjudge_1\t2 1\t2014-05-20 07:15:58\t98
2\t1\tjudge_2\t1 100\t2014-05-20 07:16:58.5\t9.5
""",
    "segments.tsv": """\
segment\tsentence\tsource_segment\tsource_word_indices\tcandidate\tcandidate_segment\tsystems
1\t1\tmakers feud\t1 2\t0\ttvůrci spor\tA Překladač
1\t1\tmakers feud\t1 2\t1\tvýrobci se přou\t
""",
    "sentences.tsv": """\
sentence\tsource\treference
1\tJet makers feud\tVýrobci se přou
""",
}


FORMAT = Format(
    name="segranks",
    description="SegRanks database (annotations.tsv beside segments.tsv and sentences.tsv)",
    kind="judgements",
    suffix="annotations.tsv",
    recognise=lambda file: file.first_line.startswith("annotation\tsegment\tannotator\t"),
    read=read,
    example={name: text.encode() for name, text in _EXAMPLE.items()},
    write=_writer(_annotations),
    beside={"segments.tsv": _writer(_segments), "sentences.tsv": _writer(_sentences)},
    carries=frozenset(
        {"segment", "judge", "output", "rank", "seconds", "time", "label"}
        | {"source", "reference", "text"}
    ),
)
