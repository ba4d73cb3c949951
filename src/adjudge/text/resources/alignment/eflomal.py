"""Word alignment by eflomal (Östling and Tiedemann 2016), if it is installed.

Its sampling cannot be seeded: two runs give slightly different links.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError, MissingExtra
from adjudge.text.resources.alignment.model import Links, symmetrised

PROGRAM = "eflomal-align"


def align_with_eflomal(
    source: Sequence[Sequence[str]], target: Sequence[Sequence[str]]
) -> list[Links]:
    """Align every sentence pair, symmetrised in the same way as our own model."""
    if shutil.which(PROGRAM) is None:
        raise MissingExtra(
            f'`aligner="eflomal"` needs the program {PROGRAM}, which is not installed: '
            "pip install eflomal"
        )
    source_start, target_start = _starts(source), _starts(target)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for side, sentences in (("s", source), ("t", target)):
            (folder / side).write_text("".join(_line(words) for words in sentences), "utf-8")
        files = [f"-{option}{folder / option}" for option in ("s", "t", "f", "r")]
        ran = subprocess.run([PROGRAM, *files], capture_output=True, text=True, check=False)
        if ran.returncode:
            said = ran.stderr.strip().split("\n")[-1]
            raise AdjudgeError(f"{PROGRAM} failed and said: {said!r}; align without it")
        forward = _places(folder / "f", target_start, 1)
        backward = _places(folder / "r", source_start, 0)
    return symmetrised(source_start, target_start, forward, backward)


def _starts(sentences: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    return np.append(0, np.cumsum([len(words) for words in sentences], dtype=np.int64))


def _line(words: Sequence[str]) -> str:
    """Join words, replacing white space inside words, at which eflomal would split."""
    return " ".join("_".join(word.lower().split()) or "_" for word in words) + "\n"


def _places(path: Path, start: NDArray[np.int64], side: int) -> NDArray[np.int32]:
    """Read the linked position on the other side for every word, −1 without a link."""
    places = np.full(start[-1], -1, np.int32)
    for line, text in enumerate(path.read_text("utf-8").split("\n")[: len(start) - 1]):
        for link in text.split():
            ends = [int(end) for end in link.split("-")]
            places[start[line] + ends[side]] = ends[1 - side]
    return places
