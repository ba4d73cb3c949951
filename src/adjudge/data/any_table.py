"""Tables in no known format: any delimited file, JSON, Parquet, Excel sheet or frame in memory.

`column_names` finds out what the columns hold. Votes are scanned lazily, as those of arenas, so
that a large file is counted while it is read.
"""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from adjudge.core.errors import InputError, need
from adjudge.core.files.checked_table import READ_ERRORS, refuse, require_values, unreadable
from adjudge.core.files.decompression import BROKEN_ARCHIVE, check_archive
from adjudge.core.files.delimited import lazy_delimited, read_delimited
from adjudge.core.files.input_file import HEAD, InputFile
from adjudge.core.files.jsonl import lazy_jsonl, read_jsonl
from adjudge.core.files.parquet import (
    is_parquet,
    lazy_parquet,
    parquet_columns,
    quietly,
    read_parquet,
)
from adjudge.data.column_names import (
    MISSING,
    SCALES,
    Columns,
    Layout,
    holds_outcomes,
    number,
    numeric,
    plain,
    recognise_columns,
    times,
    unrecognised,
)
from adjudge.data.formats import Format
from adjudge.data.kinds import KINDS, KindName
from adjudge.data.languages import refuse_mixed_codes
from adjudge.data.outcomes import EXPECTED, label_of, winning_side
from adjudge.data.outputs import check_system_names
from adjudge.data.ranking_rows import to_rows

SAMPLE = 200  # rows from which columns are recognised
CAMPAIGN = "table"  # where no language pair is named
TABLE = "table"  # what such a file is called among the formats
_EXCEL = b"PK\x03\x04"
_WINNING = winning_side("outcome", "left", "right")


@dataclass(frozen=True)
class _Container:
    """How the rows of one kind of file are read; `header` is the line of the names, if any."""

    sample: pl.DataFrame
    read: Callable[[Callable[[pl.DataFrame], pl.DataFrame], Any, Layout], pl.DataFrame]
    scan: Callable[[Layout], pl.LazyFrame] | None = None
    header: int | None = None


def table_format(file: InputFile, columns: Columns | None = None) -> Format:
    """A format of this one file, made from the columns found (or named by the caller)."""
    container = _container(file)
    sample = container.sample
    layout = recognise_columns(sample, _present(columns, sample.columns))
    if layout is None:
        raise unrecognised(sample, file.name, columns, container.header)
    kind = KINDS[kind_of_layout(layout)]
    votes = container.scan if layout.name == "votes" else None
    return Format(
        name=TABLE,
        description=str(layout),
        kind=kind.name,
        suffix="",
        recognise=lambda _: True,
        read=lambda given: container.read(partial(build, layout=layout), kind.check, layout),
        example={},
        votes=None if votes is None else lambda given: _scanned(votes(layout), layout),
        outcome=_WINNING,
        rankings=None if votes is None else _vote_rankings,
    )


def kind_of_layout(layout: Layout) -> KindName:
    """The kind of table that a layout becomes."""
    return "scores" if layout.name == "scores" else "judgements"


def frame_table(frame: pl.DataFrame, columns: Columns | None = None) -> tuple[pl.DataFrame, str]:
    """A table from a frame in memory, and the columns it was read from."""
    frame = without_line(frame)
    sample = frame.head(SAMPLE)
    layout = recognise_columns(sample, _present(columns, sample.columns))
    if layout is None:
        raise unrecognised(sample, None, columns, None)
    try:
        table = KINDS[kind_of_layout(layout)].check(
            build(frame.with_row_index("line", offset=1), layout), ""
        )
    except InputError as error:
        row = "" if error.line is None else f"row {error.line}: "
        raise InputError(row + error.reason) from None
    return table, str(layout)


def _present(columns: Columns | None, names: Sequence[str]) -> Columns | None:
    """Columns by the names they have in the frame: one called `line` was renamed."""
    if columns is None or "line_" not in names:
        return columns
    many = {role: (of,) if isinstance(of, str) else of for role, of in columns.items()}
    return {role: ["line_" if n == "line" else n for n in of] for role, of in many.items()}


