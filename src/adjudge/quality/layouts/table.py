"""Table with a header (tabs, commas or semicolons), one row per translation.

Columns are those of the table of translations (`quality/translations.py`), or their synonyms
(`CALLED`), or `pseudo_reference:NAME`; every other column is a number. `segment` is the number of
the row where it is not given; `tags` has the tags of a row's words with spaces between them.
"""

from pathlib import Path

import polars as pl

from adjudge.core.files.checked_table import to_number
from adjudge.core.files.delimited import read_delimited
from adjudge.core.files.input_file import InputFile
from adjudge.data.table_files import is_known
from adjudge.quality.layouts import Layout
from adjudge.quality.translations import Place, is_number, translation_table

# What others call our columns.
CALLED = {
    "src": "source",
    "original": "source",
    "mt": "target",
    "translation": "target",
    "text": "target",
    "pe": "post_edit",
    "postedit": "post_edit",
    "ref": "reference",
    "editor": "translator",
    "align": "alignment",
    "index": "segment",
}
_NUMBERS = ("position", "ranking", "rank")


def named(columns: list[str]) -> dict[str, str]:
    """Map synonyms of columns to our names, unless ours is present too."""
    return {
        name: CALLED[name] for name in columns if name in CALLED and CALLED[name] not in columns
    }


def one_line_a_row(file: InputFile, rows: int) -> bool:
    """Test whether each row takes exactly one line below the header."""
    return file.text.rstrip("\r\n").count("\n") == rows


def _recognise(path: str) -> bool:
    if not Path(path).is_file():
        return False
    file = InputFile(path)
    ours = {CALLED.get(name, name) for name in file.header}
    return {"source", "target"} <= ours and not is_known(file)


def _read(path: str) -> pl.DataFrame:
    file = InputFile(path)
    separator = "\t" if file.separator == "\t" else None

    def build(frame: pl.DataFrame) -> pl.DataFrame:
        frame = frame.rename(named(frame.columns))
        further = [name for name in frame.columns if is_number(name)]
        frame = frame.with_columns(
            *(to_number(frame, name) for name in _NUMBERS if name in frame.columns),
            *(to_number(frame, name, pl.Float64) for name in further),
        )
        if "tags" in frame.columns:
            frame = frame.with_columns(pl.col("tags").str.strip_chars().str.split(" "))
        if "segment" not in frame.columns:
            frame = frame.with_columns(segment=pl.int_range(1, pl.len() + 1).cast(pl.String))
        if "line" not in frame.columns and one_line_a_row(file, len(frame)):
            frame = frame.with_columns(line=pl.int_range(2, pl.len() + 2))
        return frame

    return read_delimited(
        file,
        build,
        separator=separator,
        shorter=True,
        check=lambda frame, name: translation_table(frame, Place(name)),
    )


LAYOUT = Layout(
    name="table",
    description="a heading with source and target, and hter, seconds, document, … where known",
    recognise=_recognise,
    read=_read,
    files=lambda path: [path],
    example={
        "data.tsv": (
            "split\tdocument\tposition\teditor\tseconds\tsource\tmt\tpostedit\n"
            "train\tnews-1\t1\tA\t12.5\tIt is empty.\tEs ist voll.\tEs ist leer.\n"
            "test\tnews-2\t1\tB\t3\tPress twice.\tZweimal drücken.\tZweimal drücken.\n"
        ).encode()
    },
    path="data.tsv",
)
