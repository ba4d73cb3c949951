"""An upload that takes too long ends its worker, and nothing else."""

import subprocess
import sys

import pytest

BUSY = """
import signal, sys, time
from types import SimpleNamespace
from adjudge.web import middleware

middleware.LONGEST, middleware.GRACE = 0.2, 0.2
signal.signal(signal.SIGTERM, lambda *_: print("takes no more requests", flush=True))

@middleware.ends_in_time
def view(request, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        sum(range(1000))
    return "done"

if "worker" in sys.argv:
    middleware.arm()
print(view(SimpleNamespace(POST={}, path="/organise/new/check/"), float(sys.argv[1])), flush=True)
time.sleep(0.6)
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BUSY, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_a_worker_ends_that_is_busy_with_an_upload_for_too_long() -> None:
    ended = run("100", "worker")
    assert ended.returncode == 1
    assert ended.stdout == "takes no more requests\n"
    assert "/organise/new/check/ took longer than 0.2 seconds" in ended.stderr


@pytest.mark.slow
def test_others_go_on() -> None:
    assert (run("0", "worker").stdout, run("0.5").stdout) == ("done\n", "done\n")


def test_uploads_have_the_deadline() -> None:
    from adjudge.web.organiser import create_campaign

    for view in (create_campaign.check, create_campaign.create):
        wrapped = view
        names = set()
        while hasattr(wrapped, "__wrapped__"):
            names.add(wrapped.__code__.co_filename.rpartition("/")[2])
            wrapped = wrapped.__wrapped__
        assert "middleware.py" in names
