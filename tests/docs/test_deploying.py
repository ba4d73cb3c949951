"""The configurations on the page about deploying: checked by the programs they are for."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "deploying.md"
PROGRAM = "/opt/adjudge/bin/adjudge"

_spec = spec_from_file_location("docs_pages", ROOT / "tools" / "docs_pages.py")
assert _spec is not None
assert _spec.loader is not None
docs_pages = module_from_spec(_spec)
sys.modules["docs_pages"] = docs_pages
_spec.loader.exec_module(docs_pages)


def blocks(language: str) -> list[str]:
    return [block.text for block in docs_pages.blocks(PAGE) if block.language == language]


def named() -> dict[str, str]:
    """The units by the names of their files."""
    names = re.findall(r"`/etc/systemd/system/([\w.-]+)`", PAGE.read_text())
    return dict(zip(names, blocks("ini"), strict=True))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What stands for the installed program."""
    file = tmp_path_factory.mktemp("bin") / "adjudge"
    file.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m adjudge "$@"\n')
    file.chmod(0o755)
    return file


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
def test_systemd_takes_the_units(tmp_path: Path, program: Path) -> None:
    units = named()
    assert set(units) == {"adjudge.service", "adjudge-backup.service", "adjudge-backup.timer"}
    for name, text in units.items():
        own = text.replace(PROGRAM, str(program)).replace("User=adjudge", "User=root")
        (tmp_path / name).write_text(own + "\n")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in units)],
        capture_output=True,
        text=True,
    )
    about_ours = [line for line in done.stderr.splitlines() if "adjudge" in line]
    assert not about_ours, done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("nginx"), reason="no nginx here")
def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    (text,) = blocks("nginx")
    key, certificate = tmp_path / "privkey.pem", tmp_path / "fullchain.pem"
    made = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=judge.example.org -days 1"
    subprocess.run(
        [*made.split(), "-keyout", str(key), "-out", str(certificate)], check=True, text=True
    )
    own = re.sub(r"/etc/letsencrypt/live/[\w.]+", str(tmp_path), text)
    own = f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{own}\n}}\n"
    (tmp_path / "nginx.conf").write_text(own)
    done = subprocess.run(
        ["nginx", "-t", "-c", str(tmp_path / "nginx.conf"), "-e", str(tmp_path / "errors")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_proxy_sets_what_the_server_believes() -> None:
    (text,) = blocks("nginx")
    for header in ("Host $host", "X-Forwarded-Proto $scheme", "X-Forwarded-For $remote_addr"):
        assert f"proxy_set_header {header};" in text
    from adjudge.web.organiser.uploads import LARGEST_UPLOAD

    assert f"client_max_body_size {LARGEST_UPLOAD // 1024**2}m;" in text


def commands() -> dict[str, list[str]]:
    """How the service and the container start the server."""
    unit = re.search(r"^ExecStart=(.+)$", named()["adjudge.service"], re.MULTILINE)
    (container,) = blocks("dockerfile")
    start = re.search(r"^CMD (\[.+\])$", container, re.MULTILINE)
    assert unit is not None
    assert start is not None
    return {"service": shlex.split(unit[1]), "container": json.loads(start[1])}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["service", "container"])
def test_what_they_start_is_a_server(kind: str, tmp_path: Path) -> None:
    _, verb, *options = commands()[kind]
    assert verb == "serve"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ours = ("ADJUDGE_", "DJANGO_", "DATABASE_URL")
    told = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    server = subprocess.Popen(
        [sys.executable, "-m", "adjudge", verb, *options, "--port", str(port)],
        cwd=tmp_path,
        env=told,
        stdout=subprocess.DEVNULL,
    )
    try:
        status = 0
        for _ in range(600):
            try:
                with urlopen(f"http://127.0.0.1:{port}/readyz") as reply:
                    status = reply.status
                break
            except (URLError, OSError):
                time.sleep(0.1)
        assert status == 200
        proxied = {"Host": "judge.example.org", "X-Forwarded-Proto": "https"}
        with urlopen(Request(f"http://127.0.0.1:{port}/", headers=proxied)) as page:
            assert b"personal link" in page.read()
    finally:
        server.terminate()
        server.wait(30)


CHECK = """
from django.core.management import call_command
from adjudge.web.server import Server

def check(server):
    from django.conf import settings
    print("checked", settings.ALLOWED_HOSTS, settings.SILENCED_SYSTEM_CHECKS)
    call_command("check", "--deploy", "--fail-level", "INFO")

Server.run = check  # where it would begin to serve
from adjudge.__main__ import main
main()
"""


@pytest.mark.parametrize("kind", ["service", "container"])
def test_django_s_deployment_check_is_clean_as_documented(kind: str, tmp_path: Path) -> None:
    """The settings are those of the documented command, up to where it would serve."""
    ours = ("ADJUDGE_", "DJANGO_", "DATABASE_URL")
    done = subprocess.run(
        [sys.executable, "-c", CHECK, *commands()[kind][1:]],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith(ours)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "checked" in done.stdout
    assert "judge.example.org" in done.stdout
    assert "no issues (2 silenced)" in done.stdout + done.stderr
    page = (ROOT / "docs" / "security.md").read_text()
    silenced = re.findall(r"security\.W\d+", done.stdout)
    assert len(silenced) == 2
    for warning in silenced:  # the page says which, and why
        assert f"`{warning}`" in page


def test_the_backup_of_the_timer_is_a_backup(program: Path, tmp_path: Path) -> None:
    """The very line that systemd would run, with its doubled percent signs undone."""
    unit = named()["adjudge-backup.service"]
    line = re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    assert line is not None
    command = shlex.split(line[1].replace("%%", "%").replace(PROGRAM, str(program)))
    (tmp_path / "backups").mkdir()
    told = {"PATH": os.environ["PATH"], "DATABASE_URL": str(tmp_path / "a.sqlite3")}
    told["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    made = [sys.executable, "-m", "adjudge", "campaign", "organiser", "olga"]
    subprocess.run(made, cwd=tmp_path, env=told, check=True, capture_output=True)
    subprocess.run(command, cwd=tmp_path, env=told, check=True, capture_output=True)
    (backup,) = (tmp_path / "backups").iterdir()
    assert backup.name.endswith(".jsonl.gz")
    assert backup.stat().st_mode & 0o077 == 0
