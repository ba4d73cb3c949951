"""JSON objects of a file with the lines they are on, for layouts that nest too deep for a table."""

import json
import math
from collections.abc import Iterator
from typing import Any

from adjudge.core.errors import InputError
from adjudge.core.files.input_file import InputFile


def json_lines(file: InputFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with one on each line, with their lines."""
    for line, text in enumerate(file.text.split("\n"), 1):
        if text.strip():
            yield line, as_object(_parsed(file, text, line), file, line)


def json_document(file: InputFile) -> Any:
    """The value of a file that is one JSON document."""
    return _parsed(file, file.text, None)


def as_object(value: Any, file: InputFile, line: int | None) -> dict[str, Any]:
    """A value that has to be an object."""
    if not isinstance(value, dict):
        raise wrong(file, line, f"{str(value)[:60]!r} is no object")
    return value


def as_list(value: Any, file: InputFile, line: int | None) -> list[Any]:
    """A value that has to be a list."""
    if not isinstance(value, list):
        raise wrong(file, line, f"{str(value)[:60]!r} is no list")
    return value


def as_text(value: Any, file: InputFile, line: int | None) -> str | None:
    """A text, a number as text, or nothing."""
    if value is None or isinstance(value, bool | int | float | str):
        text = None if value is None else str(value)
        if text is not None and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise wrong(file, line, f"{text[:60]!r} has half a character")
        return text
    raise wrong(file, line, f"{str(value)[:60]!r} is no text")


def as_number(value: Any, file: InputFile, line: int | None) -> float | None:
    """A number; not a number (NaN) and null are none."""
    if value is None:
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return None if math.isnan(value) else float(value)
    except OverflowError:
        pass
    raise wrong(file, line, f"{str(value)[:60]!r} is no number")


def wrong(file: InputFile, line: int | None, reason: str) -> InputError:
    """An error that says what is wrong where."""
    return InputError(f"{reason}; correct it (docs/formats.md)", file=file.name, line=line)


def _parsed(file: InputFile, text: str, line: int | None) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = line if line is not None else error.lineno
        raise wrong(file, at, f"is no JSON ({error.msg})") from None
    except (ValueError, RecursionError) as error:
        raise wrong(file, line, f"is no JSON ({error})") from None
