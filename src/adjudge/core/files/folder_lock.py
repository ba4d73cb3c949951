"""A folder for one process at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudge.core.errors import AdjudgeError


@contextmanager
def held(folder: Path, said: str) -> Iterator[None]:
    """Meanwhile nobody else holds the folder; who comes second is refused with what is `said`.

    The operating system keeps the lock and lets go of it when the process ends, however it ends.
    Where it has no such locks, the folder is not held.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AdjudgeError(said) from None
        yield
    finally:
        os.close(handle)
