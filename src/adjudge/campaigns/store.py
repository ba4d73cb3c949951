"""Opening the store: Django set up on a database whose tables are there and up to date."""

import os
from pathlib import Path

import django
from django.apps import apps

from adjudge.campaigns.database import database
from adjudge.errors import AdjudgeError

SETTINGS = "adjudge.campaigns.settings"


def configure(address: str | None = None) -> None:
    """Set Django up, once, on the database at `address` (else DATABASE_URL, else a file here)."""
    if apps.ready:
        return
    if address is not None:
        database(address)  # a bad address is refused here, in words
        os.environ["DATABASE_URL"] = address
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS)
    django.setup()


def open_store(address: str | None = None, *, create: bool = False) -> None:
    """Configure, then bring the tables up to date; a new SQLite file only if told to `create`."""
    configure(address)
    from django.core.management import call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and not create and not Path(name).exists():
        raise AdjudgeError(f"no database {name}; create a campaign first, or name it: --database")
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, interactive=False)
    except DatabaseError as error:
        raise AdjudgeError(
            f"cannot open the database {name} ({error}); check DATABASE_URL or --database"
        ) from None
