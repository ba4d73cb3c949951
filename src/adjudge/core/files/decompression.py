"""Decompression with limits on size and ratio, against archives that exhaust memory.

A few bytes can unpack to more than any machine holds. Two limits therefore apply to every
compressed file, archive and Parquet file: a size (16 GB, or 160 GB for a file that is streamed) and
a ratio (300 times the stored size). The ratio applies beyond 256 MB only: a small file with a high
ratio is harmless. Real campaigns and corpora are packed 3 to 50 times. The environment variables
`ADJUDGE_LARGEST_UNPACKED` (bytes, such as 64e9) and `ADJUDGE_LARGEST_RATIO` set other limits.
"""

import bz2
import gzip
import io
import lzma
import math
import mmap
import os
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import zstandard
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, InputError

SIZE_VARIABLE = "ADJUDGE_LARGEST_UNPACKED"
RATIO_VARIABLE = "ADJUDGE_LARGEST_RATIO"
LARGEST = 16 * 10**9
LARGEST_STREAMED = 160 * 10**9  # of what is never held whole
RATIO = 300
ALWAYS_FINE = 256 * 10**6  # however small the file is
MOST_FILES = 10_000  # in an archive

_CHUNK = 1 << 14
_XZ_PART = 1 << 20
_XZ_MEMORY = 1 << 27  # `xz -9` needs 65 MiB
_ZSTD_CHUNK = 1 << 11  # a block of four bytes may hold 128 KiB, so this may unpack to 64 MiB

# What Python's readers raise where data are damaged, encrypted or packed in a rare way.
BROKEN = (EOFError, OSError, ValueError, lzma.LZMAError, zlib.error, zstandard.ZstdError)
BROKEN_ARCHIVE = (*BROKEN, zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError)

Stored = bytes | mmap.mmap


def most_unpacked(stored: int, streamed: bool = False) -> int:
    """Maximum unpacked size in bytes of a file of `stored` bytes."""
    largest = _setting(SIZE_VARIABLE, LARGEST_STREAMED if streamed else LARGEST, "bytes like 64e9")
    return int(min(largest, max(ALWAYS_FINE, ratio() * stored)))


def ratio() -> float:
    """Maximum ratio of unpacked to stored size."""
    return _setting(RATIO_VARIABLE, RATIO, "times like 1000")


def _setting(variable: str, default: float, like: str) -> float:
    given = os.environ.get(variable)
    if not given:
        return default
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not 1 <= value < 1e30:
        raise AdjudgeError(f"{variable} must be a number of {like}, not {given!r}; correct it")
    return value


def too_large(name: str, stored: int, streamed: bool = False) -> InputError:
    """Error for a file that exceeds the limit on unpacked size."""
    largest = _setting(SIZE_VARIABLE, LARGEST_STREAMED if streamed else LARGEST, "bytes like 64e9")
    return InputError(
        f"unpacks from {stored:,} bytes to more than {most_unpacked(stored, streamed):,}. The "
        f"limits are {largest:,.0f} bytes and, beyond {ALWAYS_FINE:,}, {ratio():,g} times what is "
        f"stored. If you trust the file, raise them with the environment variables {SIZE_VARIABLE} "
        f"(bytes) and {RATIO_VARIABLE}",
        file=name,
    )


def require_unpacked_size(name: str, stored: int, unpacked: int, largest: int | None) -> None:
    """Refuse an unpacked size beyond the limits, or beyond `largest` if given."""
    if largest is not None:
        if unpacked > largest:
            raise InputError(f"unpacks to more than {in_words(largest)}; leave some out", file=name)
    elif unpacked > most_unpacked(stored):
        raise too_large(name, stored)


def in_words(size: int) -> str:
    """Format a limit for people."""
    return f"{size // 1024**2:,} MB" if size >= 1024**2 else f"{size:,} bytes"


def unpacked_parts(
    name: str, compression: str, stored: Stored, largest: int | None = None, streamed: bool = False
) -> Iterator[bytes]:
    """Decompress in chunks; raise an error once their total exceeds the limit."""
    unpacked = 0
    most = most_unpacked(len(stored), streamed) if largest is None else largest
    for part in _UNPACK[compression](stored):
        unpacked += len(part)
        if unpacked > most:
            require_unpacked_size(name, len(stored), unpacked, largest)
            raise too_large(name, len(stored), streamed)
        yield part


