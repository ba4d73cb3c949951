"""The server starts only when it is safe, and its cookies, secret and login are."""

import os
import re
import socket
import stat
import subprocess
import sys
import time
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SERVE = ("-m", "adjudge", "serve")


def _environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("ADJUDGE_", "DJANGO_"))}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**_environment(), **environment},
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "0.0.0.0"], "--public"),
        (["--host", "192.0.2.1"], "--public"),
        (["--public", "*"], "name those"),
        (["--database", "mysql://x"], "no database engine"),
    ],
)
def test_serve_refuses_to_start_unsafely(tmp_path, options, said):
    start = ["--database", str(tmp_path / "a.sqlite3"), "--port", str(_free_port())]
    done = _run(*SERVE, *start, *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert not list(tmp_path.iterdir())
    assert len(done.stderr.splitlines()) == 1


def test_serve_says_when_its_port_is_taken(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = _run(*SERVE, "--port", port, "--database", str(tmp_path / "a.sqlite3"))
    assert done.returncode == 2
    assert "--port" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_server_behind_https(tmp_path):
    port = _free_port()
    options = ["--port", str(port), "--workers", "1", "--public", "judge.example.org", "--https"]
    server = subprocess.Popen(
        [sys.executable, *SERVE, *options, "--database", str(tmp_path / "a.sqlite3")],
        env=_environment(),
        stdout=subprocess.PIPE,
        text=True,
    )

    def ask(path: str, **headers: str) -> Any:
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers={"Host": "judge.example.org", **told})
        return connection.getresponse()

    try:
        assert "https://judge.example.org/" in server.stdout.readline()
        for _ in range(300):
            try:
                plain = ask("/")
                break
            except OSError:
                time.sleep(0.1)
        assert plain.status == 301
        assert plain.headers["Location"] == "https://judge.example.org/"
        page = ask("/", X_Forwarded_Proto="https")
        assert page.status == 200
        assert page.headers["Strict-Transport-Security"].startswith("max-age=")
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
        script = ask("/static/web/judge.js", X_Forwarded_Proto="https")
        assert script.status == 200
        assert script.headers["Content-Type"].startswith("text/javascript")
        assert ask("/", X_Forwarded_Proto="https", Host="evil.example").status == 400
        assert stat.S_IMODE((tmp_path / "a.sqlite3.secret").stat().st_mode) == 0o600
    finally:
        server.terminate()
        server.communicate(timeout=30)


def test_a_secret_is_made_once_for_its_owner_only(tmp_path, monkeypatch):
    from adjudge.core.errors import AdjudgeError
    from adjudge.web.secret import secret_key

    monkeypatch.delenv("ADJUDGE_SECRET_KEY", raising=False)
    database = str(tmp_path / "a.sqlite3")
    made = secret_key(database)
    file = tmp_path / "a.sqlite3.secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(made) >= 50
    assert secret_key(database) == made
    assert secret_key(str(tmp_path / "b.sqlite3")) != made
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "a.sqlite3.secret",
        "b.sqlite3.secret",
    ]
    file.chmod(0o644)
    with pytest.raises(AdjudgeError, match="read by others"):
        secret_key(database)
    monkeypatch.setenv("ADJUDGE_SECRET_KEY", "short")
    with pytest.raises(AdjudgeError, match="too short"):
        secret_key(database)


def test_the_wsgi_application_needs_a_secret(tmp_path):
    done = _run("-m", "adjudge.web.wsgi", DATABASE_URL=str(tmp_path / "a.sqlite3"))
    assert done.returncode != 0
    assert "ADJUDGE_SECRET_KEY" in done.stderr


def test_django_finds_nothing_unsafe_in_public(tmp_path):
    done = _run(
        *("-m", "django", "check", "--deploy", "--fail-level", "WARNING"),
        DJANGO_SETTINGS_MODULE="adjudge.web.settings",
        DATABASE_URL=str(tmp_path / "a.sqlite3"),
        ADJUDGE_SECRET_KEY="x7" + "fQ9-zLm3_" * 8,
        ADJUDGE_ALLOWED_HOSTS="judge.example.org",
        ADJUDGE_HTTPS="1",
    )
    assert done.returncode == 0, done.stderr


