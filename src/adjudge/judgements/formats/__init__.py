"""File formats of judgements, one module each; a module takes part by defining `FORMAT`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import IO

import polars as pl

from adjudge.files.input_file import InputFile
from adjudge.registry import Registry


@dataclass(frozen=True)
class Format:
    """How to recognise, read and write one format.

    `recognise` looks at the content of a file, cheaply, and must not mistake another format
    for its own. `read` returns a judgement table (`schema.judgements`) or raises `InputError`.
    `write` refuses a table it cannot express; what it merely has no column for it leaves out:
    `carries` names what it keeps, `skipped` whether it can hold a ranking the judge skipped.
    `beside` writes the other tables of a format that has several, by the names they must have in
    the same folder.
    `votes`, for a format in which every row is one comparison, scans the file lazily: pair,
    judge, left, right (outputs) and whatever columns `outcome` makes the outcome of: +1 where
    left is better, −1 where right is, 0 for a tie, null where the row is not sound.
    """

    name: str
    description: str
    suffix: str
    recognise: Callable[[InputFile], bool]
    read: Callable[[InputFile], pl.DataFrame]
    write: Callable[[pl.DataFrame, IO[bytes]], None] | None = None
    beside: Mapping[str, Callable[[pl.DataFrame, IO[bytes]], None]] = field(default_factory=dict)
    carries: frozenset[str] = frozenset()
    skipped: bool = False
    votes: Callable[[InputFile], pl.LazyFrame] | None = None
    outcome: pl.Expr | None = None


def _suffix(format_: Format) -> tuple[str, ...]:
    return (format_.suffix,) if format_.write is not None else ()


FORMATS = Registry(__name__, "FORMAT", Format, "format", distinct=_suffix)
