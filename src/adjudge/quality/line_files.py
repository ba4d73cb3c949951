"""Parallel files with one segment per line.

The layouts of WMT12 to WMT17 and of MLQE-PE differ in their file names. A data set is a folder, or
a common prefix of its files (`data/dev` for `data/dev.src`, …).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import uncompressed_name
from adjudge.quality.translations import FEATURE, Place, translation_table
from adjudge.text.reading import read_lines

_FEATURES = "features"


def files_of(path: str, names: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Find the file of every column in `names` at a path, compressed or not.

    A name with a leading dot is a suffix (`.src`: `dev.src`), another is a full name.
    """
    folder, stem = (Path(path), "") if Path(path).is_dir() else (Path(path).parent, Path(path).name)
    if not folder.is_dir():
        return {}
    there: dict[str, list[str]] = {}
    for each in sorted(folder.iterdir()):
        plain = uncompressed_name(each.name)
        for column, endings in names.items():
            if each.is_file() and any(_fits(plain, ending, stem) for ending in endings):
                there.setdefault(column, []).append(str(each))
    for found in there.values():
        if len(found) > 1:
            first, second = (Path(each).name for each in found[:2])
            raise InputError(
                f"holds both {first} and {second}; name the beginning of one data set, as in "
                f"{Path(path) / first.partition('.')[0]}",
                file=path,
            )
    return {column: there[column][0] for column in names if column in there}


def _fits(name: str, ending: str, stem: str) -> bool:
    if not ending.startswith("."):
        return not stem and name == ending
    if stem:
        return name == stem + ending
    return name.endswith(ending) and name.partition(".")[0] + ending == name


def read_line_files(path: str, files: Mapping[str, str], every_other_tag: bool) -> pl.DataFrame:
    """Read the table of translations from the files of its columns.

    `every_other_tag`: a line also has tags of the gaps between words, which are dropped.
    """
    columns: dict[str, pl.Series] = {}
    counted: tuple[str, int] | None = None
    for column, name in files.items():
        lines = read_lines(InputFile(name))
        if counted is not None and len(lines) != counted[1]:
            raise InputError(
                f"has {len(lines):,} lines, {counted[0]} has {counted[1]:,}; every file has one "
                "line a segment",
                file=name,
                line=min(len(lines), counted[1]) + 1,
            )
        counted = counted or (name, len(lines))
        columns |= _columns(column, name, lines, every_other_tag)
    number = 0 if counted is None else counted[1]
    line = pl.int_range(1, number + 1, eager=True)
    frame = pl.DataFrame({**columns, "segment": line.cast(pl.String), "line": line})
    return translation_table(frame, Place(path, dict(files)))


def _columns(
    column: str, name: str, lines: Sequence[str], every_other_tag: bool
) -> dict[str, pl.Series]:
    if column in ("source", "target", "reference", "post_edit"):
        return {column: pl.Series(lines, dtype=pl.String)}
    if column == "alignment":
        return {column: pl.Series([" ".join(line.split()) for line in lines], dtype=pl.String)}
    if column == "tags":
        tags = [_tags(line, name, number, every_other_tag) for number, line in enumerate(lines, 1)]
        return {column: pl.Series(tags, dtype=pl.List(pl.String))}
    if column == _FEATURES:
        return _features(name, lines)
    numbers = [_number(line, column, name, number) for number, line in enumerate(lines, 1)]
    return {column: pl.Series(numbers, dtype=pl.Float64)}


def _tags(line: str, name: str, number: int, every_other_tag: bool) -> list[str]:
    tags = line.split()
    if not every_other_tag:
        return tags
    if len(tags) % 2 == 0:
        raise InputError(
            f"has {len(tags)} tags; words and the gaps around them make an odd number",
            file=name,
            line=number,
        )
    return tags[1::2]


def _features(name: str, lines: Sequence[str]) -> dict[str, pl.Series]:
    """Columns `feature_1`, `feature_2`, … of a file without a header."""
    rows = [line.split("\t") for line in lines]
    width = len(rows[0]) if rows else 0
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise InputError(
                f"has {len(row)} features, the first line has {width}; correct it",
                file=name,
                line=number,
            )
    return {
        f"{FEATURE}{place + 1}": pl.Series(
            [_number(row[place], "feature", name, number) for number, row in enumerate(rows, 1)],
            dtype=pl.Float64,
        )
        for place in range(width)
    }


def _number(text: str, column: str, name: str, line: int) -> float:
    try:
        return float(text)
    except ValueError:
        reason = f"{column} {text[:60]!r} is not a number; write one a line"
        raise InputError(reason, file=name, line=line) from None
