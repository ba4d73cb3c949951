"""Human scores in the folder layout of mt-metrics-eval: `human-scores/PAIR.SCALE.LEVEL.score`.

A line is a system, a tab and a score (`None`: not judged). At the level `seg` a system has one
line for every segment, in order; at the level `sys` it has one. Neither says who judged: these
are means over judges. The document of a segment is in `documents/PAIR.docs` beside the folder.

A written file's name says what is written: the scores of that language pair on that scale (`mqm`
where errors are marked), for every segment or for every system. A segment's score is the mean
over its judges, each of them the mean of what they gave it; a system's the mean over its
segments. A segment that nobody judged is `None`; how many segments there are says
`documents/PAIR.docs`, or else the highest number of a segment.
"""

import re
from pathlib import Path

import polars as pl

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.checked_table import refuse, require_values, to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import OutputFile, uncompressed_name
from adjudge.data.formats import Format
from adjudge.data.mqm import MQM, with_mqm
from adjudge.data.outputs import attributed, check_system_names, list_systems
from adjudge.data.score_table import score_table

_LINE = re.compile(r"[^\t]+\t(None|[-+]?\d[-+.\deE]*)")
_NAME = re.compile(r"(?P<pair>[^.]+)\.(?P<scale>.+)\.(?P<level>seg|sys)\.score")


def _recognise(file: InputFile) -> bool:
    """Does its first line look like a system and its score?"""
    return _LINE.fullmatch(file.first_line) is not None


def _read(file: InputFile) -> pl.DataFrame:
    """The score table of such a file."""
    named = _NAME.fullmatch(Path(uncompressed_name(file.name)).name)
    if named is None:
        raise InputError(
            "holds scores of systems, but its name does not say of what; call it "
            "PAIR.SCALE.seg.score or PAIR.SCALE.sys.score",
            file=file.name,
        )
    documents = _documents(file.name, named["pair"]) if named["level"] == "seg" else []

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        require_values(frame, ("system", "score"))
        check_system_names(frame, ("system",))
        frame = frame.with_columns(pl.col("score").replace("None", None))
        frame = frame.with_columns(to_number(frame, "score", pl.Float64))
        if named["level"] == "sys":
            again = ~pl.col("system").is_first_distinct()
            refuse(frame, again, "system {} is there twice; remove one", "system")
        else:
            frame = _segments(frame, documents)
        frame = frame.drop_nulls("score")
        return frame.with_row_index("item", offset=1).select(
            pl.lit(named["pair"]).alias("pair"),
            pl.lit(named["scale"]).alias("scale"),
            pl.col("system").alias("output"),
            pl.exclude("system"),
        )

    return read_delimited(
        file, build, separator="\t", columns=("system", "score"), check=score_table
    )


def _segments(frame: pl.DataFrame, documents: list[str]) -> pl.DataFrame:
    """The number of each line's segment, and its document where that is known."""
    line = pl.int_range(pl.len()).over("system")
    lines = frame.group_by("system", maintain_order=True).len()
    wanted = int(lines["len"][0]) if not documents else len(documents)
    odd = lines.filter(pl.col("len") != wanted)
    if len(odd):
        raise InputError(
            f"system {odd['system'][0]!r} has {odd['len'][0]:,} scores for {wanted:,} segments; "
            "give one line a segment, None where there is no score"
        )
    frame = frame.with_columns(segment=(line + 1).cast(pl.String), document=line)
    if not documents:
        return frame.drop("document")
    return frame.with_columns(pl.Series(documents).gather(frame["document"]).alias("document"))


def _write(table: pl.DataFrame, file: OutputFile) -> None:
    """The scores that the file's name asks for."""
    path = file.path
    asked = _NAME.fullmatch(Path(uncompressed_name(path)).name)
    if asked is None:
        raise AdjudgeError(
            f"{path}: its name does not say what to write; call it PAIR.SCALE.seg.score or "
            "PAIR.SCALE.sys.score"
        )
    given = (with_mqm(table) if asked["scale"] == MQM else table).drop_nulls(["output", "score"])
    for column in ("pair", "scale"):
        names = given[column].cast(pl.String)
        if asked[column] not in names.unique():
            raise AdjudgeError(
                f"{path}: there are no scores of the {column} {asked[column]!r}; there are: "
                f"{', '.join(sorted(names.unique().drop_nulls()))}"
            )
        given = given.filter(names == asked[column])
    known = given.filter(attributed())
    systems = known.with_columns(list_systems().alias("output")).explode("output")
    scores = _segment_scores(systems, path, asked["pair"])
    if asked["level"] == "sys":
        scores = scores.group_by("output", maintain_order=True).agg(pl.col("score").mean())
    scores.select("output", pl.col("score").cast(pl.String).fill_null("None")).write_csv(
        file.stream, separator="\t", include_header=False, quote_style="never"
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
    """The document of each segment of the test set; none where nobody wrote them down."""
    documents = Path(path).absolute().parent.parent / "documents" / f"{pair}.docs"
    if not documents.is_file():
        return []
    return [line.split("\t")[-1] for line in InputFile(documents).text.splitlines()]


FORMAT = Format(
    name="metrics-eval",
    description="mt-metrics-eval human scores",
    kind="scores",
    suffix=".score",
    recognise=_recognise,
    read=_read,
    example={"en-cs.da.seg.score": "A\t71.5\nA\tNone\nPřekladač\t-2\nPřekladač\t3e1\n".encode()},
    write=_write,
    carries=frozenset({"pair", "segment", "output", "scale", "score"}),
)
