"""Server of the demonstration: started once in the background, for its database.

Another server may answer at the same port: that of another folder, or one that was there before.
Ours is therefore started with a random token, by which it is recognised.
"""

import json
import os
import secrets
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from http.client import HTTPException
from pathlib import Path
from time import monotonic, sleep
from urllib.request import Request, urlopen

from adjudge.core.errors import AdjudgeError
from adjudge.web.server import check_port, prepare

_HOST = "127.0.0.1"
_PORTS = range(8100, 8200)  # 8000 is for the user's own server
_PATIENCE = 60.0  # seconds for the server to answer


@dataclass(frozen=True)
class Running:
    """Handle on a server that was started from here."""

    pid: int
    port: int
    token: str  # what only this server takes (`web.health.metrics`)

    @property
    def address(self) -> str:
        """Address of the server."""
        return f"http://{_HOST}:{self.port}"

    def answers(self) -> bool:
        """Test whether our server answers."""
        headers = {"Authorization": f"Bearer {self.token}"}
        try:
            os.kill(self.pid, 0)
            with urlopen(Request(f"{self.address}/metrics", headers=headers), timeout=5):
                return True
        except (OSError, HTTPException):
            return False


def open_database(database: str) -> None:
    """Set up Django with the pages on the demonstration's database, creating it if needed."""
    from adjudge.campaigns.store.opening import open_store
    from adjudge.web.secret import secret_key

    prepare(secret_key(database), [], https=False)
    open_store(database, create=True)


def running_server(folder: Path) -> Running | None:
    """Running server of this folder, if any."""
    try:
        server = Running(**json.loads(_record(folder).read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None
    return server if server.answers() else None


def start(folder: Path, database: str) -> Running:
    """Start the server of this folder, unless it is running."""
    server = running_server(folder)
    if server is not None:
        return server
    port, token = _free_port(), secrets.token_urlsafe()
    command = [sys.executable, "-c", "from adjudge.cli import main; main()", "serve"]
    with Path(folder, "server.log").open("ab") as log:
        process = subprocess.Popen(
            [*command, "--port", str(port), "--database", database],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=os.environ | {"ADJUDGE_METRICS_TOKEN": token},
            start_new_session=True,
        )
    server = Running(process.pid, port, token)
    began = monotonic()
    while not server.answers():
        if process.poll() is not None or monotonic() - began > _PATIENCE:
            process.kill()
            raise AdjudgeError(f"the server did not start; {log.name} says why")
        sleep(0.1)
    _record(folder).touch(mode=0o600)
    _record(folder).write_text(json.dumps(asdict(server)))
    return server


def stop(folder: Path) -> bool:
    """Stop the server of this folder; return whether one was running."""
    server = running_server(folder)
    if server is not None:
        os.kill(server.pid, signal.SIGTERM)
    _record(folder).unlink(missing_ok=True)
    return server is not None


def _record(folder: Path) -> Path:
    return Path(folder, "server.json")


def _free_port() -> int:
    for port in _PORTS:
        try:
            check_port(_HOST, port)
        except AdjudgeError:
            continue
        return port
    raise AdjudgeError(f"ports {_PORTS[0]} to {_PORTS[-1]} are all taken; free one of them")
