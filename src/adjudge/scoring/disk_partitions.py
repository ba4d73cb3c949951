"""Rows put into parts on the disk, where all of them would not fit into memory.

Parts are told apart by a number. Rows come in batches and are written to one temporary file in
the order of their parts, so that a part is a run of rows in every batch. The file has no name and
goes with the object, however the process ends.
"""

import shutil
import tempfile
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError

_GB = 1e9


class Spill:
    """Rows of one type, in parts."""

    def __init__(self, dtype: np.dtype[np.void], rows: int, what: str) -> None:
        """`rows` is about how many there will be; refused where the disk has no room for them."""
        self.dtype = dtype
        folder = tempfile.gettempdir()
        needed, free = rows * dtype.itemsize, shutil.disk_usage(folder).free
        if needed > free:
            raise AdjudgeError(
                f"{what} need about {needed / _GB:,.1f} GB of disk in {folder}, and "
                f"{free / _GB:,.1f} are free; name a folder with more in TMPDIR"
            )
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  (open as long as it is)
        self._runs: dict[int, list[tuple[int, int]]] = defaultdict(list)  # row and number of rows
        self._rows = 0

    def add(self, rows: NDArray[np.void], part: NDArray[np.integer]) -> None:
        """Write rows to their parts."""
        numbers = np.bincount(part)
        order = np.argsort(part.astype(np.min_scalar_type(len(numbers))), kind="stable")
        memory = np.take(rows, order).view(np.uint8).data
        while len(memory):
            memory = memory[self._file.write(memory) :]
        for key in np.flatnonzero(numbers).tolist():
            self._runs[key].append((self._rows, int(numbers[key])))
            self._rows += int(numbers[key])

    def parts(self) -> list[int]:
        """The numbers of the parts that hold rows."""
        return sorted(self._runs)

    def size(self, part: int) -> int:
        """How many rows a part holds."""
        return sum(number for _, number in self._runs.get(part, ()))

    def read(self, part: int) -> NDArray[np.void]:
        """The rows of a part, in the order in which they came."""
        rows = np.empty(self.size(part), self.dtype)
        memory = rows.view(np.uint8).data
        place = 0
        for first, number in self._runs.get(part, ()):
            end = place + number * self.dtype.itemsize
            self._file.seek(first * self.dtype.itemsize)
            while place < end:
                place += self._file.readinto(memory[place:end])
        return rows
