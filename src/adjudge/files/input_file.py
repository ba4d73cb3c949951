"""An input file: its bytes, however compressed, and clear words when they are bad.

A plain file is mapped into memory, never copied; only a compressed file or standard input is
held as bytes, once. A compressed file may not unpack to more than `limits.most_unpacked` says.
"""

import bz2
import csv
import errno
import gzip
import hashlib
import io
import json
import logging
import lzma
import mmap
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import zstandard

from adjudge.errors import InputError
from adjudge.files.limits import most_unpacked, too_large
from adjudge.files.output import COMPRESSIONS

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
_XZ_PART = 1 << 20
_XZ_MEMORY = 1 << 27  # `xz -9` needs 65 MiB
_ZSTD_CHUNK = 1 << 11  # a block of four bytes may hold 128 KiB, so this may unpack to 64 MiB


class InputFile:
    """A file by path, or standard input as `-`.

    `largest` is how many bytes a compressed file may unpack to, where that is not to be what
    `limits` says.
    """

    def __init__(self, path: str | os.PathLike[str], largest: int | None = None) -> None:
        given = os.fspath(path)
        self.name = "standard input" if given == "-" else given
        self._path = None if given == "-" else Path(given)
        self._largest = largest
        self._beside: dict[str, InputFile] = {}

    @cached_property
    def _stored(self) -> bytes | mmap.mmap:
        """What is on the disk, still compressed."""
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
        """How many bytes are on the disk."""
        return len(self._stored)

    @cached_property
    def compression(self) -> str | None:
        """What the file is compressed with, by its first bytes."""
        start = self._stored[:6]
        return next((name for magic, name in _MAGIC.items() if start.startswith(magic)), None)

    def _decompress(self, size: int | None = None) -> bytes:
        """All of it, or at least `size` bytes if there are so many."""
        most = most_unpacked(len(self._stored)) if self._largest is None else self._largest
        parts: list[bytes] = []
        unpacked = 0
        try:
            for part in _UNPACK[str(self.compression)](self._stored):
                parts.append(part)
                unpacked += len(part)
                if unpacked > most:
                    raise too_large(self.name, len(self._stored), most)
                if size is not None and unpacked >= size:
                    break
        except (EOFError, OSError, lzma.LZMAError, zlib.error, zstandard.ZstdError) as error:
            raise self.bad_line(
                1 + sum(part.count(b"\n") for part in parts),
                f"the {self.compression} data break off or are broken ({error}); copy it again",
            ) from None
        return b"".join(parts)

    @cached_property
    def head(self) -> bytes:
        """The decompressed beginning without a byte order mark: enough to recognise a format."""
        return self._beginning(HEAD)

    def _beginning(self, size: int) -> bytes:
        start = self._stored[:size] if self.compression is None else self._decompress(size)
        return start[:size].removeprefix(_BOM)

    @cached_property
    def first_line(self) -> str:
        """Its first line that is not blank, empty where that is no text."""
        try:
            text = self.head.decode("utf-8", "strict" if len(self.head) < HEAD else "ignore")
        except UnicodeDecodeError:
            return ""
        return re.split(r"[\r\n]", text.lstrip(), maxsplit=1)[0]

    @cached_property
    def separator(self) -> str:
        """What separates most fields of its first line: a comma, a semicolon or a tab."""
        return max(SEPARATORS, key=lambda separator: len(self._fields(separator)))

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The fields of its first line, read as CSV."""
        return self._fields(self.separator)

    def _fields(self, separator: str) -> tuple[str, ...]:
        try:
            return tuple(next(iter(csv.reader([self.first_line], delimiter=separator)), ()))
        except csv.Error:
            return ()

    @cached_property
    def json_keys(self) -> frozenset[str]:
        """The keys of the JSON objects on its first lines, none where the first is no object."""
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
        """The hash of the file as it is stored, compressed or not."""
        if self._path is not None and isinstance(self._stored, mmap.mmap):
            with self._path.open("rb") as stream:  # by and by: mapped, all of it would be held
                return hashlib.file_digest(stream, "sha256").hexdigest()
        return hashlib.sha256(self._stored).hexdigest()

    @cached_property
    def data(self) -> bytes | mmap.mmap:
        """All of it, decompressed."""
        data = self._stored if self.compression is None else self._decompress()
        if not data[:HEAD].strip(_BLANK) and not data[:].strip(_BLANK):
            raise InputError("is empty; there is nothing to read", file=self.name)
        return data

    @property
    def source(self) -> Path | bytes:
        """What Polars reads: the path of a plain file, else the bytes."""
        if self.compression is None and isinstance(self._stored, mmap.mmap):
            return cast(Path, self._path).absolute()
        return cast(bytes, self.data)

    @property
    def streamed(self) -> Path | bytes:
        """What Polars reads a part at a time: it unpacks gzip and zstd on its way."""
        if self.compression in ("gzip", "zstd") and self._path is not None:
            return self._path.absolute()
        return self.source

    @cached_property
    def text(self) -> str:
        """All of it as UTF-8 text of lines no longer than any real one."""
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
        """Refuse a line that is longer than any real one."""
        start = 0
        while len(self.data) - start > LONGEST_LINE:
            end = self.data.rfind(b"\n", start, start + LONGEST_LINE)
            if end < 0:
                raise self.bad_line(
                    self.line_at(start),
                    f"is longer than {LONGEST_LINE:,} bytes; no sound line is, mend it",
                )
            start = end + 1

    def line_at(self, offset: int) -> int:
        """The number of the line that holds the byte at `offset`."""
        return 1 + sum(
            self.data[start : min(start + _CHUNK, offset)].count(b"\n")
            for start in range(0, offset, _CHUNK)
        )

    def bad_line(self, line: int, reason: str) -> InputError:
        """An error at a line of this file."""
        return InputError(reason, file=self.name, line=line)

    def beside(self, name: str) -> "InputFile":
        """A file of this name in the same folder, compressed or not."""
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
        """The files beside it that were looked up so far, and those beside them."""
        return [file for found in self._beside.values() for file in (found, *found.read_beside)]


def _gzip(stored: bytes | mmap.mmap) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=io.BytesIO(stored)) as stream:
        while part := stream.read(_CHUNK):
            yield part


def _bzip2(stored: bytes | mmap.mmap) -> Iterator[bytes]:
    with bz2.BZ2File(io.BytesIO(stored)) as stream:
        while part := stream.read(_CHUNK):
            yield part


def _zstd(stored: bytes | mmap.mmap) -> Iterator[bytes]:
    """Frame after frame; the library's own reader takes one that is cut short for whole."""
    frame = zstandard.ZstdDecompressor().decompressobj()
    for start in range(0, len(stored), _ZSTD_CHUNK):
        rest = stored[start : start + _ZSTD_CHUNK]
        while rest:
            if frame.eof:
                frame = zstandard.ZstdDecompressor().decompressobj()
            yield frame.decompress(rest)
            rest = frame.unused_data if frame.eof else b""
    if not frame.eof:
        raise EOFError("the last frame has no end")


def _xz(stored: bytes | mmap.mmap) -> Iterator[bytes]:
    """Stream after stream; one that asks for more memory than any sound one is refused."""
    place = 0
    while place < len(stored):
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not stream.eof:
            packed = stored[place : place + _CHUNK] if stream.needs_input else b""
            if stream.needs_input and not packed:
                raise EOFError("the last stream has no end")
            place += len(packed)
            yield stream.decompress(packed, _XZ_PART)
        place -= len(stream.unused_data)
        while stored[place : place + 1] == b"\0":  # padding
            place += 1


_UNPACK: dict[str, Callable[[bytes | mmap.mmap], Iterator[bytes]]] = {
    "gzip": _gzip,
    "bzip2": _bzip2,
    "zstd": _zstd,
    "xz": _xz,
}