def test_cookies_are_secure_behind_https(campaign, visitor):
    from django.test import override_settings

    https = {
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
        "SECURE_HSTS_SECONDS": 3600,
        "ALLOWED_HOSTS": ["judge.example.org"],
    }
    with override_settings(**https):
        ada = visitor(campaign)
        proxy: dict[str, Any] = {
            "headers": {"X-Forwarded-Proto": "https", "Host": "judge.example.org"}
        }
        plain = ada.client.get("/", headers={"Host": "judge.example.org"})
        assert plain.status_code == 301
        assert plain.headers["Location"] == "https://judge.example.org/"
        entered = ada.client.get(f"/j/{ada.invitation.token}/", **proxy)
        page = ada.client.get(ada.address, **proxy)
        assert page.headers["Strict-Transport-Security"] == "max-age=3600"
        cookies = {**entered.cookies, **page.cookies}
        assert set(cookies) == {"adjudge_session", "csrftoken"}
        for cookie in cookies.values():
            assert cookie["secure"]
            assert cookie["httponly"]
            assert cookie["samesite"] == "Lax"
        assert ada.client.get("/", headers={"Host": "evil.example"}).status_code == 400


def test_wrong_passwords_are_limited_per_account_and_address(store):
    from django.utils import timezone

    from adjudge.web import limits

    now = timezone.now()
    for _ in range(limits.OF_ACCOUNT):
        assert limits.claim("Ada ", "192.0.2.1", now) is None
    assert limits.claim("ada", "192.0.2.1", now) > limits.WINDOW - timedelta(seconds=1)
    assert limits.claim("bob", "192.0.2.1", now) is None
    # The real Ada, at home, is not locked out by a stranger's guesses.
    assert limits.claim("ada", "198.51.100.1", now) is None
    assert limits.claim("ada", "192.0.2.1", now + limits.WINDOW + timedelta(seconds=1)) is None
    limits.passed("ADA", "192.0.2.1")
    assert limits.claim("ada", "192.0.2.1", now) is None


def test_a_network_of_ipv6_is_one_address(store):
    from adjudge.web import limits

    for number in range(limits.OF_ACCOUNT):
        assert limits.claim("ada", f"2001:db8:0:1::{number}") is None
    assert limits.claim("ada", "2001:db8:0:1:ffff::9") is not None
    assert limits.claim("ada", "2001:db8:0:2::9") is None


def test_one_address_cannot_try_every_account(store):
    from django.utils import timezone

    from adjudge.web import limits

    now = timezone.now()
    for number in range(limits.OF_ADDRESS - 1):
        assert limits.claim(f"account{number}", "192.0.2.1", now) is None
    assert limits.claim("their own", "192.0.2.1", now) is None
    limits.passed("their own", "192.0.2.1")  # clears nothing but that one
    assert limits.claim("another", "192.0.2.1", now) is None
    assert limits.claim("yet another", "192.0.2.1", now) is not None
    assert limits.claim("yet another", "192.0.2.2", now) is None


def test_a_proxys_word_counts_only_behind_a_proxy():
    from django.test import RequestFactory, override_settings

    from adjudge.web.middleware import client_address

    request = RequestFactory().get(
        "/", REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="10.9.8.7, 192.0.2.1"
    )
    assert client_address(request) == "127.0.0.1"
    with override_settings(HTTPS=True):
        assert client_address(request) == "192.0.2.1"


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_reaches_aa_contrast(scheme):
    style = (ROOT / "src/adjudge/web/static/web/adjudge.css").read_text()
    light, dark = style.split("prefers-color-scheme: dark")[:2]
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    if scheme == "dark":
        found |= re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark)
    for ground in ("page", "card", "mark", "accent-soft"):
        assert _contrast(found["ink"], found[ground]) >= 4.5
    for ground in ("page", "card"):
        for text in ("soft", "accent", "good", "warn", "bad"):
            assert _contrast(found[text], found[ground]) >= 4.5, (text, ground)
        assert _contrast(found["edge"], found[ground]) >= 3
    assert _contrast(found["accent-ink"], found["accent"]) >= 4.5
