"""Key that signs sessions: created once, stored beside the database, readable by its owner only."""

import os
import secrets
from pathlib import Path

from adjudge.campaigns.store.database import DEFAULT, database_settings
from adjudge.core.errors import AdjudgeError

SHORTEST = 32


def secret_key(address: str | None) -> str:
    """Return ADJUDGE_SECRET_KEY, or the key in the file beside the database, created if needed.

    Beside SQLite's `campaigns.sqlite3` it is `campaigns.sqlite3.secret`; with PostgreSQL it is
    `adjudge.secret` in the folder where the server is started.
    """
    given = os.environ.get("ADJUDGE_SECRET_KEY")
    if given:
        if len(given) < SHORTEST:
            raise AdjudgeError(
                f"ADJUDGE_SECRET_KEY is too short; use at least {SHORTEST} characters"
            )
        return given
    file = _file(address)
    try:
        _make(file)
    except FileExistsError:
        if file.stat().st_mode & 0o077:
            raise AdjudgeError(
                f"{file} can be read by others; chmod 600 it, or remove it and all sign in anew"
            ) from None
    key = file.read_text().strip()
    if len(key) < SHORTEST:
        raise AdjudgeError(f"{file} holds no key; remove it and start again")
    return key


def _file(address: str | None) -> Path:
    settings = database_settings(address or os.environ.get("DATABASE_URL") or DEFAULT)
    if settings["ENGINE"].endswith("sqlite3"):
        return Path(f"{settings['NAME']}.secret")
    return Path("adjudge.secret").absolute()


def _make(file: Path) -> None:
    """Create the file atomically unless it exists, since two servers may start at once."""
    new = file.with_name(f".{file.name}.{os.getpid()}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        stream.write(secrets.token_urlsafe(48) + "\n")
    try:
        os.link(new, file)
    finally:
        new.unlink()
