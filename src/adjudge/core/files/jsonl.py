"""JSON Lines files: parsed fast, and reparsed slowly to locate an error."""

import json
from collections.abc import Mapping
from typing import Any, cast

import polars as pl

from adjudge.core.errors import InputError
from adjudge.core.files.checked_table import Builder, Check, read_carefully
from adjudge.core.files.input_file import InputFile

_PYTHON_TYPES: dict[type[pl.DataType], tuple[tuple[type, ...], str]] = {
    pl.String: ((str,), "text"),
    pl.Int32: ((int,), "a whole number"),
    pl.Int64: ((int,), "a whole number"),
    pl.Float64: ((int, float), "a number"),
    pl.List: ((list,), "a list of names"),
    pl.Struct: ((dict,), "a list of objects as docs/formats.md says"),
    pl.Boolean: ((bool,), "true or false"),
}


def read_jsonl(
    file: InputFile,
    schema: Mapping[str, pl.DataType],
    build: Builder,
    *,
    strict: bool,
    check: Check,
) -> pl.DataFrame:
    """Build a table with `build` from the objects; `strict` refuses unknown keys."""
    file.check_lines()
    return read_carefully(
        file,
        build,
        fast=lambda: _fast(file, schema, strict),
        slow=lambda: _slow(file, schema, strict),
        check=check,
    )


def lazy_jsonl(file: InputFile, schema: Mapping[str, pl.DataType]) -> pl.LazyFrame:
    """Query over these keys of the objects."""
    source: Any = file.streamed
    return pl.scan_ndjson(source, schema=dict(schema))


def _fast(file: InputFile, schema: Mapping[str, pl.DataType], strict: bool) -> pl.DataFrame:
    frame = pl.read_ndjson(file.source, schema=dict(schema))
    if strict:
        # Polars drops a key without a column in silence, so keys and values are counted.
        data = file.data[:]
        keys = data.count(b'":') - data.count(b'\\":')
        nulls = data.count(b'":null') + data.count(b'": null')
        if keys - nulls != _values(frame):
            raise InputError("perhaps there is an unknown column", file=file.name)
    return frame


def _values(frame: pl.DataFrame) -> int:
    """Count the values, including those in lists of objects."""
    inside = (
        _values(column.drop_nulls().explode(empty_as_null=False).struct.unnest())
        for column in frame
        if isinstance(column.dtype, pl.List) and isinstance(column.dtype.inner, pl.Struct)
    )
    nulls = int(sum(frame.null_count().row(0)))
    return len(frame) * frame.width - nulls + sum(inside)


def _slow(file: InputFile, schema: Mapping[str, pl.DataType], strict: bool) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    for line, text in enumerate(file.text.split("\n"), 1):
        if text.strip():
            rows.append({**_object(file, line, text, schema, strict), "line": line})
    return pl.DataFrame(rows, schema={**schema, "line": pl.Int64()})


def _object(
    file: InputFile, line: int, text: str, schema: Mapping[str, pl.DataType], strict: bool
) -> dict[str, Any]:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise file.bad_line(line, f"is not a JSON object ({error}); correct the line") from None
    if not isinstance(value, dict):
        raise file.bad_line(line, "is not a JSON object; write one {…} a line")
    unknown = [key for key in value if key not in schema]
    if unknown and strict:
        raise file.bad_line(line, f"unknown column {unknown[0][:80]!r}; remove it")
    return {
        key: _value(file, line, key, value.get(key), dtype, strict) for key, dtype in schema.items()
    }


def _value(
    file: InputFile, line: int, key: str, value: Any, dtype: pl.DataType, strict: bool
) -> Any:
    if isinstance(dtype, pl.String) and not strict and isinstance(value, int | float):
        return str(value)  # an identifier, or a time, written as a number
    if value is not None and not _fits(value, dtype):
        inner = dtype.inner if isinstance(dtype, pl.List) else None
        kind = type(inner if isinstance(inner, pl.Struct) else dtype)
        what = _PYTHON_TYPES[kind][1]
        raise file.bad_line(line, f"{key} {str(value)[:80]!r} is not {what}; correct it")
    return value


def _fits(value: Any, dtype: pl.DataType) -> bool:
    types: Any = _PYTHON_TYPES[type(dtype)][0]
    if isinstance(value, bool) != (bool in types) or not isinstance(value, types):
        return False
    if isinstance(dtype, pl.List):
        return all(_fits(element, cast(pl.DataType, dtype.inner)) for element in value)
    if isinstance(dtype, pl.Struct):
        inner = cast(dict[str, pl.DataType], dict(dtype))
        return value.keys() <= inner.keys() and all(
            field is None or _fits(field, inner[name]) for name, field in value.items()
        )
    if isinstance(value, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    return not isinstance(value, int) or -(2**63) <= value < 2**63


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not valid JSON")
