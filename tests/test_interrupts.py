"""Ctrl-C during long work on several processes or a cluster: one sentence, and the same numbers."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.test_terminal import EXAMPLES

pytestmark = pytest.mark.slow

# The command, of which one piece of work is done and all others wait as long as there is a file:
# whoever removes another file is the one.
HELD = """
import sys
from adjudge.core import parallel
from adjudge.__main__ import main

def numbered(number, *work, held=sys.argv.pop(1), done=parallel._numbered):
    import os, time
    try:
        os.remove(held + ".first")
    except FileNotFoundError:
        while os.path.exists(held):
            time.sleep(0.01)
    return done(number, *work)

parallel._numbered = numbered
main()
"""
# Threads end what they have begun. Here nobody waits for more than what was kept.
HELD_BETWEEN = """
import os, sys, time
from adjudge.__main__ import main
from adjudge.core.files import checkpoint

add = checkpoint._Pieces.add

def add_and_wait(*piece, held=sys.argv.pop(1)):
    add(*piece)
    while os.path.exists(held):
        time.sleep(0.01)

checkpoint._Pieces.add = add_and_wait
main()
"""


@pytest.fixture
def works(tmp_path: Path, adjudge) -> dict[str, list[str]]:
    """Long work of every kind, made short."""
    judgements, translations = tmp_path / "judgements.jsonl", tmp_path / "train.tsv"
    adjudge("simulate", "--rankings", 100, "-o", judgements)
    rows = [f"{'a ' * (n % 9 + 1)}\t{'b ' * (n % 7 + 1)}\t{n % 9 / 9}" for n in range(60)]
    translations.write_text("\n".join(["source\ttarget\thter", *rows, ""]))
    texts = [str(EXAMPLES / "candidates.jsonl"), "--reference", str(EXAMPLES / "reference.txt")]
    learner = ["--learner", "elastic-net", "--feature", "counts"]
    some = ["--judges", "3", "--effects", "mild", "--rankings", "60", "--campaigns", "200"]
    return {
        "rank": ["rank", str(judgements), "--method", "trueskill", "--replicates", "500"],
        "coverage": ["coverage", *some],
        "quality": ["quality", "train", str(translations), *learner, "-o", "model.adjudge"],
        "tune-variance": ["tune-variance", *texts, "--sets", "3", "--seeds", "2"],
        "tune": ["tune", *texts, "--restarts", "12"],
    }


def interrupted(script: str, command: list[str], folder: Path, everybody: bool) -> str:
    """What a command says that is interrupted where a piece was kept and others are under way."""
    held, first, checkpoint = (folder / name for name in ("held", "held.first", "checkpoint"))
    held.touch()
    first.touch()
    before = _kept(checkpoint)
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(held), *command, "--checkpoint", checkpoint.name],
        cwd=folder,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    _wait(lambda: process.poll() is not None or _kept(checkpoint) > before)
    (os.killpg if everybody else os.kill)(process.pid, signal.SIGINT)
    if script is HELD_BETWEEN:
        held.unlink()
    printed, said = process.communicate(timeout=60)
    held.unlink(missing_ok=True)
    first.unlink(missing_ok=True)
    assert (process.returncode, printed) == (130, ""), said
    assert _kept(checkpoint) > before
    _wait(lambda: not _session(process.pid))  # trackers of resources follow their process
    return said


def _wait(until: Callable[[], bool]) -> None:
    """For as long as it takes, but not for ever."""
    end = time.monotonic() + 120
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)


def _kept(checkpoint: Path) -> int:
    return checkpoint.read_bytes().count(b'"key"') if checkpoint.exists() else 0


def _session(leader: int) -> list[int]:
    """The processes of a session that are alive."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = file.read_text().rpartition(")")[2].split()[:4]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(session) == leader and state != "Z":
            found.append(int(file.parent.name))
    return found


@pytest.mark.parametrize("work", ["rank", "coverage", "quality", "tune", "tune-variance"])
def test_ctrl_c_is_one_sentence_and_the_same_command_goes_on(
    work: str, works: dict[str, list[str]], tmp_path: Path, adjudge_process
) -> None:
    command = [*works[work], "-f", "json", "--workers", "2"]
    script = HELD_BETWEEN if work == "tune" else HELD
    files = set(tmp_path.iterdir())
    for everybody in (False, True):  # the process, or all of them, as a terminal does it
        said = interrupted(script, command, tmp_path, everybody)
        assert said == (
            "adjudge: interrupted; what was finished is in checkpoint, "
            "and the same command goes on from there\n"
        )
        assert {*tmp_path.iterdir()} - files == {tmp_path / "checkpoint"}
    gone_on = adjudge_process(*command, "--checkpoint", "checkpoint", folder=tmp_path)
    assert gone_on == adjudge_process(*command, folder=tmp_path)
    assert gone_on.code == 0
    assert not (tmp_path / "checkpoint").exists()


@pytest.mark.parametrize("work", ["rank", "coverage", "quality", "tune"])
def test_work_on_a_cluster_goes_on(
    work: str, works: dict[str, list[str]], tmp_path: Path, adjudge_process, cluster: str
) -> None:
    command = [*works[work], "-f", "json"]
    said = interrupted(HELD, [*command, "--engine", cluster], tmp_path, everybody=True)
    assert said.startswith("adjudge: interrupted; what was finished is in checkpoint")
    assert len(said.splitlines()) == 1
    again = [*command, "--engine", cluster, "--checkpoint", "checkpoint"]
    assert adjudge_process(*again, folder=tmp_path) == adjudge_process(*command, folder=tmp_path)
    assert not (tmp_path / "checkpoint").exists()
