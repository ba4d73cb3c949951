"""Input file: transparent decompression and clear errors.

A plain file is memory-mapped, never copied; only a compressed file or standard input is held as
bytes, once. The unpacked size is limited (`decompression`).
"""

import csv
import errno
import hashlib
import json
import logging
import mmap
import os
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from adjudge.core.errors import InputError
from adjudge.core.files.decompression import BROKEN, unpacked_parts
from adjudge.core.files.output import COMPRESSIONS

log = logging.getLogger(__name__)

HEAD = 1 << 16
LONGEST_LINE = 1 << 24
SEPARATORS = (",", ";", "\t")

_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
}
_ENDINGS = ("", *COMPRESSIONS)
_BLANK = b" \t\r\n\0"
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 14


class InputFile:
    """File by path, or standard input as `-`.

    `largest` overrides the default limit on the unpacked size in bytes.
    """

    def __init__(self, path: str | os.PathLike[str], largest: int | None = None) -> None:
        given = os.fspath(path)
        self.name = "standard input" if given == "-" else given
        self._path = None if given == "-" else Path(given)
        self._largest = largest
        self._beside: dict[str, InputFile] = {}
        self.left_out: dict[str, int] = {}  # rows that its reader left out, by reason
        self._has_sound_size = False

    @cached_property
    def _stored(self) -> bytes | mmap.mmap:
        """Bytes on disk, still compressed."""
        stored = self._opened()
        log.info("reading %s (%s bytes)", self.name, f"{len(stored):,}")
        return stored

    def _opened(self) -> bytes | mmap.mmap:
        if self._path is None:
            return sys.stdin.buffer.read()
        try:
            if self._path.is_file() and self._path.stat().st_size:
                with self._path.open("rb") as stream:
                    return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
            return self._path.read_bytes()
        except FileNotFoundError:
            raise InputError("no such file; check the path", file=self.name) from None
        except IsADirectoryError:
            raise InputError("is a folder; name a file in it", file=self.name) from None
        except PermissionError:
            raise InputError("may not be read; check its permissions", file=self.name) from None
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno == errno.ENOMEM:
                raise MemoryError from None
            raise InputError(f"cannot be read ({error}); check the path", file=self.name) from None

    @property
    def stored_size(self) -> int:
        """Size on disk in bytes."""
        return len(self._stored)

    @cached_property
    def compression(self) -> str | None:
        """Compression of the file, detected from its first bytes."""
        start = self._stored[:6]
        return next((name for magic, name in _MAGIC.items() if start.startswith(magic)), None)

    def _decompress(self, size: int | None = None) -> bytes:
        """Decompress the whole file, or at least its first `size` bytes."""
        parts: list[bytes] = []
        unpacked = 0
        for part in self._parts(streamed=False):
            parts.append(part)
            unpacked += len(part)
            if size is not None and unpacked >= size:
                break
        return b"".join(parts)

    def _parts(self, streamed: bool) -> Iterator[bytes]:
        lines = 1
        compression = str(self.compression)
        parts = unpacked_parts(self.name, compression, self._stored, self._largest, streamed)
        try:
            for part in parts:
                yield part
                lines += part.count(b"\n")
        except BROKEN as error:
            raise self.bad_line(
                lines, f"the {compression} data break off or are broken ({error}); copy it again"
            ) from None

    @cached_property
    def head(self) -> bytes:
        """Decompressed beginning without a byte order mark: enough to recognise a format."""
        return self._beginning(HEAD)

    def _beginning(self, size: int) -> bytes:
        start = self._stored[:size] if self.compression is None else self._decompress(size)
        return start[:size].removeprefix(_BOM)

    @cached_property
    def first_line(self) -> str:
        """First line that is not blank; empty if it is not text."""
        try:
            text = self.head.decode("utf-8", "strict" if len(self.head) < HEAD else "ignore")
        except UnicodeDecodeError:
            return ""
        return re.split(r"[\r\n]", text.lstrip(), maxsplit=1)[0]

    @cached_property
    def separator(self) -> str:
        """Most frequent separator on the first line: comma, semicolon or tab."""
        return max(SEPARATORS, key=lambda separator: len(self._fields(separator)))

    @cached_property
    def header(self) -> tuple[str, ...]:
        """Fields of the first line, read as CSV."""
        return self._fields(self.separator)

    def _fields(self, separator: str) -> tuple[str, ...]:
        try:
            return tuple(next(iter(csv.reader([self.first_line], delimiter=separator)), ()))
        except csv.Error:
            return ()

    @cached_property
    def json_keys(self) -> frozenset[str]:
        """Keys of the JSON objects on the first lines; empty if the first line is not an object."""
        keys: set[str] = set()
        head = self.head
        if head.lstrip().startswith(b"{") and b"\n" not in head.lstrip():  # a long first line
            head = self._beginning(LONGEST_LINE).lstrip().partition(b"\n")[0]
        text = head.decode("utf-8", "ignore")
        for line in filter(str.strip, text.split("\n")):
            try:
                value: Any = json.loads(line)
            except (ValueError, RecursionError):
                break  # cut off, or broken: who reads it says so
            if not isinstance(value, dict):
                break
            keys.update(value)
        return frozenset(keys)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 hash of the file as stored, compressed or not."""
        if self._path is not None and isinstance(self._stored, mmap.mmap):
            with self._path.open("rb") as stream:  # by and by: mapped, all of it would be held
                return hashlib.file_digest(stream, "sha256").hexdigest()
        return hashlib.sha256(self._stored).hexdigest()

    @cached_property
    def data(self) -> bytes | mmap.mmap:
        """Whole content, decompressed."""
        data = self._stored if self.compression is None else self._decompress()
        if not data[:HEAD].strip(_BLANK) and not data[:].strip(_BLANK):
            raise InputError("is empty; there is nothing to read", file=self.name)
        return data

    @property
    def source(self) -> Path | bytes:
        """Source for Polars: the path of a plain file, else its bytes."""
        if self.compression is None and isinstance(self._stored, mmap.mmap):
            return cast(Path, self._path).absolute()
        return cast(bytes, self.data)

    @property
    def streamed(self) -> Path | bytes:
        """Source for streaming with Polars, which decompresses gzip and zstd itself."""
        if self.compression in ("gzip", "zstd") and self._path is not None:
            self._require_size()
            return self._path.absolute()
        return self.source

    def _require_size(self) -> None:
        """Refuse a file beyond the limit on unpacked size, which Polars does not check."""
        if not self._has_sound_size:
            for _ in self._parts(streamed=True):
                pass
        self._has_sound_size = True

    @cached_property
    def text(self) -> str:
        """Whole content as UTF-8 text with lines of limited length."""
        self.check_lines()
        try:
            return str(self.data, "utf-8-sig")
        except UnicodeDecodeError as error:
            offset = error.start + (len(_BOM) if self.data[:3] == _BOM else 0)
            raise self.bad_line(
                self.line_at(offset),
                f"byte 0x{self.data[offset]:02x} is not UTF-8; convert the file with iconv",
            ) from None

    def check_lines(self) -> None:
        """Refuse a line that exceeds the limit on line length."""
        start = 0
        while len(self.data) - start > LONGEST_LINE:
            end = self.data.rfind(b"\n", start, start + LONGEST_LINE)
            if end < 0:
                raise self.bad_line(
                    self.line_at(start),
                    f"is longer than {LONGEST_LINE:,} bytes; check its line ends",
                )
            start = end + 1

    def line_at(self, offset: int) -> int:
        """Number of the line that contains the byte at `offset`."""
        return 1 + sum(
            self.data[start : min(start + _CHUNK, offset)].count(b"\n")
            for start in range(0, offset, _CHUNK)
        )

    def bad_line(self, line: int, reason: str) -> InputError:
        """Error at a line of this file."""
        return InputError(reason, file=self.name, line=line)

    def beside(self, name: str) -> "InputFile":
        """File of this name in the same folder, compressed or not."""
        folder = Path() if self._path is None else self._path.parent
        for ending in _ENDINGS if name not in self._beside else ():
            if self._path is not None and (folder / (name + ending)).exists():
                self._beside[name] = InputFile(str(folder / (name + ending)))
                break
        if name in self._beside:
            return self._beside[name]
        raise InputError(
            f"needs {name} (or {name}.gz) in the same folder; put it there", file=self.name
        )

    @property
    def read_beside(self) -> "list[InputFile]":
        """Companion files read so far, including theirs."""
        return [file for found in self._beside.values() for file in (found, *found.read_beside)]
