"""A command line, run in this process: starting Python anew for each takes seconds."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from adjudge.cli import main


@dataclass
class Answer:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, capsysbinary) -> Callable[..., Answer]:
    """Run `adjudge` with these arguments."""

    def run(*arguments: str) -> Answer:
        monkeypatch.setattr(sys, "argv", ["adjudge", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsysbinary.readouterr()
        return Answer(ended.value.code or 0, captured.out.decode(), captured.err.decode())

    return run
