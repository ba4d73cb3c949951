"""Database settings for Django, from one address.

An address is `postgres://user:password@host:port/name` (each part optional;
`?host=/var/run/postgresql` for a socket), `sqlite:///file.sqlite3`, or just a file.
"""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from adjudge.core.errors import AdjudgeError, need

DEFAULT = "adjudge.sqlite3"

# WAL lets people read while one writes; FULL makes a commit survive a power cut, for a judge
# is told "saved" after it.
_SQLITE_START = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON"
_SQLITE_WAIT = 30  # seconds to open it; for the wait for another writer see `busy`
# A server keeps its connections: the last one to close makes SQLite write its journal back.
_KEPT = 60  # seconds


def database_settings(address: str) -> dict[str, Any]:
    """Entry of Django's DATABASES for this address."""
    scheme, separator, rest = address.partition("://")
    if not separator:
        return _sqlite(address)
    if scheme == "sqlite":
        return _sqlite(unquote(rest.removeprefix("/")))
    if scheme in ("postgres", "postgresql"):
        return _postgresql(address)
    raise AdjudgeError(
        f"no database engine {scheme!r}; use postgres://… or sqlite:///FILE in DATABASE_URL"
    )


def _sqlite(file: str) -> dict[str, Any]:
    if not file:
        raise AdjudgeError("DATABASE_URL names no file; write sqlite:///FILE")
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": file if file == ":memory:" else str(Path(file).absolute()),
        "OPTIONS": {
            "timeout": _SQLITE_WAIT,
            # A transaction takes the write lock when it begins: two judges who ask at the
            # same instant are served one after the other, neither with a stale view.
            "transaction_mode": "IMMEDIATE",
            "init_command": _SQLITE_START,
        },
        "CONN_MAX_AGE": _KEPT,
    }


def _postgresql(address: str) -> dict[str, Any]:
    need("psycopg", "PostgreSQL needs", "postgres")
    parts = urlsplit(address)
    query = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")) or "adjudge",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", parts.hostname or ""),
        "PORT": query.pop("port", str(parts.port or "")),
        "OPTIONS": query,
        "CONN_MAX_AGE": _KEPT,
        "CONN_HEALTH_CHECKS": True,
    }
