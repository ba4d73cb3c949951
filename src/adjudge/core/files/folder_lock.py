"""Exclusive use of a folder by one process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudge.core.errors import AdjudgeError


@contextmanager
def held(folder: Path, said: str) -> Iterator[None]:
    """Hold an exclusive lock on the folder; refuse a second process with the message `said`.

    The operating system releases the lock when the process ends for any reason. On a system without
    such locks, the folder is not locked.
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
