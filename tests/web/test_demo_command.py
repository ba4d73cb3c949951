"""`adjudge demo`: results, a judge's link and a dashboard; again, it changes nothing of it."""

import re
import subprocess
import sys
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest


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
    assert dashboard[0] in again, "the server that runs is used again"
    assert demo(folder, "--stop") == "Stopped.\n"
    assert demo(folder, "--stop") == "There is no server to stop.\n"
