"""File formats of judgements, one module each; a module takes part by defining `FORMAT`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

import polars as pl

from adjudge.judgements.input_file import InputFile
from adjudge.registry import registered


@dataclass(frozen=True)
class Format:
    """How to recognise, read and write one format.

    `recognise` sees the decompressed beginning of a file and must not mistake another format
    for its own; `read` returns a judgement table (`schema.judgements`) or raises `InputError`.
    """

    name: str
    description: str
    suffix: str
    recognise: Callable[[bytes], bool]
    read: Callable[[InputFile], pl.DataFrame]
    write: Callable[[pl.DataFrame, IO[bytes]], None] | None = None


def formats() -> Mapping[str, Format]:
    """Every format there is, by name."""
    return registered(__name__, "FORMAT")
