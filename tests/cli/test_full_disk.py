"""A place without room, or a reader that leaves: one sentence, or none, and no traceback."""

import subprocess
from pathlib import Path

import pytest

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "arguments", [["--help"], ["info"], ["convert", "-o", "-", "--to", "jsonl"]], ids=lambda a: a[0]
)
def test_standard_output_is_full(
    adjudge_command: list[str], tmp_path: Path, arguments: list[str]
) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,winner\nA,B,model_a\n")
    file = [] if arguments == ["--help"] else [str(votes)]
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*adjudge_command, *arguments, *file], stdout=full, stderr=subprocess.PIPE, timeout=300
        )
    assert done.returncode == 2
    assert done.stderr.decode() == (
        "adjudge: standard output: cannot be written (No space left on device); make room\n"
    )


def test_the_reader_of_converted_judgements_leaves(
    adjudge_command: list[str], tmp_path: Path
) -> None:
    votes = tmp_path / "votes.csv"
    votes.write_text("model_a,model_b,winner\n" + "A,B,model_a\n" * 5000)
    command = [*adjudge_command, "convert", str(votes), "-o", "-", "--to", "jsonl"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(300) in (1, 141)
