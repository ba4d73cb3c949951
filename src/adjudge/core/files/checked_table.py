"""From the rows of a file to a table: fast, and again slowly to name what is wrong.

Polars parses a file in no time but does not say where it is bad. So every reader has two ways
to get its rows: a fast one, and a slow one that knows the line of each (column `line`), taken
only when the fast one fails or the checks refuse what it gave.
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
    """The table that `build` makes of the rows, or the reason why not, with its line."""
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
    """The same for a file whose rows have one way in, which knows their lines."""
    return read_carefully(file, build, fast=rows, slow=rows, check=check)


def unreadable(
    file: InputFile, error: BaseException | None = None, perhaps: str | None = None
) -> InputError:
    """What to say of a file that Polars cannot read, `perhaps` for another reason than damage."""
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
    """Raise at the first row that is `bad`; {} in `reason` is its value of the column `show`."""
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
    """A column of text as numbers; a null stays one."""
    converted = pl.col(column).cast(dtype, strict=False)
    refuse(
        frame,
        pl.col(column).is_not_null() & converted.is_null(),
        f"{column} {{}} is no number (or far too large); write one",
        column,
    )
    return converted


def require_values(frame: pl.DataFrame, columns: Iterable[str]) -> None:
    """Refuse a row that lacks a value in one of these columns."""
    for column in columns:
        refuse(
            frame, pl.col(column).is_null(), f"has no {column}; the row is cut or wrong, mend it"
        )


def require_columns(
    frame: pl.DataFrame, known: Iterable[str], required: Iterable[str], format_name: str
) -> None:
    """Refuse a header with a column the format does not have, or without one it needs."""
    unknown = [name for name in frame.columns if name not in {*known, *required, "line"}]
    if unknown:
        raise InputError(
            f"unknown column {unknown[0]!r}; {format_name} has no such column, remove it", line=1
        )
    missing = [name for name in required if name not in frame.columns]
    if missing:
        raise InputError(f"no column {missing[0]!r}; {format_name} needs it, add it", line=1)
