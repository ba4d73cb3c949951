"""Odd requests break no server; benchmarks/http_fuzz.py sends a hundred thousand."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_two_thousand_odd_requests_break_nothing(engine):
    command = f"-m benchmarks.http_fuzz --database {engine} --requests 2000"
    run = subprocess.run(
        [sys.executable, *command.split()], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "2,000 requests to " in run.stdout
    assert "broken: 0\n" in run.stdout
    assert "dropped: 0\n" in run.stdout
