"""The unit tests of the pages' scripts, which Node runs: `node --test tests/js/*.test.js`."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
OLDEST = (20, 11)  # whose test runner has a clock of its own


def test_the_scripts() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node; install nodejs to test the scripts")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    numbers = tuple(int(part) for part in re.findall(r"\d+", version.stdout)[:2])
    if numbers < OLDEST:
        pytest.skip(f"Node {version.stdout.strip()} is too old; the tests need 20.11")
    files = sorted(str(file) for file in FOLDER.glob("*.test.js"))
    command = [node, "--test", "--test-reporter=tap", *files]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    passed = re.search(r"^# pass (\d+)$", run.stdout, re.MULTILINE)
    written = sum(len(re.findall(r"^\s*test\(", Path(file).read_text(), re.M)) for file in files)
    assert passed is not None
    assert int(passed[1]) >= written > 0
