"""Direct assessment by crowd workers as WMT16 to WMT22 published it: `ad-….csv`.

Twelve fields separated by tabs, blanks or both: `HITId WorkerId Input.src Input.trg Input.item hit
sys_id rid type sid score time`. `ad-latest.csv` and `ad-good-raw.csv` hold scores from 0 to 100;
`ad-PAIR-good-stnd.csv` and `…-redup.csv` hold those of workers who passed the controls,
standardised by the worker's mean and deviation. Negative scores tell the two apart.

Types `SYSTEM` and `REPEAT` (the same output once more, which counts too) are scores of systems.
All others are controls and left out: `REF` (a reference), `BAD_REF` (a degraded output) and so on.
`sid` is the segment, `sys_id` the system with the number of its submission (`Online-Y.3`), which
is dropped; `time` is that of the whole HIT and is not read.
"""

import polars as pl

from adjudge.core.files.checked_table import (
    leave_out,
    read_rows,
    require_values,
    to_number,
)
from adjudge.core.files.delimited import blank_separated
from adjudge.core.files.input_file import InputFile
from adjudge.data.formats import Format
from adjudge.data.outputs import check_system_names
from adjudge.data.score_table import STANDARDISED, score_table

_COLUMNS = [
    *("HITId", "WorkerId", "Input.src", "Input.trg", "Input.item", "hit"),
    *("sys_id", "rid", "type", "sid", "score", "time"),
]
_SCORED = ("SYSTEM", "REPEAT")


def _recognise(file: InputFile) -> bool:
    return file.first_line.replace('"', "").split() == _COLUMNS


def _read(file: InputFile) -> pl.DataFrame:
    def rows() -> pl.DataFrame:
        return blank_separated(file, _COLUMNS)

    return read_rows(file, lambda frame: _scores(frame, file), rows, check=score_table)


def _scores(frame: pl.DataFrame, file: InputFile) -> pl.DataFrame:
    require_values(frame, ("type",))
    kinds = frame["type"].unique().sort().to_list()
    controls = {
        f"controls (type {kind})": pl.col("type") == kind for kind in kinds if kind not in _SCORED
    }
    frame = leave_out(frame, file, controls)
    require_values(frame, ("WorkerId", "Input.src", "Input.trg", "sys_id", "sid", "score"))
    check_system_names(frame, ("sys_id",))
    frame = frame.with_columns(to_number(frame, "score", pl.Float64))
    standardised = (frame["score"] < 0).any()
    scale = STANDARDISED if standardised else "direct-assessment"
    return frame.with_row_index("item", offset=1).select(
        pl.concat_str("Input.src", "Input.trg", separator="-").alias("pair"),
        pl.lit(scale).alias("scale"),
        pl.lit("direct-assessment").alias("protocol"),
        pl.col("sid").alias("segment"),
        "item",
        pl.col("HITId").alias("hit"),
        pl.col("WorkerId").alias("judge"),
        pl.col("sys_id").str.replace(r"\.\d+$", "").alias("output"),
        "score",
        "line",
    )


_EXAMPLE = """\
HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time
H1\tM01\tcs\ten\tad\t1\tA.1\t10\tSYSTEM\t7\t0.75\t600.0
H1\tM01\tcs\ten\tad\t1\tPřekladač.2\t11\tSYSTEM\t7\t-1.25\t600.0
H1\tM01\tcs\ten\tad\t1\tA.1\t10\tREPEAT\t7\t0.5\t600.0
H1\tM01\tcs\ten ad\t1\t"A.1" 12 BAD_REF\t8\t-2.5\t600.0
"""


FORMAT = Format(
    name="wmt-da",
    description="WMT's direct assessment by crowd workers, `ad-….csv` (WMT16–WMT22)",
    kind="scores",
    suffix=".csv",
    recognise=_recognise,
    read=_read,
    example={"ad-csen-good-stnd.csv": _EXAMPLE.encode()},
    carries=frozenset({"pair", "protocol", "segment", "hit", "judge", "output", "scale", "score"}),
)
