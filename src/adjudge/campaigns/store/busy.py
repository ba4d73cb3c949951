"""Waiting for other writers, and telling when that took too long.

SQLite lets one transaction write at a time; on PostgreSQL, transactions wait for locked rows. A
command waits patiently (`database`). A server keeps no request waiting for longer than
`REQUEST_WAIT`: it says that it is busy, and browsers ask again by themselves.
"""

import sqlite3
from typing import Any

from django.db import OperationalError
from django.db.backends.signals import connection_created

REQUEST_WAIT = 2.0  # seconds for each lock; entering needs at most two
# SQLSTATE of what may work in a moment: connections, conflicts, locks, a server that restarts.
_TEMPORARY = ("08", "40", "53300", "55", "57")


def limit_waits() -> None:
    """Wait for no lock longer than a request may, on all connections opened from now on."""
    connection_created.connect(_limit, dispatch_uid="adjudge.busy")


def _limit(connection: Any, **signal: Any) -> None:
    milliseconds = round(1000 * REQUEST_WAIT)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
        else:
            cursor.execute(f"SET lock_timeout = {milliseconds}")


def is_busy(error: BaseException | None) -> bool:
    """Is this an error that goes away by itself: a lock held for too long, a lost connection?"""
    if not isinstance(error, OperationalError):
        return False
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    state = getattr(error.__cause__, "sqlstate", None)
    return not isinstance(error.__cause__, sqlite3.Error) and (
        state is None or state.startswith(_TEMPORARY)
    )
