"""Checkpoints: finished pieces of a long computation, kept in a file.

    with resumable("rank.checkpoint"):
        judgements.rank("trueskill", replicates=100_000)

Every piece of work that an `Engine` finishes is stored as one JSON line, under a key of all it
depends on: the function, its arguments and the version of the program. The result is that of an
uninterrupted run. A truncated line is ignored. When all is done the file goes.
"""

import base64
import io
import json
import os
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import numpy as np

from adjudge.core.errors import AdjudgeError, InputError
from adjudge.core.files.decompression import array_of
from adjudge.core.parallel import kept_in
from adjudge.core.version import __version__

HEADER = {"adjudge": "finished pieces of work"}
# The only records that a file may hold, beside numbers, texts and arrays.
RECORDS = {"adjudge.simulation.coverage": "Measured", "adjudge.tuning.search": "Point"}
LONG = 60  # seconds, after which work is worth keeping


@contextmanager
def resumable(path: str | None) -> Iterator[None]:
    """Store finished pieces of work in the file, and reuse those of an earlier run.

    Without a path nothing is stored. An interrupt says how to resume.
    """
    begin = time.monotonic()
    try:
        if path is None:
            yield
        else:
            with _file_of_pieces(path) as kept, kept_in(kept):
                yield
            Path(path).unlink()
    except KeyboardInterrupt:
        if path is not None:
            said = f"what was finished is in {path}, and the same command goes on from there"
            raise KeyboardInterrupt(said) from None
        if time.monotonic() - begin > LONG:
            said = "with `checkpoint` a file keeps what is finished, and the next run goes on"
            raise KeyboardInterrupt(said) from None
        raise


@contextmanager
def _file_of_pieces(path: str) -> Iterator["_Pieces"]:
    known = _read(path)
    with _appending(path) as stream:
        _begin(stream, known is None)
        yield _Pieces(stream, known or {}, path)


def _appending(path: str) -> IO[bytes]:
    try:
        return Path(path).open("ab")
    except OSError as error:
        reason = error.strerror or error
        raise AdjudgeError(f"{path}: cannot be written ({reason}); choose another place") from None


class _Pieces:
    """Finished pieces by key, backed by the checkpoint file."""

    def __init__(self, stream: IO[bytes], known: dict[str, Any], path: str) -> None:
        self._stream, self._known, self._path = stream, known, path

    def keys(self, function: Callable[..., Any], pieces: list[tuple[Any, ...]]) -> list[str]:
        """Hash all inputs of each piece; arguments that pieces share are hashed once."""
        digests: dict[int, str] = {}  # by the identity of what is alive all the while
        keys = []
        for piece in pieces:
            for part in piece:
                if id(part) not in digests:
                    digests[id(part)] = _digest(part)
            made_of = (__version__, _name_of(function), *(digests[id(part)] for part in piece))
            keys.append(sha256(" ".join(made_of).encode()).hexdigest())
        return keys

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def __getitem__(self, key: str) -> Any:
        try:
            return _decoded(self._known[key])
        except (ValueError, TypeError, KeyError, EOFError, AttributeError, RecursionError):
            raise InputError(
                "holds results that we never keep; give another `checkpoint`", file=self._path
            ) from None

    def add(self, key: str, result: Any) -> None:
        """Store a result, if it can be encoded."""
        with suppress(TypeError):
            line = json.dumps({"key": key, "result": _encoded(result)})
            self._stream.write(f"{line}\n".encode())
            self._stream.flush()
            os.fsync(self._stream.fileno())


def _digest(part: Any) -> str:
    written = io.BytesIO()
    _Pickler(written, 5).dump(part)
    return sha256(written.getvalue()).hexdigest()


class _Pickler(pickle.Pickler):
    """Pickle records and sparse matrices by content, without cached state."""

    def reducer_override(self, of: Any) -> Any:
        if hasattr(of, "indptr") and hasattr(of, "indices"):
            return type(of), ((of.data, of.indices, of.indptr), of.shape)
        if is_dataclass(of) and type(of).__module__.startswith("adjudge."):
            return type(of), tuple(getattr(of, field.name) for field in fields(of))
        return NotImplemented


def _name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _begin(stream: IO[bytes], new: bool) -> None:
    """Write a header, or end a truncated last line."""
    stream.write(f"{json.dumps(HEADER)}\n".encode() if new else b"\n")
    stream.flush()


def _read(path: str) -> dict[str, Any] | None:
    """Read the encoded pieces of a file; None if the file is missing."""
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror}); check the path", file=path) from None
    if lines == [b""]:
        return None
    if lines[0] != json.dumps(HEADER).encode():
        raise InputError("is not a file of finished pieces; give another `checkpoint`", file=path)
    known = {}
    for line in filter(None, lines[1:]):
        with suppress(ValueError, KeyError, TypeError, RecursionError):
            record = json.loads(line)
            known[record["key"]] = record["result"]
    return known


def _encoded(value: Any) -> Any:
    """Encode a result as JSON; raise TypeError unless it consists of numbers, text, arrays and
    records.
    """
    if isinstance(value, np.generic):
        return {"number": _encoded(np.asarray(value))}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        written = io.BytesIO()
        np.save(written, value, allow_pickle=False)
        return {"array": base64.b64encode(written.getvalue()).decode()}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [_encoded(each) for each in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: _encoded(each) for key, each in value.items()}}
    if is_dataclass(value) and RECORDS.get(type(value).__module__) == type(value).__name__:
        of = {field.name: _encoded(getattr(value, field.name)) for field in fields(value)}
        return {"record": [type(value).__module__, type(value).__name__, of]}
    raise TypeError


def _decoded(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, inner),) = value.items()
    match kind:
        case "array":
            return array_of(base64.b64decode(inner))
        case "number":
            return _decoded(inner)[()]
        case "list" | "tuple":
            each = [_decoded(one) for one in inner]
            return each if kind == "list" else tuple(each)
        case "dict":
            return {key: _decoded(one) for key, one in inner.items()}
        case "record":
            module, name, of = inner
            if RECORDS.get(module) == name:
                record = getattr(import_module(module), name)
                return record(**{key: _decoded(one) for key, one in of.items()})
    raise ValueError(kind)
