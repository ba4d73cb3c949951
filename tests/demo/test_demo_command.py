"""`adjudge demo`: results, a judge's link and a dashboard; again, it changes nothing of it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

import adjudge
from adjudge.web.demo.server import running_server


def demo(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "adjudge", "demo"]
    answer = subprocess.run(
        [*command, "--folder", str(folder), *options], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


@pytest.fixture
def folder(tmp_path):
    yield tmp_path
    demo(tmp_path, "--stop")


@pytest.mark.slow
def test_the_main_job_end_to_end_and_again(folder):
    first = demo(folder)
    assert "300 rankings by 8 judges" in first
    assert "simulated" in first
    assert "large-nmt" in first
    judgements = (folder / "judgements.jsonl").read_bytes()
    report = (folder / "report.html").read_bytes()
    assert b"<h1>Demo (simulated judges)</h1>" in report
    assert str(folder / "report.html") in first
    for_whom = adjudge.read(str(folder / "judgements.jsonl")).rank().holds_for
    assert for_whom in first
    assert for_whom.encode() in report
    link = re.search(r"http://\S+/j/\S+/", first)
    with build_opener(HTTPCookieProcessor()).open(link[0]) as page:
        assert page.status == 200
        assert link[0] != page.url, "the token does not stay in the address"
    dashboard = re.search(r"http://\S+/organise/\d+/", first)
    with urlopen(dashboard[0]) as page:
        assert "sign-in" in page.url

    again = demo(folder)
    assert (folder / "judgements.jsonl").read_bytes() == judgements
    assert (folder / "report.html").read_bytes() == report
    results = first.index("The same from the file")
    assert again[:results] == first[:results]
    assert f"-m adjudge rank {folder / 'judgements.jsonl'}" in first
    assert "-m adjudge demo --stop" in first
    assert dashboard[0] in again, "the server that runs is used again"
    assert demo(folder, "--stop") == "Stopped.\n"
    assert demo(folder, "--stop") == "There is no server to stop.\n"


SCRIPT = """#!{python}
from adjudge.web.demo.command import started_as
print(started_as())
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A console script as an installer makes it."""
    file = tmp_path / "bin" / "adjudge"
    file.parent.mkdir()
    file.write_text(SCRIPT.format(python=sys.executable))
    file.chmod(0o755)
    return file


def said_by(*command: str, path: str = "/usr/bin", folder: Path | None = None) -> str:
    environment = os.environ | {"PATH": path}
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env=environment, cwd=folder
    ).stdout.strip()


@pytest.mark.slow
def test_the_printed_command_is_the_one_that_was_typed(script: Path) -> None:
    on_path = f"{script.parent}:/usr/bin"
    assert said_by("adjudge", path=on_path) == "adjudge"
    assert said_by(str(script), path=on_path) == "adjudge"
    assert said_by(str(script)) == str(script)
    assert said_by("bin/adjudge", folder=script.parent.parent) == "bin/adjudge"


def test_run_as_a_module_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "__main__.py"  # what `python -m adjudge` runs
    file.write_text(SCRIPT.format(python=sys.executable))
    assert said_by(sys.executable, str(file)) == f"{sys.executable} -m adjudge"
    folder = Path(sys.executable).parent
    assert said_by(str(folder / "python"), str(file), path=str(folder)) == "python -m adjudge"


@pytest.mark.slow
def test_the_server_of_another_folder_is_not_taken_for_ours(folder: Path, tmp_path: Path) -> None:
    """A record that points at a server of somebody else, as an old one may."""
    demo(folder)
    theirs = json.loads((folder / "server.json").read_text())
    ours = tmp_path / "ours"
    ours.mkdir()
    record = ours / "server.json"
    record.write_text(json.dumps(theirs | {"token": "another"}))
    assert running_server(ours) is None
    assert demo(ours, "--stop") == "There is no server to stop.\n"
    assert running_server(folder) is not None, "nothing of theirs was stopped"
    record.write_text(json.dumps({"pid": theirs["pid"], "port": theirs["port"]}))  # of old
    assert running_server(ours) is None
