"""CSV and TSV files, parsed by Polars; Python's csv module locates errors."""

import csv
import io
from collections.abc import Sequence
from typing import Any

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import Builder, Check, read_carefully, refuse
from adjudge.core.files.input_file import LONGEST_LINE, InputFile


def read_delimited(
    file: InputFile,
    build: Builder,
    *,
    separator: str | None = None,
    columns: Sequence[str] | None = None,
    shorter: bool = False,
    check: Check,
) -> pl.DataFrame:
    """Build a table with `build` from the rows as strings.

    `columns` names the columns of a file without a header. The default `separator` is that of the
    header, and fields may be quoted; with an explicit tab, fields are never quoted. `shorter`: a
    row may omit trailing fields, which are then empty.
    """
    file.check_lines()
    return read_carefully(
        file,
        build,
        fast=lambda: _fast(file, separator, columns, shorter),
        slow=lambda: _slow(file, separator, columns, shorter),
        check=check,
    )


def lazy_delimited(file: InputFile) -> pl.LazyFrame:
    """Query over the rows of a file with a header, every column as text."""
    source: Any = file.streamed
    return pl.scan_csv(source, separator=file.separator, infer_schema=False, glob=False)


def blank_separated(file: InputFile, columns: Sequence[str]) -> pl.DataFrame:
    """Parse rows of fields separated by tabs or blanks (`NA`: missing), with their line numbers.

    Files that R or awk wrote mix the two; quotes around fields are dropped.
    """
    lines = pl.Series(file.text.splitlines(), dtype=pl.String)
    frame = pl.DataFrame({"fields": lines.str.replace_all('"', "").str.extract_all(r"[^ \t]+")})
    frame = frame.with_row_index("line", offset=1).filter(pl.col("fields").list.len() > 0).slice(1)
    refuse(
        frame,
        pl.col("fields").list.len() != len(columns),
        f"does not have {len(columns)} fields; the row is cut or wrong, correct it",
    )
    fields = (
        pl.col("fields").list.get(place, null_on_oob=True).replace("NA", None).alias(name)
        for place, name in enumerate(columns)
    )
    return frame.select(*fields, pl.col("line").cast(pl.Int64))


def _fast(
    file: InputFile, separator: str | None, columns: Sequence[str] | None, shorter: bool
) -> pl.DataFrame:
    frame = pl.read_csv(
        file.source,
        separator=separator or file.separator,
        has_header=columns is None,
        new_columns=columns,
        quote_char='"' if separator is None else None,
        infer_schema=False,
        glob=False,
    )
    # Polars takes a row with too few fields for one whose last values are missing, and old
    # Macintosh line ends for none at all.
    last = frame.get_column(frame.columns[-1])
    if (last.null_count() and not shorter) or not len(frame) or "line" in frame.columns:
        raise InputError("perhaps a row is too short", file=file.name)
    return frame


def _slow(
    file: InputFile, separator: str | None, columns: Sequence[str] | None, shorter: bool
) -> pl.DataFrame:
    """Read the rows with their line numbers in column `line`."""
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(
        io.StringIO(file.text, newline=""),
        delimiter=separator or file.separator,
        quoting=csv.QUOTE_MINIMAL if separator is None else csv.QUOTE_NONE,
        strict=True,
    )
    rows: list[tuple[str | None, ...]] = []
    lines: list[int] = []
    header = columns
    line = 1
    try:
        for fields in reader:
            if header is None and fields:
                header = fields
            elif header is not None and fields:
                if shorter:
                    fields += [""] * (len(header) - len(fields))
                if len(fields) != len(header):
                    raise file.bad_line(
                        line,
                        f"has {len(fields)} fields instead of {len(header)}; "
                        "the row is truncated or its quotes are wrong; correct it",
                    )
                rows.append(tuple(field or None for field in fields))
                lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise file.bad_line(line, f"invalid CSV: {_in_words(error)}; correct it") from None
    names = ["line_" if name == "line" else name for name in header or []]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise file.bad_line(1, f"names the column {twice[0]} twice; remove one")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return frame.with_columns(line=pl.Series(lines, dtype=pl.Int64))


def _in_words(error: csv.Error) -> str:
    """Explain an error of the csv module."""
    said = str(error)
    if "expected after" in said:
        return "a quote ends before its field does"
    if "unexpected end" in said:
        return "a quote is never closed"
    return "its quotes are wrong"