def without_line(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with a column `line` renamed, which here is the number of a row."""
    return frame.rename({"line": "line_"}, strict=False)


def _container(file: InputFile) -> _Container:
    if is_parquet(file):
        return _parquet(file)
    if file.head.startswith(_EXCEL):
        return _excel(file)
    if file.json_keys:
        return _json_lines(file)
    if file.head.lstrip().startswith(b"["):
        return _json_array(file, file.text)
    return _delimited(file)


def _parquet(file: InputFile) -> _Container:
    names = parquet_columns(file)
    query = lazy_parquet(file, names)
    with quietly(file):
        try:
            if "line" in names:
                return _in_memory(file, query.collect(), 1)
            sample = query.head(SAMPLE).collect()
        except READ_ERRORS as error:
            raise unreadable(file, error) from None
    return _Container(
        sample,
        lambda build, check, layout: read_parquet(
            file, build, columns=_needed(layout), check=check
        ),
        lambda layout: lazy_parquet(file, _needed(layout)),
    )


def _needed(layout: Layout) -> list[str]:
    return [name for of in layout.columns.values() for name in of]


def _json_lines(file: InputFile) -> _Container:
    if "line" in file.json_keys:
        lines = filter(str.strip, file.text.split("\n"))
        return _json_array(file, f"[{','.join(lines)}]")
    rows = []
    for line in file.head.decode("utf-8", "ignore").split("\n")[:SAMPLE]:
        try:
            rows.append({key: _scalar(value) for key, value in json.loads(line).items()})
        except (ValueError, AttributeError, RecursionError):
            continue  # cut off or blank; a bad line is named where all are read
    sample = pl.DataFrame(rows, schema=dict.fromkeys(sorted(file.json_keys), pl.String))

    def schema(layout: Layout) -> dict[str, pl.DataType]:
        return dict.fromkeys(_needed(layout), pl.String())

    return _Container(
        sample,
        lambda build, check, layout: read_jsonl(
            file, schema(layout), build, strict=False, check=check
        ),
        lambda layout: lazy_jsonl(file, schema(layout)),
    )


def _scalar(value: Any) -> str | None:
    """A value of JSON as text; lists and objects are none."""
    return str(value) if isinstance(value, str | int | float) else None


def _json_array(file: InputFile, text: str) -> _Container:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON ({error}); mend it", file=file.name) from None
    rows = [row for row in given if isinstance(row, dict)]
    if len(rows) != len(given) or not rows:
        raise InputError(
            "is a JSON array, but not of objects; write [{…}, {…}], one object a row",
            file=file.name,
        )
    names = dict.fromkeys(key for row in rows for key in row)
    columns = {name: [_scalar(row.get(name)) for row in rows] for name in names}
    return _in_memory(file, pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)), 1)


def _excel(file: InputFile) -> _Container:
    """The first sheet of a workbook."""
    need("fastexcel", "reading Excel needs", "excel")
    from fastexcel import FastExcelError

    try:
        data = bytes(file.data)
        check_archive(data, file.name)
        sheet = pl.read_excel(io.BytesIO(data), has_header=False, infer_schema_length=0)
    except (*READ_ERRORS, *BROKEN_ARCHIVE, FastExcelError, ValueError):
        raise unreadable(file) from None
    header, *_ = sheet.rows() or [()]
    names = _checked_header([name or "" for name in header], file)
    return _in_memory(file, sheet.slice(1).rename(dict(zip(sheet.columns, names, strict=True))), 2)


def _in_memory(file: InputFile, frame: pl.DataFrame, first: int) -> _Container:
    """A file that is held whole; `first` is the number of its first row in messages."""
    frame = without_line(frame)

    def read(
        build: Callable[[pl.DataFrame], pl.DataFrame], check: Any, layout: Layout
    ) -> pl.DataFrame:
        try:
            table: pl.DataFrame = check(
                build(frame.with_row_index("line", offset=first)), file.name
            )
            return table
        except InputError as error:
            row = "" if error.line is None else f"row {error.line}: "
            raise InputError(row + error.reason, file=file.name) from None

    return _Container(frame.head(SAMPLE), read)


def _delimited(file: InputFile) -> _Container:
    if "\ufffd" in file.head.decode("utf-8", "replace")[:-4]:
        file.text  # noqa: B018  (says where it is no text)
    rows = _first_rows(file)
    width = max(map(len, rows), default=0)
    if width < 2:
        file.text  # noqa: B018  (says so where it is empty, or no text)
        raise InputError("is in no known format (docs/formats.md)", file=file.name, line=1)
    header = [*rows[0], *[""] * (width - len(rows[0]))]
    body = [row for row in rows[1:] if len(row) == width]
    values = pl.DataFrame(
        [[value or None for value in row] for row in body],
        schema=[f"{place}" for place in range(1, width + 1)],
        orient="row",
        schema_overrides={f"{place}": pl.String for place in range(1, width + 1)},
    )
    headless = any(map(_is_value, header, values))
    if headless:
        first = pl.DataFrame(
            [[name or None for name in header]], schema=values.schema, orient="row"
        )
        columns = values.columns
        return _Container(
            pl.concat([first, values]),
            lambda build, check, layout: read_delimited(file, build, columns=columns, check=check),
            header=1,
        )
    if len(rows[0]) < width:
        raise file.bad_line(
            1,
            f"has {len(rows[0])} fields, but rows have {width}; remove lines above the header, and "
            "name every column",
        )
    names = _checked_header(header, file)
    return _Container(
        values.rename(dict(zip(values.columns, names, strict=True))),
        lambda build, check, layout: read_delimited(file, build, check=check),
        lambda layout: lazy_delimited(file),
        header=1,
    )


def _first_rows(file: InputFile) -> list[list[str]]:
    """The rows at the beginning of a delimited file; a row that is cut off is none."""
    text = file.head.decode("utf-8", "ignore")
    if len(file.head) == HEAD:
        text = text.rpartition("\n")[0]
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=file.separator))
    except csv.Error:
        rows = [list(file.header)]
    return [row for row in rows if row][: SAMPLE + 1]


def _is_value(name: str, values: pl.Series) -> bool:
    """Whether the first field of a column is a value like those below it, and not a name."""
    if not len(values):
        return False
    first = pl.Series([name or None], dtype=pl.String)
    if numeric(values):
        return numeric(first)
    return holds_outcomes(first) and holds_outcomes(values)


def _checked_header(header: Sequence[str], file: InputFile) -> list[str]:
    """The names of the columns; refuses a header with merged cells or a name used twice."""
    names = ["line_" if name == "line" else name for name in header]
    unnamed = [place for place, name in enumerate(names[1:], 2) if not name.strip()]
    if unnamed:
        raise file.bad_line(
            1,
            f"column {unnamed[0]} has no name (merged cells?); put the names of all columns into "
            "the first row, one a column",
        )
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise file.bad_line(1, f"names the column {twice[0]} twice; rename one")
    return names


def build(frame: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The rows of a judgement or score table from the columns of a layout."""
    roles = _by_role(frame, layout)
    makers = {
        "votes": _votes,
        "preferences": _preferences,
        "scores": _scores,
        "rankings": _rankings,
    }
    return makers[layout.name](_with_pair(roles))


def _by_role(frame: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The columns under the names of their roles, several scores or ranks as rows of their own."""
    missing = [name for name in _needed(layout) if name not in frame.columns]
    if missing:
        raise InputError(f"no column {missing[0]!r}; add it", line=1)
    single = {role: of[0] for role, of in layout.columns.items() if len(of) == 1}
    line = ["line"] if "line" in frame.columns else []
    columns = frame.select(
        *line, *(_cleaned(frame[name], role).alias(role) for role, name in single.items())
    )
    several = [(role, of) for role, of in layout.columns.items() if len(of) > 1]
    if not several:
        return _with_scale(columns, layout)
    ((role, names),) = several
    named = "system" if layout.per_system else "scale"
    if layout.per_system and "segment" not in columns.columns and "judge" not in columns.columns:
        row = pl.int_range(1, pl.len() + 1).cast(pl.String)
        columns = columns.with_columns(row.alias("segment"))
    columns = columns.with_columns(frame[name].alias(f"{role} {name}") for name in names)
    if role == "rank":
        columns = columns.with_row_index("ranking", offset=1)
    long = columns.unpivot(
        [f"{role} {name}" for name in names],
        index=[name for name in columns.columns if not name.startswith(f"{role} ")],
        variable_name=named,
        value_name=role,
    ).with_columns(pl.col(named).str.strip_prefix(f"{role} "))
    if named == "scale":
        shown = {name: SCALES.get(plain(name), name) for name in names}
        return long.with_columns(pl.col("scale").replace(shown))
    return _with_scale(long.filter(pl.col(role).is_not_null()), layout)


def _with_scale(columns: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    if layout.name != "scores" or "scale" in columns.columns:
        return columns
    name = "score" if layout.per_system else layout.columns["score"][0]
    scale = SCALES.get(plain(name), "score")
    return columns.with_columns(scale=pl.lit(scale))


def _cleaned(column: pl.Series, role: str) -> pl.Series:
    """Names without spaces around them; whole numbers are names too."""
    if role in ("score", "rank", "seconds", "time", "spans"):
        return column
    if column.dtype.is_float() and (column.drop_nulls() == column.drop_nulls().round()).all():
        column = column.cast(pl.Int64)
    text = column.cast(pl.String).str.strip_chars()
    return text.set(text == "", None)


def _with_pair(frame: pl.DataFrame) -> pl.DataFrame:
    names = frame.columns
    if "pair" in names:
        pair = pl.col("pair").fill_null(CAMPAIGN)
    elif "source_language" in names:
        pair = (pl.col("source_language") + "-" + pl.col("target_language")).fill_null(CAMPAIGN)
    else:
        pair = pl.lit(CAMPAIGN)
    frame = frame.with_columns(pair=pair).drop("source_language", "target_language", strict=False)
    refuse_mixed_codes(frame)
    if "seconds" in names:
        frame = frame.with_columns(_numbers(frame, "seconds"))
    if "time" in names:
        moment = times(pl.col("time")) if not frame["time"].dtype.is_temporal() else _utc(frame)
        lost = pl.col("time").is_not_null() & moment.is_null()
        refuse(frame, lost, "time {} is no time; write 2026-11-19T08:30:00", "time")
        frame = frame.with_columns(moment.alias("time"))
    return frame


def _utc(frame: pl.DataFrame) -> pl.Expr:
    time = pl.col("time").cast(pl.Datetime("us", getattr(frame["time"].dtype, "time_zone", None)))
    if getattr(frame["time"].dtype, "time_zone", None) is None:
        return time.dt.replace_time_zone("UTC")
    return time.dt.convert_time_zone("UTC")


def _numbers(frame: pl.DataFrame, column: str) -> pl.Series:
    """A column as numbers; refuses what is none, and takes words for a missing value as such."""
    given = frame[column]
    if given.dtype == pl.String:
        given = given.set(given.str.strip_chars().str.to_lowercase().is_in(MISSING), None)
    numbers = number(given).alias(column).fill_nan(None)
    refuse(
        frame.with_columns(given.alias("given"), numbers),
        pl.col("given").is_not_null() & pl.col(column).is_null(),
        f"{column} {{}} is no number; write one, or leave it empty",
        "given",
    )
    return numbers


def _votes(frame: pl.DataFrame) -> pl.DataFrame:
    require_values(frame, ("left", "right"))
    refuse(frame, pl.col("left") == pl.col("right"), "compares {} with itself; remove it", "left")
    unknown = pl.col("outcome").is_not_null() & _WINNING.is_null()
    refuse(frame, unknown, f"unknown outcome {{}}. Use {EXPECTED}", "outcome")
    check_system_names(frame, ("left", "right"))
    return _vote_rankings(frame)


def _vote_rankings(votes: pl.DataFrame) -> pl.DataFrame:
    """A ranking of two outputs of every vote; a missing outcome is a missing label."""
    wide = votes.with_columns(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("ranking"),
        pl.when(_WINNING < 0).then(2).when(_WINNING >= 0).then(1).cast(pl.Int32).alias("rank_a"),
        pl.when(_WINNING > 0).then(2).when(_WINNING <= 0).then(1).cast(pl.Int32).alias("rank_b"),
        label_of(pl.col("outcome")).alias("label"),
    )
    rows = to_rows(wide, [pl.col("left"), pl.col("right")], [pl.col("rank_a"), pl.col("rank_b")])
    return rows.drop("left", "right", "outcome", "rank_a", "rank_b")


def _preferences(frame: pl.DataFrame) -> pl.DataFrame:
    votes = frame.rename({"better": "left", "worse": "right"}).with_columns(outcome=pl.lit("left"))
    return _votes(votes).drop("position")  # which was shown first is not known


def _scores(frame: pl.DataFrame) -> pl.DataFrame:
    require_values(frame, ("system",))
    check_system_names(frame, ("system",))
    rows = frame.with_columns(_numbers(frame, "score")).rename({"system": "output"})
    return rows.with_columns(pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("item"))


def _rankings(frame: pl.DataFrame) -> pl.DataFrame:
    require_values(frame, ("system",))
    check_system_names(frame, ("system",))
    rank = _numbers(frame, "rank")
    fraction = (rank != rank.round()).fill_null(False)
    refuse(frame, pl.lit(fraction), "rank {} is no whole number; write 1 for the best", "rank")
    keys = ("ranking", "pair", "document", "segment", "judge")
    given = [name for name in keys if name in frame.columns]
    numbers = frame.select(given).unique(maintain_order=True).with_row_index("number", offset=1)
    rows = frame.with_columns(rank.cast(pl.Int32)).join(
        numbers, on=given, how="left", nulls_equal=True, maintain_order="left"
    )
    ranking = pl.col("number").cast(pl.Int64).alias("ranking")
    return rows.with_columns(ranking).drop("number").rename({"system": "output"})


def _scanned(query: pl.LazyFrame, layout: Layout) -> pl.LazyFrame:
    """Votes as `Format.votes` has them."""
    of = {role: names[0] for role, names in layout.columns.items()}
    kept = ("pair", "source_language", "target_language", "judge", "segment", "time")
    columns = query.select(
        pl.col(of[role]).cast(pl.String).str.strip_chars().alias(role)
        for role in (*kept, "left", "right", "outcome")
        if role in of
    )
    if "pair" in of:
        columns = columns.with_columns(pl.col("pair").fill_null(CAMPAIGN))
    elif "source_language" in of:
        pair = pl.col("source_language") + "-" + pl.col("target_language")
        columns = columns.with_columns(pair=pair.fill_null(CAMPAIGN))
    else:
        columns = columns.with_columns(pair=pl.lit(CAMPAIGN))
    if "time" in of:
        columns = columns.with_columns(times(pl.col("time")).alias("time"))
    return columns.drop("source_language", "target_language", strict=False)
