"""A short load with the server killed once; the full one is in benchmarks/load.py."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_killing_the_server_loses_and_doubles_nothing():
    command = "-m benchmarks.load --database sqlite --judges 20 --seconds 10 --kills 1 --think 0.2"
    run = subprocess.run(
        [sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    said = run.stdout + run.stderr
    assert run.returncode == 0, said
    for name in ("acknowledged but lost", "stored but not sent", "answered twice"):
        assert f"{name}: 0" in run.stdout
