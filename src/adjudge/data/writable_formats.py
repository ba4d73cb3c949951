"""In which formats a table can be written so that they can be read again: found out by trying.

A format knows best what it cannot express, so a sample of the table is written and read back.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.input_file import InputFile
from adjudge.data.formats import FORMATS, Format
from adjudge.data.kinds import kind_of
from adjudge.data.table_files import read_in, recognise, write

SAMPLE = 100  # rankings (items) of each protocol


def writable(table: pl.DataFrame) -> list[Format]:
    """The formats that take this table, as far as a sample shows; none for an empty table."""
    kind = kind_of(table.columns)
    sample = _sample(table, kind.number)
    return [
        chosen
        for chosen in FORMATS.values()
        if chosen.kind == kind.name and chosen.write and len(sample) and _holds(chosen, sample)
    ]


def _sample(table: pl.DataFrame, number: str) -> pl.DataFrame:
    first = pl.col(number).rank("dense").over("protocol") <= SAMPLE
    return table.filter(first)


def _holds(chosen: Format, sample: pl.DataFrame) -> bool:
    with TemporaryDirectory(prefix="adjudge-try-") as folder:
        path = str(Path(folder, file_name("sample", chosen)))
        try:
            write(sample, path, chosen.name)
            file = InputFile(path)
            return recognise(file) is chosen and len(read_in(chosen, file, chosen.kind)) > 0
        except AdjudgeError:
            return False


def file_name(stem: str, chosen: Format) -> str:
    """What a file in that format is called; one of several tables has a name of its own."""
    return chosen.suffix if chosen.beside else f"{stem}{chosen.suffix}"
