"""Production server: gunicorn with several threaded workers."""

import os
import socket
import webbrowser
from collections.abc import Sequence
from threading import Thread
from typing import Any

from gunicorn.app.base import BaseApplication

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.output import PRIVATE_UMASK
from adjudge.web import access_log as access_log_form
from adjudge.web.worker import PatientWorker

LOOPBACK = ("127.0.0.1", "::1", "localhost")
FIRST_PORT = 8000
_PORTS = range(FIRST_PORT, FIRST_PORT + 100)
# Longer than the wait for SQLite's lock, so that a worker in a queue is not taken for dead.
_TIMEOUT = 60


def check_public(host: str, public: Sequence[str]) -> None:
    """Refuse to listen publicly without known host names."""
    if host not in LOOPBACK and not public:
        raise AdjudgeError(
            f'`host="{host}"` can be reached by others; name the addresses judges use: '
            '`public="judge.example.org"`'
        )
    if "*" in public:
        raise AdjudgeError("`public` '*' would believe any address; name those judges use")


def public_address(bind: str, public: Sequence[str], https: bool) -> str:
    """Public address of a server that listens at `bind`; a proxy has a port of its own."""
    if not public:
        return f"http://{bind}"
    if https:
        return f"https://{public[0]}"
    host, _, port = bind.rpartition(":")
    proxied = host.strip("[]") in LOOPBACK
    return f"http://{public[0]}" if proxied else f"http://{public[0]}:{port}"


def check_port(host: str, port: int) -> None:
    """Refuse an address at which this machine cannot listen, with a clear message."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            reason = error.strerror or error
            raise AdjudgeError(
                f"cannot listen at {host} port {port} ({reason}); try another `port`"
            ) from None


def free_port(host: str, port: int | None = None) -> int:
    """Port to listen on: the given one, or the first free one."""
    if port is not None:
        check_port(host, port)
        return port
    for candidate in _PORTS:
        try:
            check_port(host, candidate)
        except AdjudgeError:
            continue
        return candidate
    check_port(host, FIRST_PORT)  # says why not: another host may be the reason
    return FIRST_PORT


def prepare(secret: str, public: Sequence[str], https: bool) -> None:
    """Set the environment variables that `adjudge.web.settings` reads."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "adjudge.web.settings"
    os.environ["ADJUDGE_SECRET_KEY"] = secret
    os.environ["ADJUDGE_ALLOWED_HOSTS"] = ",".join(public)
    os.environ["ADJUDGE_HTTPS"] = "1" if https else ""


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn application configured here instead of by its own command line and files."""

    def __init__(
        self, host: str, port: int, workers: int, threads: int, access_log: str | None = None
    ) -> None:
        bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self.told: dict[str, Any] = {
            "bind": bind,
            "workers": workers,
            "worker_class": PatientWorker,
            "threads": threads,
            "timeout": _TIMEOUT,
            "graceful_timeout": 10,
            "keepalive": 5,
            "loglevel": "warning",
            "proc_name": "adjudge",
            "accesslog": access_log,
            "access_log_format": access_log_form.FORM,
            "logger_class": access_log_form.AccessLog,
            "umask": PRIVATE_UMASK,
            # Heartbeats in memory: a slow disk must not look like a dead worker.
            "worker_tmp_dir": "/dev/shm" if os.path.isdir("/dev/shm") else None,
        }
        os.umask(PRIVATE_UMASK)  # what the server writes is for its own user
        super().__init__()

    def when_ready_open(self, address: str) -> None:
        """Open a page in a browser as soon as it is served."""
        show = Thread(target=webbrowser.open, args=(address,), daemon=True)
        self.cfg.set("when_ready", lambda arbiter: show.start())

    def load_config(self) -> None:
        """Configure gunicorn."""
        for name, value in self.told.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Load the application in each worker after the fork, since connections are not shared."""
        from adjudge.web.wsgi import application

        return application
