"""Pools of the shared n-best lists, each made once."""

import gzip
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.files.input_file import InputFile
from adjudge.tuning.candidate_statistics import count
from adjudge.tuning.objective import tunable
from adjudge.tuning.pool import Pool, pooled
from adjudge.tuning.read_nbest import read_candidates, read_references

BLEU = "bleu(tokenize=none,smooth=none)"  # as Moses counts it: words as they are
MOSES = {
    "BLEU": BLEU,
    "WER": "wer(tokenize=none)",
    "CDER": "cder(tokenize=none)",
    "PER": "per(tokenize=none)",
    "TER": "moses-ter",
}


class Lists:
    """The shared lists by name."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.read = cache(self._read)
        self.pool = cache(self._pool)

    def files(self, name: str) -> tuple[list[Path], list[Path]]:
        """The lists and the references of a pool."""
        tuning = self.data / "tuning"
        if name.startswith("runs"):
            runs = range(1, int(name[4:]) + 1)
            nbest = self.data / "nbest"
            return [nbest / f"run{run}.nbest.gz" for run in runs], [nbest / "reference.txt"]
        if name == "phrase-decoder":
            lists = [tuning / name / f"run{run}.nbest.gz" for run in (1, 2)]
            return lists, [tuning / name / "reference.txt"]
        folder = tuning / name
        return [folder / "nbest.txt.gz"], sorted(folder.glob("reference*.txt"))

    def _read(self, path: Path):
        return read_candidates(InputFile(path))

    def _pool(self, name: str, *metrics: str) -> Pool:
        files, references = self.files(name)
        lists = [self.read(path) for path in files]
        lines = read_references([str(path) for path in references])
        statistics, objective = count(lists, [tunable(metric) for metric in metrics], lines)
        return pooled(lists, statistics, objective)

    def start(self, name: str) -> np.ndarray:
        """The weights that Moses began with: the first line of its file."""
        folder = self.data / ("nbest" if name.startswith("runs") else f"tuning/{name}")
        first = (folder / "init-weights.txt").read_text().splitlines()[0]
        return np.array(first.split(), float)

    def text(self, name: str) -> str:
        """A compressed file."""
        return gzip.decompress((self.data / name).read_bytes()).decode()


@pytest.fixture(scope="session")
def lists(shared_data) -> Lists:
    return Lists(shared_data)
