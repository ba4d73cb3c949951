"""SegRanks's file of extracted segments (Macháček 2014, appendix B.2): what is to be judged.

Six tab-separated columns without a header: sentence, source sentence, its reference, source
segment, candidate segment, zero-based indices of the segment's words in the source sentence.
Every source segment is a ranking that nobody has filled in: no judge, no ranks, and outputs of
no known system. Its segment is written `sentence:indices` (`1:6,7,8`), its HIT is the sentence.
"""

import re

import polars as pl

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.checked_table import refuse, require_values
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.output import OutputFile
from adjudge.data.formats import Format
from adjudge.data.judgement_table import judgement_table
from adjudge.data.outputs import check_system_names, text_output
from adjudge.data.ranking_rows import in_order
from adjudge.data.segranks import CAMPAIGN, indices, sentence, words_at

COLUMNS = ("sentence", "source", "reference", "source_segment", "candidate", "indices")
_LINE = re.compile(r"[^\t]+(\t[^\t]*){4}\t\d+( \d+)*\s*")


def check_segments(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the file, the segment written beside them; the first bad one is refused."""
    require_values(frame, COLUMNS)
    refuse(
        frame,
        ~pl.col("indices").str.contains(r"^\d{1,6}( \d{1,6})*$"),
        "{} are no indices of words; separate numbers by one space",
        "indices",
    )
    check_system_names(frame, ("candidate",))
    frame = frame.with_columns(
        (pl.col("sentence") + ":" + pl.col("indices").str.replace_all(" ", ",")).alias("segment")
    )
    refuse(
        frame,
        words_at().list.join(" ") != pl.col("source_segment"),
        "the source segment {} is not what its indices name in the sentence; mend them",
        "source_segment",
    )
    return frame


def _build(frame: pl.DataFrame) -> pl.DataFrame:
    frame = check_segments(frame)
    first = pl.col("row").first().over("segment")
    return frame.with_row_index("row").select(
        pl.lit(CAMPAIGN).alias("pair"),
        "segment",
        first.rank("dense").cast(pl.Int64).alias("ranking"),
        pl.col("sentence").alias("hit"),
        text_output(pl.col("candidate")).alias("output"),
        "source",
        "reference",
        pl.col("candidate").alias("text"),
        *(name for name in ("line",) if name in frame.columns),
    )


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    """The candidates, once a segment however often it was judged."""
    rows = (
        in_order(table.drop_nulls("output"))
        .select(
            sentence(),
            pl.col("source", "reference").cast(pl.String),
            words_at().list.join(" ").alias("source_segment"),
            pl.col("text").cast(pl.String),
            indices().str.replace_all(",", " ").alias("indices"),
        )
        .unique(maintain_order=True)
    )
    if sum(rows.null_count().row(0)):
        raise AdjudgeError(
            "SegRanks's segments need sentence, source, reference, candidate and word indices, "
            "which these judgements lack; choose another format (`to`)"
        )
    fields = pl.concat_list(rows.columns)
    if rows.select(
        fields.list.eval(pl.element().str.contains(r"[\t\r\n]")).list.any().any()
    ).item():
        raise AdjudgeError(
            "a text holds a tab or a line end, which no TSV can; choose another format (`to`)"
        )
    rows.write_csv(file.stream, separator="\t", include_header=False, quote_style="never")


_EXAMPLE = """\
1\tJet makers feud\tVýrobci se přou\tmakers feud\tvýrobci se přou\t1 2
1\tJet makers feud\tVýrobci se přou\tmakers feud\ttvůrci spor\t1 2
2\tA cat sleeps .\tKočka spí .\tA cat\tkočka\t0 1
"""


FORMAT = Format(
    name="segranks-segments",
    description="SegRanks segments to be judged (six-column TSV)",
    kind="judgements",
    suffix=".tsv",
    recognise=lambda file: _LINE.fullmatch(file.first_line) is not None,
    read=lambda file: read_delimited(
        file, _build, separator="\t", columns=COLUMNS, check=judgement_table
    ),
    example={"segments.tsv": _EXAMPLE.encode()},
    write=_write,
    carries=frozenset({"pair", "segment", "hit", "source", "reference", "text"}),
)
