"""Means of MQM over annotators as Google publishes them: `mqm_ted_ende.avg_seg_scores.tsv`.

A header `system mqm_avg_score seg_id`, then one line for every output, fields separated by tabs or
blanks. A score is the sum of the weights of the errors, below 0, the mean over annotators; 0 is an
output without errors. The language pair is in the name of the file.
"""

import polars as pl

from adjudge.core.files.checked_table import read_rows, require_values, to_number
from adjudge.core.files.delimited import blank_separated
from adjudge.core.files.input_file import InputFile
from adjudge.data.formats import Format
from adjudge.data.formats.mqm_tsv import pair_in_name
from adjudge.data.mqm import MQM
from adjudge.data.outputs import check_system_names
from adjudge.data.score_table import score_table

_COLUMNS = ["system", "mqm_avg_score", "seg_id"]


def _recognise(file: InputFile) -> bool:
    return file.first_line.split() == _COLUMNS


def _read(file: InputFile) -> pl.DataFrame:
    def build(frame: pl.DataFrame) -> pl.DataFrame:
        require_values(frame, ("system", "seg_id"))
        check_system_names(frame, ("system",))
        score = pl.col("mqm_avg_score").replace("None", None)
        frame = frame.with_columns(score).drop_nulls("mqm_avg_score")
        return frame.with_row_index("item", offset=1).select(
            pl.lit(pair_in_name(file.name)).alias("pair"),
            pl.lit(MQM).alias("scale"),
            pl.col("system").alias("output"),
            pl.col("seg_id").alias("segment"),
            (to_number(frame, "mqm_avg_score", pl.Float64) + 0.0).alias("score"),
            "item",
            "line",
        )

    return read_rows(file, build, lambda: blank_separated(file, _COLUMNS), check=score_table)


_EXAMPLE = """\
system mqm_avg_score seg_id
A\t-1.000000 1
A\t-0.000000 2
Překladač\tNone 1
Překladač\t-5.100000 2
"""


FORMAT = Format(
    name="mqm-averages",
    description="Google's averages of MQM (`….avg_seg_scores.tsv`)",
    kind="scores",
    suffix=".avg_seg_scores.tsv",
    recognise=_recognise,
    read=_read,
    example={"mqm_news_encs.avg_seg_scores.tsv": _EXAMPLE.encode()},
    carries=frozenset({"pair", "segment", "output", "scale", "score"}),
)
