"""Detection of a replaced SQLite file under open connections.

If a backup is restored under the same name while the server runs, answers would otherwise be
written into a deleted file.
"""

import os
from typing import Any

from django.core.signals import request_started
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

_FILE = "adjudge_file"  # on a connection: which file it opened


def watch_database_file() -> None:
    """Check before each request that the connection is to the current file."""
    connection_created.connect(_remember)
    request_started.connect(_leave_if_replaced)


def _remember(connection: BaseDatabaseWrapper, **signal: Any) -> None:
    if connection.vendor == "sqlite":
        setattr(connection, _FILE, _file(connection))


def _leave_if_replaced(**signal: Any) -> None:
    if connection.vendor != "sqlite" or connection.connection is None:
        return
    if getattr(connection, _FILE, None) != _file(connection) and not connection.in_atomic_block:
        connection.close()


def _file(connection: Any) -> tuple[int, int] | None:
    try:
        status = os.stat(str(connection.settings_dict["NAME"]))
    except OSError:
        return None
    return status.st_dev, status.st_ino
