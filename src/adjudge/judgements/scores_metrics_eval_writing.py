"""Writing human scores for mt-metrics-eval: `PAIR.SCALE.seg.score` and `PAIR.SCALE.sys.score`.

The file's name says what is written: the scores of that language pair on that scale (`mqm` where
errors are marked), for every segment or for every system. A segment's score is the mean over its
judges, each of them the mean of what they gave it; a system's the mean over its segments. A
segment that nobody judged is `None`; how many segments there are says `documents/PAIR.docs`
beside the folder, as in the rest of that layout, or else the highest number of a segment.
"""

import re
from pathlib import Path
from typing import IO

import polars as pl

from adjudge.errors import AdjudgeError
from adjudge.files.input_file import InputFile
from adjudge.files.output import uncompressed_name
from adjudge.judgements.mqm import MQM, with_mqm
from adjudge.judgements.outputs import JOINT

NAME = re.compile(r"(?P<pair>[^.]+)\.(?P<scale>.+)\.(?P<level>seg|sys)\.score")


def write_metrics_eval(table: pl.DataFrame, path: str, stream: IO[bytes]) -> None:
    """The scores that the path's name asks for."""
    asked = NAME.fullmatch(Path(uncompressed_name(path)).name)
    if asked is None:
        raise AdjudgeError(
            f"{path}: its name does not say what to write; call it PAIR.SCALE.seg.score or "
            "PAIR.SCALE.sys.score"
        )
    given = (with_mqm(table) if asked["scale"] == MQM else table).drop_nulls(["output", "score"])
    for column in ("pair", "scale"):
        there = given[column].cast(pl.String)
        if asked[column] not in there.unique():
            raise AdjudgeError(
                f"{path}: there are no scores of the {column} {asked[column]!r}; there are: "
                f"{', '.join(sorted(there.unique().drop_nulls()))}"
            )
        given = given.filter(there == asked[column])
    name = pl.col("output").cast(pl.String)
    known = given.filter(~name.str.starts_with(JOINT))
    systems = known.with_columns(name.str.split(JOINT)).explode("output")
    scores = _segment_scores(systems, path, asked["pair"])
    if asked["level"] == "sys":
        scores = scores.group_by("output", maintain_order=True).agg(pl.col("score").mean())
    scores.select("output", pl.col("score").cast(pl.String).fill_null("None")).write_csv(
        stream, separator="\t", include_header=False, quote_style="never"
    )


def _segment_scores(given: pl.DataFrame, path: str, pair: str) -> pl.DataFrame:
    """A row for every system and every segment of the test set, in order."""
    documents = _documents(path, pair)
    placed = given.select("output", "judge", "score", line=_lines(given, documents, path))
    lines = len(documents) if documents else int(str(placed["line"].max() or 0))
    whole = placed.select(pl.col("output").unique().sort()).join(
        pl.select(pl.int_range(1, lines + 1).alias("line")), how="cross"
    )
    by_judge = placed.group_by("output", "line", "judge").agg(pl.col("score").mean())
    means = by_judge.group_by("output", "line").agg(pl.col("score").mean())
    return whole.join(means, on=["output", "line"], how="left", maintain_order="left")


def _lines(given: pl.DataFrame, documents: list[str], path: str) -> pl.Series:
    """The number of each row's segment in the test set, from 1."""
    number = given["segment"].cast(pl.String).cast(pl.Int64, strict=False)
    unnumbered = given["segment"].filter(number.is_null())
    if len(unnumbered):
        raise AdjudgeError(
            f"{path}: a segment is called {unnumbered[0]!r}; mt-metrics-eval knows segments by "
            "their numbers only, write JSONL instead"
        )
    if not documents:
        shared = given.select("document", number=number).unique().group_by("number").len()
        if (shared["len"] > 1).any():
            raise AdjudgeError(
                f"{path}: segments are numbered in their documents; put documents/PAIR.docs beside "
                "the folder, to say where each document begins"
            )
        return number
    home = given["document"].cast(pl.String)
    of_line = pl.Series(documents)
    inside = number.is_between(1, len(documents)).all()
    if inside and (of_line.gather(number - 1) == home).all():
        return number  # of the whole test set
    first = {name: line for line, name in reversed(list(enumerate(documents)))}
    begin = home.replace_strict(first, default=None, return_dtype=pl.Int64)
    line = begin + number
    if line.null_count() or not line.is_between(1, len(documents)).all():
        raise AdjudgeError(f"{path}: a document or segment is not in documents/PAIR.docs; mend it")
    return line


def _documents(path: str, pair: str) -> list[str]:
    file = Path(path).absolute().parent.parent / "documents" / f"{pair}.docs"
    if not file.is_file():
        return []
    return [line.split("\t")[-1] for line in InputFile(str(file)).text.splitlines()]
