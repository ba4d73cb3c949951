"""Training that is killed half-way and gone on with is the training that nobody stopped."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import adjudge

pytestmark = pytest.mark.slow

# The command in a process that is killed where its seventh piece is done.
KILLED = """
import os, signal
from adjudge.cli import main
from adjudge.core.files import checkpoint

add, done = checkpoint._Pieces.add, []

def add_and_die(*piece):
    add(*piece)
    done.append(piece)
    if len(done) == 7:
        os.kill(os.getpid(), signal.SIGKILL)

checkpoint._Pieces.add = add_and_die
main()
"""
# The command in a process that says how many pieces it found done.
WATCHED = """
import sys
from adjudge.cli import main
from adjudge.core.files import checkpoint

take, taken = checkpoint._Pieces.__getitem__, set()

def take_and_count(pieces, key):
    taken.add(key)
    return take(pieces, key)

checkpoint._Pieces.__getitem__ = take_and_count
try:
    main()
finally:
    print("taken", len(taken), file=sys.stderr)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Translations with a number each, and their post-editions."""
    random = np.random.default_rng(1)
    vocabulary = [f"word{n}" for n in range(30)]
    path = tmp_path / "train.tsv"
    with path.open("w") as file:
        print("source", "target", "post_edit", "hter", sep="\t", file=file)
        for _ in range(60):
            words = random.choice(vocabulary, random.integers(3, 9)).tolist()
            edited = [word if random.random() < 0.7 else "other" for word in words]
            wrong = np.mean([a != b for a, b in zip(words, edited, strict=True)])
            print(" ".join(words), " ".join(words), " ".join(edited), wrong, sep="\t", file=file)
    return path


@pytest.mark.parametrize(
    "asked",
    [
        ("--predict", "hter", "--learner", "elastic-net", "--feature", "counts"),
        ("--predict", "hter", "--learner", "ensemble", "--feature", "counts"),
        ("--task", "words", "--learner", "logistic"),
    ],
    ids=" ".join,
)
def test_training_goes_on_after_it_was_killed(data: Path, tmp_path: Path, asked) -> None:
    whole, resumed = tmp_path / "whole.adjudge", tmp_path / "resumed.adjudge"
    checkpoint = tmp_path / "train.checkpoint"

    def train(script: str, model: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
        command = ["quality", "train", str(data), *asked, "-o", str(model), "-f", "json", *options]
        return subprocess.run([sys.executable, "-c", script, *command], capture_output=True)

    expected = train(WATCHED, whole)
    assert expected.returncode == 0, expected.stderr
    killed = train(KILLED, resumed, "--checkpoint", str(checkpoint))
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not resumed.exists()
    assert checkpoint.read_bytes().count(b'"key"') == 7
    gone_on = train(WATCHED, resumed, "--checkpoint", str(checkpoint))
    assert gone_on.stdout == expected.stdout
    assert gone_on.stderr.split()[-2:] == [b"taken", b"7"]
    said, again = (adjudge.predict_quality(str(model), str(data)) for model in (whole, resumed))
    assert said.equals(again)
    assert not checkpoint.exists()
