"""A database file is for its owner only: it holds judges' data and the keys of sessions.

SQLite makes its companions (`-wal`, `-shm`) with the permissions of the database.
"""

import logging
import os
from contextlib import suppress
from pathlib import Path

from adjudge.core.errors import AdjudgeError

_OTHERS = 0o077
_COMPANIONS = ("", "-wal", "-shm", "-journal")


def companions(database: Path) -> list[Path]:
    """The file of a database, and those that SQLite keeps beside it."""
    return [database.with_name(database.name + ending) for ending in _COMPANIONS]


def make_private(database: Path) -> None:
    """Make the file if it is not there; one that others can read is mended, or refused."""
    with suppress(OSError):  # it is there, or cannot be made: who opens it says why
        os.close(os.open(database, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    readable = [
        file for file in companions(database) if file.exists() and file.stat().st_mode & _OTHERS
    ]
    for file in readable:
        try:
            file.chmod(0o600)
        except OSError:
            raise AdjudgeError(
                f"{file} can be read by others and belongs to somebody else; let its owner chmod "
                "600 it, or move the campaigns with campaign backup and campaign restore"
            ) from None
    if readable:
        logging.getLogger(__name__).warning(
            "%s could be read by others and holds judges' data and keys of sessions; it is now for "
            "its owner only. If strangers use this machine, replace links and passwords.",
            readable[0],
        )
