"""A store of its own for every test, on SQLite and on PostgreSQL."""

import os
import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count
from typing import Any

import pytest

from adjudge.campaigns.store.opening import configure
from adjudge.text.testset import TestSet

# Where the pages are installed, campaigns run under their settings, as on a server.
_PAGES = "adjudge.web.settings"
if find_spec("adjudge.web") and find_spec(_PAGES):
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", _PAGES)
configure()


def use(address: str) -> None:
    """Point Django at another database, for this thread and those that start later."""
    from django.db import connections

    from adjudge.campaigns.store.database import database_settings

    if hasattr(connections._connections, "default"):
        connections["default"].close()
        del connections["default"]
    connections.settings = connections.configure_settings({"default": database_settings(address)})


def migrate() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)


def _close() -> None:
    from django.db import connections

    connections["default"].close()


@pytest.fixture(autouse=True)
def one_seed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests draw the same on every run, unless they are about the secret seed."""
    if not request.node.get_closest_marker("secret_seed"):
        monkeypatch.setattr("adjudge.campaigns.setup.creation.secret_seed", lambda: 1)


@pytest.fixture(autouse=True)
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million rounds of hashing are for attackers; the server reads these passwords as well."""
    monkeypatch.setattr("django.contrib.auth.hashers.PBKDF2PasswordHasher.iterations", 1)


@pytest.fixture(scope="session")
def sqlite_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Makes new SQLite databases with empty tables."""
    folder = tmp_path_factory.mktemp("stores")
    template, numbers = folder / "template.sqlite3", count()
    use(str(template))
    migrate()
    _close()

    def new() -> str:
        copy = folder / f"store{next(numbers)}.sqlite3"
        shutil.copy(template, copy)
        return str(copy)

    return new


@pytest.fixture(scope="session")
def postgresql_store(postgresql: str) -> Callable[[], str]:
    """Makes new PostgreSQL databases with empty tables."""
    import psycopg

    folder = postgresql.partition("host=")[2]
    numbers = count()

    def create(name: str, template: str) -> None:
        connection = f"dbname=postgres user=adjudge host={folder}"
        with psycopg.connect(connection, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")  # type: ignore[call-overload]

    create("template_store", "template0")
    use(postgresql.format(name="template_store"))
    migrate()
    _close()

    def new() -> str:
        name = f"store{next(numbers)}"
        create(name, "template_store")
        return postgresql.format(name=name)

    return new


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty store, in use."""
    address = request.getfixturevalue(f"{request.param}_store")()
    use(address)
    yield address
    _close()


@pytest.fixture
def sqlite(sqlite_store: Callable[[], str]) -> Iterator[str]:
    """An empty SQLite store, in use, for what does not depend on the engine."""
    address = sqlite_store()
    use(address)
    yield address
    _close()


@pytest.fixture(scope="session")
def switch() -> Callable[[str], None]:
    """To go from one store to another within a test."""
    return use


@pytest.fixture(scope="session")
def made_texts() -> Callable[..., TestSet]:
    """Makes test sets of made-up sentences in which every output is different."""

    def make(segments: int = 30, systems: int = 6, documents: int = 3) -> TestSet:
        names = [f"system{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:systems]]
        each = -(-segments // documents)
        return TestSet(
            source=tuple(f"source sentence number {n} of some words" for n in range(segments)),
            reference=tuple(f"reference {n}" for n in range(segments)),
            documents=tuple(f"document{n // each}" for n in range(segments)),
            names=tuple(str(n + 1) for n in range(segments)),
            systems={
                name: tuple(f"translation {n} by {name}" for n in range(segments)) for name in names
            },
            source_language="en",
            target_language="cs",
        )

    return make


@pytest.fixture(scope="session")
def answer() -> Callable[..., None]:
    """Gives the ranks of the phrases of an item, as a judge would."""

    def give(judge: Any, item: Any, ranks: object, seconds: float = 8.0) -> None:
        from adjudge.campaigns.work.answers import Times, submit
        from adjudge.campaigns.work.screen import candidate_keys

        said = {"candidates": candidate_keys(item), "ranks": ranks}
        submit(judge, item.key, f"key-{item.key}", said, Times(seconds, seconds))

    return give


@pytest.fixture(scope="session")
def next_of() -> Callable[..., tuple[Any, Any, Any]]:
    """Makes a new judge, and gives their first item and its screen too."""

    def ask(campaign: Any, name: str = "Ada", **details: Any) -> tuple[Any, Any, Any]:
        from adjudge.campaigns.people.invitation import invite
        from adjudge.campaigns.work.assignment import next_item
        from adjudge.campaigns.work.screen import screen_of

        judge = invite(campaign, name, **details).judge
        item = next_item(judge)
        return judge, item, screen_of(item)

    return ask
