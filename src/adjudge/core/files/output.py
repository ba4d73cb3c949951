"""Atomic file output, compressed according to the file name."""

import bz2
import gzip
import lzma
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import zstandard

from adjudge.core.errors import AdjudgeError


@dataclass(frozen=True)
class OutputFile:
    """Output file in progress: its final path and its stream."""

    path: str
    stream: IO[bytes]


COMPRESSIONS = (".gz", ".bz2", ".zst", ".xz")  # endings of files that are read and written


def uncompressed_name(path: str) -> str:
    """Path without the suffix of a compression."""
    ending = next((ending for ending in COMPRESSIONS if path.endswith(ending)), "")
    return path.removesuffix(ending)


PRIVATE_UMASK = 0o077  # files for their owner only


@contextmanager
def private_files() -> Iterator[None]:
    """Create files that only their owner can read: judges' data, links.

    For commands: the setting applies to the whole process.
    """
    before = os.umask(PRIVATE_UMASK)
    try:
        yield
    finally:
        os.umask(before)


@contextmanager
def open_output(path: str, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only once it is complete; `-` is standard output.

    A pipe or device such as /dev/null is written to directly. `private`: readable by its owner
    only.
    """
    target = Path(path)
    if path == "-" or (target.exists() and not target.is_file() and not target.is_dir()):
        # Not to Polars itself: its errors do not tell a full disk from a closed pipe.
        with tempfile.TemporaryFile() as complete:
            yield complete
            complete.seek(0)
            _pass_on(complete, path)
        return
    require_folder(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
    except OSError as error:
        raise _cannot_write(path, error) from None
    try:
        with os.fdopen(handle, "wb") as raw:
            with _compressed(path, raw) as stream:
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o600 if private else 0o666 & ~umask)
        os.replace(temporary, target)
    except OSError as error:
        os.unlink(temporary)
        raise _cannot_write(path, error) from None
    except BaseException:
        os.unlink(temporary)
        raise


def require_folder(path: str) -> None:
    """Refuse an output file in a missing folder, before long work starts."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise AdjudgeError(f"{path}: no folder {folder}; make it first")


def _pass_on(complete: IO[bytes], path: str) -> None:
    if path == "-":
        shutil.copyfileobj(complete, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    try:
        with open(path, "wb") as stream:
            shutil.copyfileobj(complete, stream)
    except OSError as error:
        raise _cannot_write(path, error) from None


def _cannot_write(path: str, error: OSError) -> AdjudgeError:
    reason = error.strerror or error
    return AdjudgeError(f"{path}: cannot be written ({reason}); choose another place")


@contextmanager
def _compressed(path: str, raw: IO[bytes]) -> Iterator[IO[bytes]]:
    if path.endswith(".gz"):
        # No name and no time inside, so that the same judgements give the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as stream:
            yield cast(IO[bytes], stream)
    elif path.endswith(".bz2"):
        with bz2.BZ2File(raw, "wb") as bzip:
            yield bzip
    elif path.endswith(".xz"):
        with lzma.LZMAFile(raw, "wb") as xz:
            yield xz
    elif path.endswith(".zst"):
        with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as zstd:
            yield zstd
    else:
        yield raw
