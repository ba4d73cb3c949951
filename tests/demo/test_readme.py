"""README, line by line, after the demonstration and while its server runs: real processes."""

import os
import re
import shlex
import subprocess
import sys
import time
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 120  # seconds for a server on a busy machine


def own_campaign() -> list[str]:
    """The commands of README after the demonstration, without what makes and installs."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    after = text[text.index("make demo\n") :]
    blocks = re.findall(r"```sh\n(.*?)```", after, re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.startswith("adjudge ")]


@pytest.mark.slow
def test_readme_works_line_by_line_after_the_demonstration(tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    move = f"mv {opened}.new {opened}"
    browser.write_text(f"#!/bin/sh\nprintf '%s' \"$1\" > {opened}.new && {move}\n")
    browser.chmod(0o755)
    told = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment = told | {"BROWSER": f"{browser} %s", "PYTHONUNBUFFERED": "1"}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    adjudge = [sys.executable, "-m", "adjudge"]

    def run(line: str) -> str:
        done = subprocess.run(
            [*adjudge, *shlex.split(line)[1:]],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, (line, done.stderr)
        return done.stdout

    commands = own_campaign()
    assert [line.split()[1] for line in commands].count("serve") == 1
    said: dict[str, str] = {}
    server: subprocess.Popen[str] | None = None
    demonstration = run("adjudge demo")
    try:
        for line in commands:
            if line.split()[1] != "serve":
                said[" ".join(line.split()[1:3])] = run(line)
                continue
            server = subprocess.Popen(
                [*adjudge, *shlex.split(line)[1:]],
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert server.stdout is not None
            address = ""
            while not address:
                words = re.search(r"at (http://\S+)/", server.stdout.readline())
                address = words[1] if words else ""
            began = time.monotonic()
            while not opened.exists():
                assert time.monotonic() - began < PATIENCE
                time.sleep(0.1)
        assert opened.read_text() == f"{address}/organise/"
        assert address not in demonstration, "the demonstration has a server of its own"
        links = re.findall(r"http\S+/j/\S+/", said["campaign invite"])
        assert len(links) == 2
        for link in links:
            assert link.startswith(f"{address}/j/"), "the link leads to the server that runs"
            with build_opener(HTTPCookieProcessor(CookieJar())).open(link) as page:
                assert page.status == 200
                assert "news" in page.read().decode()
        assert "Ann" in said["campaign status"]
        password = said["campaign organiser"].split()[-1]
        assert len(password) > 10
    finally:
        if server is not None:
            server.terminate()
            server.wait(30)
        run("adjudge demo --stop")
