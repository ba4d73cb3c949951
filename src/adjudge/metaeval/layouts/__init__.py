"""Layouts of files of metric scores; a module takes part by defining `LAYOUT`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from adjudge.core.files.input_file import InputFile
from adjudge.core.registry import Registry


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How to recognise and read one layout.

    `recognise` looks at the content and the name of a file, and must not claim a file of another
    layout. `read` gives the long table of `submission.SCORE_COLUMNS`, or raises `InputError`.
    `example` is a small valid file of ours by its name; the common tests of layouts live on it.
    """

    name: str
    description: str
    recognise: Callable[[InputFile], bool]
    read: Callable[[InputFile], pl.DataFrame]
    example: Mapping[str, bytes]


LAYOUTS = Registry(__name__, "LAYOUT", Layout, "layout")
