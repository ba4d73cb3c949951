"""The numbers, keys and signatures that commands print do not move.

What is run is in sessions/NAME.txt, what came of it in expected/NAME.json.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import sessions

pytestmark = pytest.mark.slow

OWN_PROCESS = {"campaigns"}  # a database belongs to a process
OURS = [name for name in sessions.SESSIONS if not name.startswith("shared-")]


@pytest.fixture
def run(adjudge, tmp_path: Path) -> sessions.Run:
    """Runs a command in the folder of a test."""
    return lambda words: adjudge(*words, folder=tmp_path)


@pytest.mark.parametrize("name", [name for name in OURS if name not in OWN_PROCESS])
def test_examples(name: str, golden, run, tmp_path: Path) -> None:
    golden(name, sessions.record(name, run, tmp_path, None))


@pytest.mark.parametrize("name", sorted(sessions.SESSIONS.keys() - OURS))
def test_real_data(name: str, golden, run, tmp_path: Path, shared_data: Path) -> None:
    if lacking := [
        word for word in sessions.shared_files(name) if not (shared_data / word).exists()
    ]:
        pytest.skip(f"no {lacking[0]} among the real data")
    golden(name, sessions.record(name, run, tmp_path, shared_data))


@pytest.mark.parametrize("name", sorted(OWN_PROCESS))
def test_campaigns(name: str, golden, tmp_path: Path) -> None:
    pytest.importorskip("django", reason="no Django; install it: pip install adjudge[campaigns]")
    others = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
    done = subprocess.run(
        [sys.executable, sessions.__file__, name, tmp_path],
        capture_output=True,
        text=True,
        env={key: value for key, value in os.environ.items() if key not in others},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    golden(name, json.loads(done.stdout))