class Archive:
    """ZIP archive whose members are checked against the size limits."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self.name = name
        self._archive = archive
        self.entries = [entry for entry in archive.infolist() if not entry.is_dir()]

    @property
    def names(self) -> list[str]:
        """File names in the archive."""
        return [entry.filename for entry in self.entries]

    def read(self, name: str) -> bytes:
        """Read one file; raise `KeyError` if the archive does not contain it."""
        return self._archive.read(name)

    def chunks(self, entry: zipfile.ZipInfo) -> Iterator[bytes]:
        """Read one file in chunks."""
        with self._archive.open(entry) as packed:
            while chunk := packed.read(1 << 20):
                yield chunk

    def array(self, name: str) -> NDArray[Any]:
        """Read an array written by `numpy.save`; raise `ValueError` for anything else or for Python
        objects.
        """
        with self._archive.open(name) as packed:
            return _array(packed, self._archive.getinfo(name).file_size)


@contextmanager
def open_archive(path: str, largest: int | None = None) -> Iterator[Archive]:
    """Open a ZIP archive; raise one of `BROKEN_ARCHIVE` if it is damaged.

    The directory states the size of each file, and no file is unpacked beyond that, so the sizes
    are added up before the first file is read.
    """
    with zipfile.ZipFile(path) as opened:
        archive = Archive(opened, path)
        if len(archive.entries) > MOST_FILES:
            raise InputError(f"holds more than {MOST_FILES:,} files", file=path)
        unpacked = sum(entry.file_size for entry in archive.entries)
        require_unpacked_size(path, os.path.getsize(path), unpacked, largest)
        yield archive


def check_archive(data: bytes, name: str) -> None:
    """Check a ZIP archive that another library is to unpack; raise one of `BROKEN_ARCHIVE`.

    Every member is unpacked once and dropped, as the size stated in the directory may be wrong.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        require_unpacked_size(name, len(data), unpacked, None)
        if (damaged := archive.testzip()) is not None:
            raise zipfile.BadZipFile(damaged)


def read_arrays(path: str) -> dict[str, NDArray[Any]]:
    """Read the arrays of an .npz file; raise one of `BROKEN_ARCHIVE` if it is damaged."""
    with open_archive(path) as archive:
        return {name.removesuffix(".npy"): archive.array(name) for name in archive.names}


def array_of(data: bytes) -> NDArray[Any]:
    """Decode an .npy array; raise `ValueError` for anything else or for Python objects."""
    return _array(io.BytesIO(data), len(data))


def write_archive(stream: Any, files: dict[str, bytes | NDArray[Any]]) -> None:
    """Write bytes and arrays as a ZIP archive without timestamps, so that equal content gives equal
    bytes.
    """
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o600 << 16
            with archive.open(entry, "w", force_zip64=True) as packed:
                if isinstance(content, bytes):
                    packed.write(content)
                else:
                    np.lib.format.write_array(packed, content, allow_pickle=False)


def _array(stream: Any, size: int) -> NDArray[Any]:
    """Read a numeric array after checking the size stated in its header."""
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(np.lib.format.read_magic(stream))
    if read is None:
        raise ValueError("an array of a version that we never write")
    try:
        shape, by_columns, dtype = read(stream)
    except (SyntaxError, TypeError, AttributeError, KeyError, tokenize.TokenError) as error:
        raise ValueError(f"an array with a damaged heading ({error})") from None
    if dtype.kind not in "biufcSUmM" or dtype.hasobject:
        raise ValueError(f"an array of {dtype}, neither numbers nor text")
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != size - stream.tell():
        raise ValueError("an array whose heading does not fit its size")
    array = np.empty(math.prod(shape), dtype)
    view, filled = memoryview(cast(Any, array.view(np.uint8))), 0
    while filled < len(view):
        now = stream.readinto(view[filled:])
        if not now:
            raise EOFError("an array that is cut short")
        filled += now
    if stream.read(1):
        raise ValueError("an array with more than its numbers")
    return array.reshape(shape, order="F" if by_columns else "C")


def _gzip(stored: Stored) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=cast(Any, _Bytes(stored))) as stream:
        while part := stream.read(_CHUNK):
            yield part


def _bzip2(stored: Stored) -> Iterator[bytes]:
    with bz2.BZ2File(cast(Any, _Bytes(stored))) as stream:
        while part := stream.read(_CHUNK):
            yield part


def _zstd(stored: Stored) -> Iterator[bytes]:
    """Decompress frame by frame; the library's own reader accepts a truncated file."""
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


def _xz(stored: Stored) -> Iterator[bytes]:
    """Decompress stream by stream; refuse a stream that asks for excessive memory."""
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


class _Bytes(io.RawIOBase):
    """Read-only stream over stored bytes that copies only what is read."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: len(self._stored)}
        self._place = max(0, start[whence] + offset)
        return self._place

    def readinto(self, buffer: Any) -> int:
        part = self._stored[self._place : self._place + len(buffer)]
        buffer[: len(part)] = part
        self._place += len(part)
        return len(part)


_UNPACK: dict[str, Callable[[Stored], Iterator[bytes]]] = {
    "gzip": _gzip,
    "bzip2": _bzip2,
    "zstd": _zstd,
    "xz": _xz,
}
