"""Layouts of data for quality estimation; a module takes part by defining `LAYOUT`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from adjudge.core.registry import Registry


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How to recognise and read one layout.

    `recognise` looks at a path (a folder, the beginning that files share, or a file) and must not
    claim what is of another layout. `read` gives a table of translations
    (`quality/translations.py`), or raises `InputError`. `example` is a small data set of ours,
    its files by their names; `path` is what is given to read it, in their folder.
    """

    name: str
    description: str
    recognise: Callable[[str], bool]
    read: Callable[[str], pl.DataFrame]
    files: Callable[[str], list[str]]
    example: Mapping[str, bytes]
    path: str = ""


LAYOUTS = Registry(__name__, "LAYOUT", Layout, "quality_layout")
