"""Waiting for locks of other writers, with a time limit.

SQLite lets one transaction write at a time; on PostgreSQL, transactions wait for locked rows. A
command waits patiently. A server keeps no request waiting for longer than `REQUEST_WAIT`: it says
that it is busy, and browsers ask again by themselves.

For SQLite's lock the waiting is done here. SQLite's own busy handler sleeps with the connection's
mutex held, and Python may free a cursor of that connection in another thread (one that was part of
a reference cycle). That thread then waits for the mutex with the global interpreter lock held: the
whole process stands still, with the database locked if it was just writing.
"""

import sqlite3
import time
from collections.abc import Callable
from threading import Lock
from typing import Any

from django.db import OperationalError
from django.db.backends.signals import connection_created

PATIENCE = 30.0  # seconds, of commands
REQUEST_WAIT = 2.0  # seconds for each lock; entering needs at most two
_LOOKS_AGAIN = 0.01  # seconds between two tries
# SQLSTATE of what may work in a moment: connections, conflicts, locks, a server that restarts.
_TEMPORARY = ("08", "40", "53300", "55", "57")

_limited = False
_turn = Lock()


def watch_locks() -> None:
    """Install lock waiting for all connections of this process."""
    connection_created.connect(_prepare, dispatch_uid="adjudge.busy")


def limit_waits() -> None:
    """Limit waiting on new connections to the time limit of a request."""
    global _limited
    _limited = True


def _prepare(connection: Any, **signal: Any) -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 0")
        if _wait_for_lock not in connection.execute_wrappers:
            connection.execute_wrappers.append(_wait_for_lock)
    elif _limited:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {round(1000 * REQUEST_WAIT)}")


def _wait_for_lock(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Retry a statement until its lock is free, or for as long as this process waits.

    One thread of a process retries; the others wait for their turn.
    """
    end = time.monotonic() + (REQUEST_WAIT if _limited else PATIENCE)
    mine = False
    try:
        while True:
            try:
                return execute(sql, params, many, context)
            except OperationalError as error:
                # A transaction that has begun has the lock.
                if context["connection"].in_atomic_block or not is_busy(error):
                    raise
                if time.monotonic() > end:
                    raise
                # No cycle through the frames is left to be collected in another thread.
                for one in (error, error.__cause__):
                    if one is not None:
                        one.__traceback__ = None
            if mine:
                time.sleep(_LOOKS_AGAIN)
            else:
                mine = _turn.acquire(timeout=max(0.0, end - time.monotonic()))
    finally:
        if mine:
            _turn.release()


def is_busy(error: BaseException | None) -> bool:
    """Test for a transient error: a lock held for too long, or a lost connection."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0)
        return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    state = getattr(cause, "sqlstate", None)
    return state is None or state.startswith(_TEMPORARY)
