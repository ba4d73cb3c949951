"""Parse a file fast, and reparse it slowly to locate an error.

Polars parses files quickly but does not report the position of an error. Every reader therefore has
two paths: a fast one, and a slow one that knows the line of each row (column `line`) and runs only
when the fast one fails or its result does not pass the checks.
"""

from collections.abc import Callable, Iterable, Mapping

import polars as pl
from polars.exceptions import PanicException, PolarsError

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile
from adjudge.core.files.memory import limited_memory

# Polars panics, rather than raise, on some Parquet that was damaged.
READ_ERRORS = (PolarsError, PanicException, OSError)

Rows = Callable[[], pl.DataFrame]
Builder = Callable[[pl.DataFrame], pl.DataFrame]
Check = Callable[[pl.DataFrame, str], pl.DataFrame]  # a table of one kind, or `InputError`


def read_carefully(
    file: InputFile, build: Builder, fast: Rows, slow: Rows, check: Check
) -> pl.DataFrame:
    """Build a table from the rows of a file, or raise an error with its line number."""
    try:
        return check(build(fast()), file.name)
    except (InputError, *READ_ERRORS):
        pass
    try:
        return check(build(slow()), file.name)
    except InputError as error:
        raise InputError(error.reason, file=error.file or file.name, line=error.line) from None
    except READ_ERRORS as error:
        raise unreadable(file, error) from None


def read_rows(file: InputFile, build: Builder, rows: Rows, check: Check) -> pl.DataFrame:
    """Build a table from rows that are read in a single way, which knows their lines."""
    return read_carefully(file, build, fast=rows, slow=rows, check=check)


def unreadable(
    file: InputFile, error: BaseException | None = None, perhaps: str | None = None
) -> InputError:
    """Error for a file that Polars cannot read; `perhaps` names a cause other than damage."""
    if isinstance(error, OSError) and error.strerror:
        return InputError(f"cannot be read ({error.strerror}); check the path", file=file.name)
    if limited_memory():
        return InputError(
            "is damaged, or takes more memory than this process may have; copy it again, or allow "
            "more (ulimit -v)",
            file=file.name,
        )
    or_else = f", or {perhaps} (docs/formats.md)" if perhaps else ""
    return InputError(
        f"is damaged or cut short{or_else}; copy it again, or write it anew", file=file.name
    )


def refuse(frame: pl.DataFrame, bad: pl.Expr, reason: str, show: str | None = None) -> None:
    """Raise at the first row that is `bad`; {} in `reason` is replaced by its value in column
    `show`.
    """
    first = frame.filter(bad).head(1)
    if len(first):
        value = "" if show is None else first[show].to_list()[0]
        line = first.item(0, "line") if "line" in frame.columns else None
        raise InputError(reason.replace("{}", repr(value)[:80]), line=line)


def leave_out(
    frame: pl.DataFrame, file: InputFile, rules: Mapping[str, pl.Expr | pl.Series]
) -> pl.DataFrame:
    """Drop rows by named rules, one after the other, and note in `file` how many each drops."""
    for reason, excluded in rules.items():
        kept = frame.filter(~excluded.fill_null(False))
        if len(kept) < len(frame):
            file.left_out[reason] = len(frame) - len(kept)
        frame = kept
    return frame


def to_number(frame: pl.DataFrame, column: str, dtype: type[pl.DataType] = pl.Int32) -> pl.Expr:
    """Cast a text column to numbers; nulls are kept."""
    converted = pl.col(column).cast(dtype, strict=False)
    refuse(
        frame,
        pl.col(column).is_not_null() & converted.is_null(),
        f"{column} {{}} is not a number (or far too large); write one",
        column,
    )
    return converted


def require_values(frame: pl.DataFrame, columns: Iterable[str]) -> None:
    """Refuse rows with a missing value in one of these columns."""
    for column in columns:
        refuse(frame, pl.col(column).is_null(), f"has no {column}; complete the row")


def require_columns(
    frame: pl.DataFrame, known: Iterable[str], required: Iterable[str], format_name: str
) -> None:
    """Refuse a header with an unknown column or without a required one."""
    unknown = [name for name in frame.columns if name not in {*known, *required, "line"}]
    if unknown:
        raise InputError(
            f"unknown column {unknown[0]!r}; {format_name} has no such column, remove it", line=1
        )
    missing = [name for name in required if name not in frame.columns]
    if missing:
        raise InputError(f"no column {missing[0]!r}; {format_name} needs it, add it", line=1)
