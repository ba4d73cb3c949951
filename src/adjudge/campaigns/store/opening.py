"""Opening of the store: set up Django on a private, migrated database.

A database file holds judges' data and session keys, so only its owner can read it. SQLite gives
its companions (`-wal`, `-shm`) the permissions of the database.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import django
from django.apps import apps

from adjudge.campaigns.store.database import database_settings
from adjudge.core.errors import AdjudgeError

_OTHERS = 0o077
_COMPANIONS = ("", "-wal", "-shm", "-journal")


def companions(database: Path) -> list[Path]:
    """File of a database, and the files that SQLite keeps beside it."""
    return [database.with_name(database.name + ending) for ending in _COMPANIONS]


def make_private(database: Path) -> None:
    """Create the file if it is missing; restrict permissions of a readable one, or refuse it."""
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


SETTINGS = "adjudge.campaigns.settings"


def configure(address: str | None = None) -> None:
    """Set up Django once, on the database at `address` (default: DATABASE_URL, else a local
    file).
    """
    if apps.ready:
        if address is not None:
            _check_same(address)
        return
    if address is not None:
        database_settings(address)  # a bad address is refused here, in words
        os.environ["DATABASE_URL"] = address
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS)
    django.setup()


def _check_same(address: str) -> None:
    """Refuse a second database: Django has one, and would silently keep it."""
    from django.db import connection

    asked = _identity(database_settings(address))
    in_use = _identity(connection.settings_dict)
    if asked != in_use:
        raise AdjudgeError(
            f"cannot open the database {' '.join(asked)}: this process works on "
            f"{' '.join(in_use)} already; use another process for the other one"
        )


def _identity(settings: dict[str, Any]) -> tuple[str, ...]:
    """Settings that identify a database, without the password."""
    parts = (str(settings.get(name) or "") for name in ("NAME", "HOST", "PORT", "USER"))
    return tuple(part for part in parts if part)


def open_store(address: str | None = None, *, create: bool = False) -> None:
    """Configure and migrate; create a new SQLite file only with `create`."""
    configure(address)
    from django.core.management import call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and not create and not Path(name).exists():
        raise AdjudgeError(
            f"no database {name}; create a campaign first, or name the database: `database`"
        )
    if connection.vendor == "sqlite" and name != ":memory:":
        make_private(Path(name))
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, interactive=False)
    except DatabaseError as error:
        raise AdjudgeError(
            f"cannot open the database {name} ({error}); check DATABASE_URL or `database`"
        ) from None


@contextmanager
def new_store(address: str | None = None) -> Iterator[None]:
    """Open the store, creating it if needed; remove a created file if the first operation fails.

    A refused or interrupted command thus leaves no empty database behind.
    """
    configure(address)
    from django.db import connection

    file = Path(connection.settings_dict["NAME"])
    fresh = connection.vendor == "sqlite" and not file.exists()
    try:
        open_store(address, create=True)
        yield
    except BaseException:
        if fresh:
            connection.close()
            for part in companions(file):
                part.unlink(missing_ok=True)
        raise
