"""Shared by the tests of reports."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def compiles() -> Callable[[Path], None]:
    """`compiles(file)`: pdflatex makes a PDF of it."""
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex; install it: apt-get install texlive-latex-recommended")

    def compiles(file: Path) -> None:
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", file.name]
        done = subprocess.run(command, cwd=file.parent, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
        assert file.with_suffix(".pdf").read_bytes().startswith(b"%PDF")

    return compiles
