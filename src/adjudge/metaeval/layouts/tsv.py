"""Table with a header: `system` and `score`, optionally `segment`, `metric` and `pair`.

Tabs, commas or semicolons separate the fields. A row without a segment is the score of the whole
system; a table without the column `metric` is named by its file.
"""

from pathlib import Path

import polars as pl

from adjudge.core.files.checked_table import refuse, require_columns, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import uncompressed_name
from adjudge.data.outputs import check_system_names
from adjudge.metaeval.layouts import Layout
from adjudge.metaeval.submission import SCORE_COLUMNS, score_columns

NEEDED = ("system", "score")
MISSING = dict.fromkeys(("", "None", "nan", "NaN"))


def _recognise(file: InputFile) -> bool:
    """Test whether the header has system and score."""
    return set(NEEDED) <= set(file.header)


def _read(file: InputFile) -> pl.DataFrame:
    name = Path(uncompressed_name(file.name)).name.partition(".")[0]

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        require_columns(frame, SCORE_COLUMNS, NEEDED, "a table of metric scores")
        require_values(frame, ("system",))
        check_system_names(frame, ("system",))
        frame = frame.with_columns(pl.col("score").replace(MISSING))
        frame = frame.with_columns(to_number(frame, "score", pl.Float64))
        broken = pl.col("score").is_infinite()
        refuse(frame, broken, "the score {} is not a finite number; give one", "score")
        absent = [column for column in SCORE_COLUMNS if column not in frame.columns]
        frame = frame.with_columns(pl.lit(None, pl.String).alias(column) for column in absent)
        frame = frame.with_columns(pl.col("metric").fill_null(name))
        again = ~pl.struct("metric", "pair", "system", "segment").is_first_distinct()
        refuse(frame, again, "a second score by {} of the same output; remove one", "metric")
        return frame

    return read_delimited(file, build, shorter=True, check=score_columns)


LAYOUT = Layout(
    name="table",
    description="a heading with system and score, and segment, metric and pair where known",
    recognise=_recognise,
    read=_read,
    example={
        "simple.tsv": (
            "metric\tpair\tsystem\tsegment\tscore\n"
            "SIMPLE\ten-cs\tA\t1\t0.5\n"
            "SIMPLE\ten-cs\tA\t2\tNone\n"
            "SIMPLE\ten-cs\tPřekladač\t1\t-1e-3\n"
            "SIMPLE\ten-cs\tPřekladač\t2\t1\n"
        ).encode()
    },
)
