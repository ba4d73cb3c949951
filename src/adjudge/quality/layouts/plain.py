"""Single file of gold values, one line per segment: a number, or the tags of its words.

The quantity is inferred from the name: `test.hter`, `target_system.effort`, `hter.txt`; any other
name makes it a `score`.
"""

import re
from pathlib import Path

import polars as pl

from adjudge.core.files.input_file import InputFile
from adjudge.core.files.output import uncompressed_name
from adjudge.quality.layouts import Layout
from adjudge.quality.line_files import read_line_files
from adjudge.quality.quantities import QUANTITIES

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
TAGS = re.compile(r"(OK|BAD|GOOD|[KCSD])( (OK|BAD|GOOD|[KCSD]))*")


def _column(path: str) -> str | None:
    file = InputFile(path)
    if TAGS.fullmatch(file.first_line.strip()):
        return "tags"
    if not NUMBER.fullmatch(file.first_line.strip()):
        return None
    parts = uncompressed_name(Path(path).name).split(".")
    return next((part for part in parts if part in QUANTITIES), "score")


def _recognise(path: str) -> bool:
    return Path(path).is_file() and _column(path) is not None


def _read(path: str) -> pl.DataFrame:
    return read_line_files(path, {_column(path) or "score": path}, every_other_tag=False)


LAYOUT = Layout(
    name="plain",
    description="one file with a number a line, or with the tags of a sentence a line",
    recognise=_recognise,
    read=_read,
    files=lambda path: [path],
    example={"test.hter": b"0.25\n0\n1.0\n"},
    path="test.hter",
)
