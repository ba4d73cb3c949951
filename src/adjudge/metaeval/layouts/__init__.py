"""Layouts of files of metric scores, one module each, registered by `LAYOUT`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from adjudge.core.files.input_file import InputFile
from adjudge.core.registry import Registry


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Recogniser and reader of one layout.

    `recognise` looks at the content and the name of a file, and must not claim a file of another
    layout. `read` gives the long table of `submission.SCORE_COLUMNS`, or raises `InputError`.
    `example` names a small valid file of our own, used by the common tests of layouts.
    """

    name: str
    description: str
    recognise: Callable[[InputFile], bool]
    read: Callable[[InputFile], pl.DataFrame]
    example: Mapping[str, bytes]


LAYOUTS = Registry(__name__, "LAYOUT", Layout, "layout")
