"""Too little memory is one sentence, whatever the libraries below us do when they get none."""

import resource
import subprocess
from pathlib import Path

import pytest

from adjudge.cli.memory_guard import STARTING

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def limited(command: list[str], most: int, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A command that may have so many bytes."""
    return subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )


@pytest.mark.parametrize("more", [-600, 40, 120, 300])
@pytest.mark.parametrize(
    "arguments",
    [["rank", EXAMPLES / "judgements.xml.gz"], ["report", EXAMPLES / "judgements.xml.gz"]],
    ids=lambda a: a[0],
)
def test_one_sentence_or_the_result(
    adjudge_command: list[str], tmp_path: Path, more: int, arguments: list[object]
) -> None:
    page = tmp_path / "page.html"
    done = limited(adjudge_command, STARTING + more * 10**6, *arguments, "-o", page)
    if done.returncode == 0 and more > 0:
        assert done.stderr == ""
        assert page.stat().st_size
        return
    assert done.returncode == 2
    assert done.stderr.startswith("adjudge: not enough memory")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_other_errors_are_said_as_ever(adjudge_command: list[str], tmp_path: Path) -> None:
    done = limited(adjudge_command, 8 * 10**9, "rank", tmp_path / "none.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert "none.csv" in done.stderr


def test_results_are_the_same(adjudge_command: list[str]) -> None:
    command = ["rank", EXAMPLES / "judgements.csv"]
    free = subprocess.run([*adjudge_command, *map(str, command)], capture_output=True, text=True)
    done = limited(adjudge_command, 8 * 10**9, *command)
    assert (done.returncode, done.stdout, done.stderr) == (0, free.stdout, "")
