"""A campaign with telltale names in a store of its own, and a browser without a browser."""

import json
import os
import re
import shutil
import socketserver
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adjudge.campaigns.store.opening import configure
from adjudge.text.testset import TestSet

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "adjudge.web.settings")
configure()

if TYPE_CHECKING:
    from django.test import Client

    from adjudge.campaigns.models import Campaign

SYSTEMS = ("Zebra-unseen-1", "Okapi-unseen-2", "Tapir-unseen-3", "Quagga-unseen-4")
NASTY = "<script>alert('x')</script><img src=x onerror=alert(1)> & \"so on\""


def _use(address: str) -> None:
    from django.db import connections

    from adjudge.campaigns.store.database import database_settings

    if hasattr(connections._connections, "default"):
        connections["default"].close()
        del connections["default"]
    connections.settings = connections.configure_settings({"default": database_settings(address)})


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
def use_store() -> Callable[[str], None]:
    """To work on the database at an address."""
    return _use


@pytest.fixture(scope="session")
def new_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Makes new SQLite databases with empty tables."""
    from django.core.management import call_command
    from django.db import connections

    folder = tmp_path_factory.mktemp("web")
    template, numbers = folder / "template.sqlite3", count()
    _use(str(template))
    call_command("migrate", verbosity=0, interactive=False)
    connections["default"].close()

    def new() -> Path:
        copy = folder / f"store{next(numbers)}.sqlite3"
        shutil.copy(template, copy)
        return copy

    return new


@pytest.fixture
def store(new_store: Callable[[], Path]) -> Iterator[Path]:
    """An empty store, in use."""
    from django.db import connections

    file = new_store()
    _use(str(file))
    yield file
    connections["default"].close()


@pytest.fixture(scope="session")
def texts() -> TestSet:
    """Thirty segments in which every output is different and one is nasty."""
    each = {
        name: [f"Übersetzung {n} nach Art {kind}" for n in range(30)]
        for kind, name in enumerate(SYSTEMS)
    }
    each[SYSTEMS[0]] = [f"{NASTY} {n}" for n in range(30)]
    return TestSet(
        source=tuple(f"Source sentence {n} <b>of</b> some words." for n in range(30)),
        reference=tuple(f"Referenz {n}" for n in range(30)),
        documents=tuple(f"document{n // 10}" for n in range(30)),
        names=tuple(str(n + 1) for n in range(30)),
        systems={name: tuple(lines) for name, lines in each.items()},
        source_language="en",
        target_language="de",
    )


@pytest.fixture
def campaign(store: Path, texts: TestSet) -> "Campaign":
    """All four systems on every screen."""
    from adjudge.campaigns.design import design_named
    from adjudge.campaigns.setup.creation import create_campaign

    return create_campaign(
        "Animals", texts, design_named("wmt13", block=4), instructions="Be **fair**."
    )


@pytest.fixture
def client() -> "Client":
    """A browser that keeps cookies and must pass every check a real one must."""
    from django.test import Client

    return Client(enforce_csrf_checks=True, SERVER_NAME="localhost")


def state_in(page: str) -> Any:
    """What the page's script is told."""
    found = re.search(r'<script id="state" type="application/json">(.*?)</script>', page)
    return json.loads(found[1]) if found else {}


class Visitor:
    """A judge at their browser: what the page's script would do, step by step."""

    def __init__(self, campaign: "Campaign", name: str = "Ada", **details: Any) -> None:
        from django.test import Client

        from adjudge.campaigns.people.invitation import invite

        self.invitation = invite(campaign, name, **details)
        self.judge = self.invitation.judge
        self.client = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")
        self.state: dict[str, Any] = {}

    def enter(self) -> "Visitor":
        """Open the link and start."""
        self.client.get(f"/j/{self.invitation.token}/")
        return self.reload()

    def reload(self) -> "Visitor":
        """Load the judging page."""
        self.page = self.client.get(self.address)
        self.state = state_in(self.page.content.decode())
        return self

    @property
    def address(self) -> str:
        from django.urls import reverse

        return reverse("work", args=[self.judge.key])

    def post(self, action: str, body: object) -> Any:
        """What the script sends."""
        headers = {name: str(value) for name, value in self.state["headers"].items()}
        url = self.state["urls"][action]
        return self.client.post(url, body, content_type="application/json", headers=headers)

    def answer(self, item: dict[str, Any], ranks: list[Any], **changes: Any) -> Any:
        """An answer as the script makes it, or with something changed."""
        keys = [candidate["key"] for candidate in item["candidates"]]
        body = {
            "assignment": item["key"],
            "key": os.urandom(8).hex(),
            "at": "2026-01-02T03:04:05.678Z",
            "seconds": 12.5,
            "active_seconds": 10,
            "answer": {"ranks": ranks, "candidates": keys},
        }
        return self.post("answer", {**body, **changes})


@pytest.fixture
def visitor() -> type[Visitor]:
    """Makes judges at their browsers."""
    return Visitor


@pytest.fixture
def olga(store: Path) -> "Client":
    """An administrator's browser, signed in."""
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.create(username="olga", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def judged() -> Callable[..., Visitor]:
    """Makes judges who have ranked some items."""

    def judge(campaign: "Campaign", name: str, rankings: int = 2, **details: Any) -> Visitor:
        who = Visitor(campaign, name, **details).enter()
        for _ in range(rankings):
            ranks = [1, 2, 2, 4]
            assert who.answer(who.state["items"][0], ranks).status_code == 200
            who.reload()
        return who

    return judge


class _Mailbox(socketserver.StreamRequestHandler):
    """As much of a mail server as one letter needs."""

    letters: list[str] = []  # noqa: RUF012

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        letter: list[str] | None = None
        for line in self.rfile:
            text = line.decode().rstrip("\r\n")
            if letter is not None and text != ".":
                letter.append(text)
                continue
            if letter is not None:
                self.letters.append("\n".join(letter))
                letter = None
            elif text.upper() == "DATA":
                letter = []
                self.wfile.write(b"354 go on\r\n")
                continue
            self.wfile.write(b"221 bye\r\n" if text.upper() == "QUIT" else b"250 fine\r\n")


@pytest.fixture(scope="session")
def mail_server() -> Iterator[str]:
    """The address of a mail server."""
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Mailbox)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"smtp://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def letters(mail_server: str) -> list[str]:
    """What the mail server received."""
    _Mailbox.letters.clear()
    return _Mailbox.letters


@pytest.fixture
def mailbox(mail_server: str, letters: list[str]) -> Iterator[list[str]]:
    """The same, for pages that are asked in this process."""
    from django.test import override_settings

    from adjudge.web.mail import mail_settings

    told = mail_settings(mail_server, "judges@example.org")
    with override_settings(SENDS_MAIL=True, **told):
        yield letters
