"""Files of metric scores, whatever their layout, as submissions."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from adjudge.core.errors import BadParameter, InputError, instead_of
from adjudge.core.files.input_file import InputFile
from adjudge.metaeval.layouts import LAYOUTS, Layout
from adjudge.metaeval.submission import Submission, submissions_from


def read_submissions(
    paths: Sequence[str], *, pair: str | None = None, lower: Iterable[str] = ()
) -> list[Submission]:
    """The submissions of files, or of all `*.score` files of folders, those of one pair together.

    `pair` is that of files that do not name one. By the metrics named `lower`, lower scores are
    better.
    """
    errors = list(lower)
    table = read_scores(paths, pair=pair)
    _refuse_twice(table)
    known = sorted(table["metric"].unique())
    unknown = sorted(set(errors) - set(known))
    if unknown:
        raise BadParameter(
            f"`lower` names {unknown[0]!r}, which is no metric of these files; "
            f"{instead_of(unknown[0], known)}"
        )
    return submissions_from(table, lower=errors)


def read_scores(paths: Sequence[str], *, pair: str | None = None) -> pl.DataFrame:
    """The long table of the same files, as they are."""
    files = [file for path in paths for file in score_files(path)]
    if not files:
        raise BadParameter("name a file of metric scores, or a folder with *.score files")
    table = pl.concat([_read(file) for file in files])
    return table.with_columns(pl.col("pair").fill_null(pl.lit(pair, pl.String)))


def score_files(path: str) -> list[InputFile]:
    """The file, or those of a folder that end in `.score`, compressed or not."""
    folder = Path(path)
    if not folder.is_dir():
        return [InputFile(path)]
    files = sorted(
        each for each in folder.rglob("*") if ".score" in each.suffixes and each.is_file()
    )
    if not files:
        raise InputError("holds no *.score file; name a folder that does", file=path)
    return [InputFile(each) for each in files]


def layout_of(file: InputFile) -> Layout:
    """The layout that recognises the file."""
    for layout in LAYOUTS.values():
        if layout.recognise(file):
            return layout
    known = "; ".join(f"{layout.name}: {layout.description}" for layout in LAYOUTS.values())
    raise InputError(f"is no file of metric scores; there are {known}", file=file.name)


def _read(file: InputFile) -> pl.DataFrame:
    return layout_of(file).read(file)


def _refuse_twice(table: pl.DataFrame) -> None:
    key = ["metric", "pair", "system", "segment"]
    again = table.filter(~pl.struct(key).is_first_distinct())
    if len(again):
        metric, _, system, segment, _ = again.row(0)
        where = "the whole" if segment is None else f"segment {segment}"
        raise InputError(
            f"{metric} scores {where} of {system} twice; give each score once (are two files of "
            "one metric among them?)"
        )
