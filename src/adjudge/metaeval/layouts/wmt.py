"""Submissions to the metrics tasks of WMT07 to WMT14 (Macháček 2014, appendix A).

    *.sys.score    METRIC  PAIR  TEST-SET  SYSTEM  SCORE
    *.seg.score    METRIC  PAIR  TEST-SET  SYSTEM  SEGMENT  SCORE

Fields are separated by tabs, segments are numbered from 1. One file may hold several metrics and
language pairs. The file does not record whether lower scores are better.
"""

import re
from pathlib import Path

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import refuse, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import uncompressed_name
from adjudge.data.outputs import check_system_names
from adjudge.metaeval.layouts import Layout
from adjudge.metaeval.submission import score_columns

OF_SYSTEMS = ("metric", "pair", "testset", "system", "score")
OF_SEGMENTS = ("metric", "pair", "testset", "system", "segment", "score")
MISSING = dict.fromkeys(("None", "nan", "NaN"))

_SCORE = re.compile(r"None|nan|NaN|[-+]?[iI]nf|[-+]?[\d.][-+.\deE]*")
_PAIR = re.compile(r"[a-z]{2,3}([-_][a-zA-Z]{2,4})?-[a-z]{2,3}([-_][a-zA-Z]{2,4})?")
_LEVEL = re.compile(r".*\.(?P<level>seg|sys)\.score")


def _recognise(file: InputFile) -> bool:
    """Test for five or six fields, the second a language pair and the last a score."""
    fields = file.first_line.split("\t")
    return (
        len(fields) in (len(OF_SYSTEMS), len(OF_SEGMENTS))
        and _PAIR.fullmatch(fields[1]) is not None
        and _SCORE.fullmatch(fields[-1]) is not None
    )


def _read(file: InputFile) -> pl.DataFrame:
    by_segment = file.first_line.count("\t") == len(OF_SEGMENTS) - 1
    named = _LEVEL.fullmatch(Path(uncompressed_name(file.name)).name)
    if named is not None and (named["level"] == "seg") != by_segment:
        there = "six fields, as scores of segments" if by_segment else "five, as scores of systems"
        raise InputError(
            f"has {there} have, but its name ends in .{named['level']}.score; rename it",
            file=file.name,
        )

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        columns = OF_SEGMENTS if by_segment else OF_SYSTEMS
        require_values(frame, columns)
        check_system_names(frame, ("system",))
        frame = frame.with_columns(pl.col("score").replace(MISSING))
        frame = frame.with_columns(to_number(frame, "score", pl.Float64))
        broken = pl.col("score").is_infinite()
        refuse(frame, broken, "the score {} is not a finite number; give one", "score")
        if by_segment:
            number = to_number(frame, "segment", pl.Int64)
            refuse(frame, number < 1, "segment {}; segments are numbered from 1", "segment")
            frame = frame.with_columns(number.cast(pl.String).alias("segment"))
        key = [name for name in columns if name not in ("testset", "score")]
        again = ~pl.struct(key).is_first_distinct()
        refuse(frame, again, "a second score by {} of the same output; remove one", "metric")
        if not by_segment:
            frame = frame.with_columns(pl.lit(None, pl.String).alias("segment"))
        return frame

    return read_delimited(
        file,
        build,
        separator="\t",
        columns=OF_SEGMENTS if by_segment else OF_SYSTEMS,
        check=score_columns,
    )


LAYOUT = Layout(
    name="wmt",
    description="metric, pair, test set, system, segment (of *.seg.score) and score, by tabs",
    recognise=_recognise,
    read=_read,
    example={
        "simple.seg.score": (
            "SIMPLE\ten-cs\tnewstest\tA\t1\t0.5\n"
            "SIMPLE\ten-cs\tnewstest\tA\t2\tNone\n"
            "SIMPLE\ten-cs\tnewstest\tPřekladač\t1\t-1e-3\n"
            "SIMPLE\ten-cs\tnewstest\tPřekladač\t2\t1\n"
        ).encode()
    },
)
