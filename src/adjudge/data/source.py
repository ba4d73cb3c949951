"""Where judgements come from: files by their hashes, or a table by the hash of what it holds."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl


@dataclass(frozen=True)
class Source:
    """The files a table was read from (none: it was made in memory), and what was chosen of it.

    `remark` is what a reader of any table made from it should know. `notes` say how the columns of
    a table in no known format were read, and which rows were left out.
    """

    files: tuple[tuple[str, str], ...] = ()  # path and SHA-256
    beside: tuple[tuple[str, str], ...] = ()  # of files that were read because they lie beside
    selection: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""
    notes: tuple[str, ...] = ()

    def chosen(self, selection: Mapping[str, Any]) -> "Source":
        """The source after choosing once more; known by its content where a choice repeats."""
        if not self.files or set(selection) & set(self.selection):
            return Source(remark=self.remark, notes=self.notes)
        return replace(self, selection={**self.selection, **selection})

    def called(self, name: str) -> "Source":
        """The source under the name that people know its one file by."""
        ((_, digest),) = self.files
        return replace(self, files=((name, digest),))

    @cached_property
    def hash(self) -> str | None:
        """One hash for all files; that of a single file is what `sha256sum` prints."""
        digests = [digest for _, digest in (*self.files, *self.beside)]
        if not digests:
            return None
        return digests[0] if len(digests) == 1 else _sha256("\n".join(digests).encode())


@dataclass(frozen=True)
class TextSource:
    """Where texts come from: files by their hashes, and the options that name them."""

    files: tuple[tuple[str, str], ...] = ()  # path and SHA-256
    options: Mapping[str, Any] = field(default_factory=dict)


def table_hash(table: pl.DataFrame) -> str:
    """The hash of a table's rows and columns, the same on any machine and version of Polars."""
    digest = hashlib.sha256()
    for name in table.columns:
        column = table[name]
        if column.null_count() == len(column):
            continue
        digest.update(name.encode() + b"\0")
        if column.dtype.is_numeric() or column.dtype.is_temporal():
            numbers = column.to_physical()
            digest.update(np.packbits(numbers.is_null().to_numpy()).tobytes())
            digest.update(np.ascontiguousarray(numbers.fill_null(0).to_numpy()).tobytes())
        elif column.dtype.is_nested():
            digest.update("\n".join(map(repr, column.to_list())).encode())
        else:
            text = column.cast(pl.String)
            digest.update(text.rank("dense").fill_null(0).cast(pl.Int64).to_numpy().tobytes())
            digest.update("\0".join(text.unique().drop_nulls().sort().to_list()).encode())
    return digest.hexdigest()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
