"""An input file: its bytes, however compressed, and clear words when they are bad."""

import bz2
import gzip
import io
import lzma
import sys
import zlib
from functools import cached_property
from pathlib import Path
from typing import IO, cast

import zstandard

from adjudge.errors import InputError

HEAD = 1 << 16
LONGEST_LINE = 1 << 20

_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd"}


class InputFile:
    """A file by path, or standard input as `-`."""

    def __init__(self, path: str) -> None:
        self.name = "standard input" if path == "-" else path
        self._path = None if path == "-" else Path(path)

    @cached_property
    def _stored(self) -> bytes:
        """What is on the disk, still compressed."""
        if self._path is None:
            return sys.stdin.buffer.read()
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            raise InputError("no such file; check the path", file=self.name) from None
        except IsADirectoryError:
            raise InputError("is a folder; name a file in it", file=self.name) from None
        except PermissionError:
            raise InputError("may not be read; check its permissions", file=self.name) from None

    @property
    def compression(self) -> str | None:
        """What the file is compressed with, by its first bytes."""
        start = self._stored[:4]
        return next((name for magic, name in _MAGIC.items() if start.startswith(magic)), None)

    def _open(self) -> IO[bytes]:
        stored = io.BytesIO(self._stored)
        match self.compression:
            case "gzip":
                return cast(IO[bytes], gzip.GzipFile(fileobj=stored))
            case "bzip2":
                return bz2.BZ2File(stored)
            case "zstd":
                return zstandard.ZstdDecompressor().stream_reader(stored, read_across_frames=True)
        return stored

    def _read(self, size: int) -> bytes:
        try:
            with self._open() as stream:
                return stream.read(size)
        except (EOFError, OSError, zlib.error, lzma.LZMAError, zstandard.ZstdError) as error:
            raise InputError(
                f"broken {self.compression} data ({error}); perhaps cut short, copy it again",
                file=self.name,
            ) from None

    @cached_property
    def head(self) -> bytes:
        """The decompressed beginning, enough to recognise a format by."""
        return self._read(HEAD)

    @cached_property
    def data(self) -> bytes:
        """All of it, decompressed."""
        data = self._stored if self.compression is None else self._read(-1)
        if not data.strip(b" \t\r\n\0"):
            raise InputError("is empty; there is nothing to read", file=self.name)
        return data

    @cached_property
    def text(self) -> str:
        """All of it as UTF-8 text of lines no longer than any real one."""
        start = 0
        while len(self.data) - start > LONGEST_LINE:
            end = self.data.rfind(b"\n", start, start + LONGEST_LINE)
            if end < 0:
                raise self.bad_line(
                    self.data.count(b"\n", 0, start) + 1,
                    f"is longer than {LONGEST_LINE:,} bytes; this is no line of judgements",
                )
            start = end + 1
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise self.bad_line(
                self.data.count(b"\n", 0, error.start) + 1,
                f"byte 0x{self.data[error.start]:02x} is not UTF-8; convert the file with iconv",
            ) from None

    def bad_line(self, line: int, reason: str) -> InputError:
        """An error at a line of this file."""
        return InputError(reason, file=self.name, line=line)
