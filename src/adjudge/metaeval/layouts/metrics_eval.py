"""mt-metrics-eval: `METRIC.seg.score` and `METRIC.sys.score` with lines of system, tab and score.

At the level `seg` a system has one line for every segment, in order. `None` is a missing score.
In an mt-metrics-eval folder the files stand in `metric-scores/PAIR/`, which names the pair.
"""

import re
from pathlib import Path

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import refuse, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import uncompressed_name
from adjudge.metaeval.layouts import Layout
from adjudge.metaeval.submission import score_columns

_LINE = re.compile(r"[^\t]+\t(None|nan|[-+]?[\d.][-+.\deE]*)")
_NAME = re.compile(r"(?P<metric>.+)\.(?P<level>seg|sys)\.score")
_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")


def _recognise(file: InputFile) -> bool:
    """Test whether the first line looks like a system and its score."""
    return _LINE.fullmatch(file.first_line) is not None


def _read(file: InputFile) -> pl.DataFrame:
    path = Path(uncompressed_name(file.name))
    named = _NAME.fullmatch(path.name)
    if named is None:
        raise InputError(
            "holds scores of systems, but its name does not say by which metric; call it "
            "METRIC.seg.score or METRIC.sys.score",
            file=file.name,
        )
    pair = path.parent.name if _PAIR.fullmatch(path.parent.name) else None
    by_segment = named["level"] == "seg"

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        require_values(frame, ("system", "score"))
        frame = frame.with_columns(pl.col("score").replace({"None": None, "nan": None}))
        frame = frame.with_columns(to_number(frame, "score", pl.Float64))
        if not by_segment:
            again = ~pl.col("system").is_first_distinct()
            refuse(frame, again, "system {} is there twice; remove one", "system")
        number = (pl.int_range(pl.len()).over("system") + 1).cast(pl.String)
        return frame.select(
            pl.lit(named["metric"]).alias("metric"),
            pl.lit(pair, pl.String).alias("pair"),
            "system",
            (number if by_segment else pl.lit(None, pl.String)).alias("segment"),
            "score",
        )

    return read_delimited(
        file, build, separator="\t", columns=("system", "score"), check=score_columns
    )


LAYOUT = Layout(
    name="mt-metrics-eval",
    description="a system and its score a line; METRIC.seg.score, METRIC.sys.score",
    recognise=_recognise,
    read=_read,
    example={"BLEU.seg.score": "A\t71.5\nA\tNone\nPřekladač\t-2\nPřekladač\t3e1\n".encode()},
)
