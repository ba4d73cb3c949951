"""Votes put into parts, each with all votes on some segments, so that a part can be held.

A vote is 21 bytes: the hashes of its segment and its judge, the code of what it says, and the hour
of the day. Parts that grow large wait in files without a name, which go with the process.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO

import numpy as np
from numpy.typing import NDArray

from adjudge.data.votes.batches import Batch

PART = 1 << 20  # votes, about
MOST_PARTS = 1 << 8
IN_MEMORY = 1 << 25  # bytes of all parts together
VOTE = np.dtype(
    [("segment", np.uint64), ("judge", np.uint64), ("said", np.int32), ("hour", np.int8)]
)
NOBODY = 0  # the judge of a vote that names none
NEVER = -1  # the hour of a vote that names no time

Records = NDArray[np.void]


@contextmanager
def opened_parts(votes: int) -> "Iterator[Parts]":
    """Parts for about so many votes, gone in the end."""
    number = min(1 << max((votes - 1) // PART, 0).bit_length(), MOST_PARTS)
    with ExitStack() as closing:
        most = IN_MEMORY // number
        yield Parts([closing.enter_context(SpooledTemporaryFile(most)) for _ in range(number)])


class Parts:
    """Votes in parts, a file each."""

    def __init__(self, files: Sequence[IO[bytes]]) -> None:
        self._files = files

    def add(self, batch: Batch) -> None:
        """Put votes where those on the same segments are."""
        votes = np.empty(len(batch.said), VOTE)
        votes["segment"] = batch.unit("segment")
        votes["judge"] = np.where(batch.named("judge"), batch.unit("judge"), np.uint64(NOBODY))
        votes["said"] = batch.said
        votes["hour"] = NEVER
        if batch.names("time"):
            votes["hour"] = batch.frame["time"].dt.hour().fill_null(NEVER).to_numpy()
        number = len(self._files)
        part = (votes["segment"] % np.uint64(number)).astype(np.uint8)
        ordered = votes[np.argsort(part, kind="stable")]
        ends = np.cumsum(np.bincount(part, minlength=number))
        for file, own in zip(self._files, np.split(ordered, ends[:-1]), strict=True):
            file.write(own.tobytes())

    def __iter__(self) -> Iterator[Records]:
        for file in self._files:
            file.seek(0)
            yield np.frombuffer(file.read(), VOTE)
            file.truncate(0)
