"""Layouts of data for quality estimation, one module each, registered by `LAYOUT`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from adjudge.core.registry import Registry


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Recogniser and reader of one layout.

    `recognise` inspects a path (a folder, a common prefix of files, or a file) and must not claim
    another layout. `read` returns a table of translations (`quality/translations.py`), or raises
    `InputError`. `example` is a small data set of our own, files by name; `path` is the path to
    read it, relative to their folder.
    """

    name: str
    description: str
    recognise: Callable[[str], bool]
    read: Callable[[str], pl.DataFrame]
    files: Callable[[str], list[str]]
    example: Mapping[str, bytes]
    path: str = ""


LAYOUTS = Registry(__name__, "LAYOUT", Layout, "quality_layout")
