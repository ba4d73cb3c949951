"""Files of named arrays and a vocabulary in NumPy's .npz format, which holds numbers and runs no
code.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import InputError
from adjudge.core.files import decompression
from adjudge.core.files.output import open_output

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Arrays:
    """Content of an array file."""

    file: str
    array: Mapping[str, Array]
    vocabulary: tuple[str, ...]

    def __getitem__(self, name: str) -> Array:
        if name not in self.array:
            raise InputError(f"has no {name!r}; it was cut, make it anew", file=self.file)
        return self.array[name]

    def numbered(self, name: str) -> tuple[Array, ...]:
        """Arrays `name_0`, `name_1` and so on."""
        last = sum(each.startswith(f"{name}_") for each in self.array)
        return tuple(self[f"{name}_{number}"] for number in range(last))

    def require_sizes(self, name: str, sizes: Sequence[int]) -> None:
        """Refuse numbered arrays of other sizes than these."""
        if [len(each) if each.ndim == 1 else -1 for each in self.numbered(name)] != [*sizes]:
            raise InputError(f"has {name!r} of other sizes; make it anew", file=self.file)


def write_arrays(
    path: str, kind: str, arrays: Mapping[str, Array], vocabulary: Sequence[str]
) -> None:
    """Write a file atomically; `kind` is stored as its type."""
    spelled = [word.encode() for word in vocabulary]
    contents: dict[str, Array] = {
        **arrays,
        "kind": np.frombuffer(kind.encode(), np.uint8),
        "letters": np.frombuffer(b"".join(spelled), np.uint8),
        "lengths": np.array([len(word) for word in spelled], np.int64),
    }
    with open_output(path) as stream:
        np.savez(stream, **contents)  # type: ignore[arg-type]


def read_arrays(path: str, kind: str) -> Arrays:
    """Read a file that `write_arrays` wrote with this kind."""
    try:
        contents = decompression.read_arrays(path)
        written = contents.pop("kind").tobytes().decode()
        letters = contents.pop("letters").tobytes()
        ends = np.cumsum(contents.pop("lengths")).tolist()
        vocabulary = tuple(
            letters[first:last].decode() for first, last in zip([0, *ends], ends, strict=False)
        )
    except FileNotFoundError:
        raise InputError("no such file; check the path", file=path) from None
    except (*decompression.BROKEN_ARCHIVE, TypeError):
        raise InputError(f"is not a {kind}, or is damaged; make it anew", file=path) from None
    if written != kind:
        raise InputError(f"is a {written}, not a {kind}; give the other file", file=path)
    return Arrays(path, contents, vocabulary)
