"""Folders and glob patterns that stand for the partitions of one table."""

from collections.abc import Sequence
from glob import glob, has_magic
from os import PathLike, fspath
from pathlib import Path

from adjudge.core.errors import InputError

# What a folder stands for, the first of these that it has: the second is mt-metrics-eval's layout.
PARTS = ("*.parquet", "human-scores/*.seg.score")


def in_parts(paths: Sequence[str | PathLike[str]]) -> tuple[str, ...]:
    """Expand folders and patterns to files, sorted by name.

    A folder stands for the Parquet files in it, or, in the layout of mt-metrics-eval, for the human
    scores of segments. A name that exists is never a pattern.
    """
    return tuple(part for path in paths for part in _parts(fspath(path)))


def _parts(path: str) -> list[str]:
    place = Path(path)
    if place.is_dir():
        parts = (sorted(map(str, place.glob(pattern))) for pattern in PARTS)
        return next(filter(None, parts), [path])  # the reader reports a missing file
    if not has_magic(path) or place.exists():
        return [path]
    found = sorted(name for name in glob(path) if Path(name).is_file())
    if not found:
        raise InputError("no file is called so; check the pattern", file=path)
    return found
