"""Which database: addresses, and words for those that do not work."""

import os
import tempfile
from pathlib import Path

import pytest

from adjudge.campaigns.store.database import database_settings
from adjudge.core.errors import AdjudgeError


def test_addresses_of_postgresql() -> None:
    full = database_settings("postgres://ann:p%40ss@db.example:5433/judged")
    assert full["ENGINE"].endswith("postgresql")
    names = ("NAME", "USER", "PASSWORD", "HOST", "PORT")
    assert [full[name] for name in names] == ["judged", "ann", "p@ss", "db.example", "5433"]
    socket = database_settings("postgresql://ann@/judged?host=/run/postgresql&sslmode=disable")
    assert (socket["HOST"], socket["OPTIONS"]) == ("/run/postgresql", {"sslmode": "disable"})


def test_addresses_of_sqlite(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    assert database_settings("a.sqlite3")["NAME"] == str(tmp_path / "a.sqlite3")
    assert database_settings("sqlite:///a.sqlite3")["NAME"] == str(tmp_path / "a.sqlite3")
    assert database_settings("sqlite:////srv/a.sqlite3")["NAME"] == "/srv/a.sqlite3"
    assert database_settings("a.sqlite3")["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize("address", ["mysql://host/name", "sqlite:///", ""])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(AdjudgeError):
        database_settings(address)


def test_sqlite_is_told_to_lose_nothing(sqlite: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        found = {}
        for pragma in ("journal_mode", "synchronous", "foreign_keys"):
            cursor.execute(f"PRAGMA {pragma}")
            found[pragma] = cursor.fetchone()[0]
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


def test_a_file_that_is_no_database(tmp_path, switch, sqlite: str) -> None:  # type: ignore[no-untyped-def]
    from adjudge.campaigns.store.opening import open_store

    text = tmp_path / "notes.txt"
    text.write_text("these are notes " * 100)
    switch(str(text))
    with pytest.raises(AdjudgeError, match=r"cannot open the database .*notes\.txt"):
        open_store()


def test_a_server_that_is_not_there(tmp_path, switch, sqlite: str) -> None:  # type: ignore[no-untyped-def]
    from adjudge.campaigns.store.opening import open_store

    switch(f"postgres://ann@/judged?host={tmp_path}")
    with pytest.raises(AdjudgeError, match="cannot open the database judged"):
        open_store()


def test_a_second_database_is_refused_by_both_names(sqlite: str, tmp_path, switch) -> None:  # type: ignore[no-untyped-def]
    from adjudge.campaigns.store.opening import open_store

    open_store(sqlite)  # again the same
    open_store(f"sqlite:///{sqlite}")
    open_store()
    other = tmp_path / "other.sqlite3"
    with pytest.raises(AdjudgeError) as refused:
        open_store(str(other), create=True)
    assert str(other) in str(refused.value)
    assert sqlite in str(refused.value)
    assert not other.exists()
    with pytest.raises(AdjudgeError, match=r"judged db\.example ann"):
        open_store("postgres://ann:secret@db.example/judged")
    with pytest.raises(AdjudgeError) as refused:
        open_store("postgres://ann:secret@db.example/judged")
    assert "secret" not in str(refused.value)


@pytest.fixture
def others_folder():
    """A folder that everybody may look into; pytest's own are for their owner only."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it forks
def test_a_readable_database_that_belongs_to_somebody_else_is_refused(others_folder):
    from adjudge.campaigns.store.opening import make_private

    if os.geteuid() != 0:
        with pytest.raises(AdjudgeError, match="belongs to somebody else"):
            make_private(Path("/etc/passwd"))
        return
    database = others_folder / "campaigns.sqlite3"
    database.touch()
    database.chmod(0o644)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:  # nobody, in the child
        try:
            os.setuid(65534)
            make_private(database)
            os.write(writing, b"it is mended")
        except BaseException as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    said = os.read(reading, 10_000).decode()
    assert f"{database} can be read by others and belongs to somebody else" in said
    assert database.stat().st_mode & 0o777 == 0o644
