"""Human scores in the folder layout of mt-metrics-eval: `human-scores/PAIR.SCALE.LEVEL.score`.

A line is a system, a tab and a score (`None`: not judged). At the level `seg` a system has one
line for every segment, in order; at the level `sys` it has one. Neither says who judged: these
are means over judges. The document of a segment is in `documents/PAIR.docs` beside the folder.
"""

import re
from pathlib import Path

import polars as pl

from adjudge.errors import InputError
from adjudge.files.careful_reading import number, present, refuse
from adjudge.files.delimited import read_delimited
from adjudge.files.input_file import InputFile
from adjudge.files.output import uncompressed_name
from adjudge.judgements.outputs import system_names
from adjudge.judgements.score_table import score_table

_LINE = re.compile(r"[^\t]+\t(None|[-+]?\d[-+.\deE]*)")
_NAME = re.compile(r"(?P<pair>[^.]+)\.(?P<scale>.+)\.(?P<level>seg|sys)\.score")


def is_metrics_eval(file: InputFile) -> bool:
    """Does its first line look like a system and its score?"""
    return _LINE.fullmatch(file.first_line) is not None


def read_metrics_eval(file: InputFile) -> pl.DataFrame:
    """The score table of such a file."""
    named = _NAME.fullmatch(Path(uncompressed_name(file.name)).name)
    if named is None:
        raise InputError(
            "holds scores of systems, but its name does not say of what; call it "
            "PAIR.SCALE.seg.score or PAIR.SCALE.sys.score",
            file=file.name,
        )
    documents = _documents(file, named["pair"]) if named["level"] == "seg" else None

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        present(frame, ("system", "score"))
        system_names(frame, ("system",))
        frame = frame.with_columns(pl.col("score").replace("None", None))
        frame = frame.with_columns(number(frame, "score", pl.Float64))
        if named["level"] == "sys":
            refuse(
                frame, ~pl.col("system").is_first_distinct(), "system {} is there twice", "system"
            )
        else:
            frame = _segments(frame, documents)
        frame = frame.drop_nulls("score")
        return frame.with_row_index("ranking", offset=1).select(
            pl.lit(named["pair"]).alias("pair"),
            pl.lit(named["scale"]).alias("scale"),
            pl.col("system").alias("output"),
            pl.exclude("system"),
        )

    return read_delimited(
        file, build, separator="\t", columns=("system", "score"), check=score_table
    )


def _segments(frame: pl.DataFrame, documents: list[str] | None) -> pl.DataFrame:
    """The number of each line's segment, and its document where that is known."""
    line = pl.int_range(pl.len()).over("system")
    lines = frame.group_by("system", maintain_order=True).len()
    wanted = int(lines["len"][0]) if documents is None else len(documents)
    odd = lines.filter(pl.col("len") != wanted)
    if len(odd):
        raise InputError(
            f"system {odd['system'][0]!r} has {odd['len'][0]:,} scores for {wanted:,} segments; "
            "give one line a segment, None where there is no score"
        )
    frame = frame.with_columns(segment=(line + 1).cast(pl.String), document=line)
    if documents is None:
        return frame.drop("document")
    return frame.with_columns(pl.Series(documents).gather(frame["document"]).alias("document"))


def _documents(file: InputFile, pair: str) -> list[str] | None:
    path = Path(file.name).absolute().parent.parent / "documents" / f"{pair}.docs"
    if not path.is_file():
        return None
    return [line.split("\t")[-1] for line in InputFile(str(path)).text.splitlines()]
