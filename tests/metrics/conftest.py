"""Texts and gold values of the metrics' own tools."""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from adjudge.core.files.input_file import InputFile
from adjudge.text.reading import read_lines


class Gold:
    """The folder of gold values and the texts they were made on."""

    def __init__(self, data: Path) -> None:
        self.data, self.folder = data, data / "metrics-gold"

    def texts(self, name: str) -> tuple[str, ...]:
        """The lines of a file."""
        path = self.data / name
        if not path.exists():
            pytest.skip(f"{name} is not among the real data")
        return read_lines(InputFile(path))

    def reference(self, dataset: str) -> tuple[str, ...]:
        """The one reference of a test set."""
        files = {
            "segranks": "segranks/reference.txt.gz",
            "ende": "wmt23/references/en-de.refA.txt",
            "multeval": "metrics-gold/multeval/reference.txt.gz",
        }
        return self.texts(files[dataset])

    def system(self, dataset: str, system: str) -> tuple[str, ...]:
        """The lines of a system."""
        files = {
            "segranks": f"segranks/systems/{system}.txt.gz",
            "ende": f"wmt23/system-outputs/en-de/{system}.txt",
            "multeval": f"metrics-gold/multeval/hyp.{system}.txt.gz",
            "set1": f"metrics-gold/multeval-set1/hyp.{system}.txt.gz",
        }
        return self.texts(files[dataset])

    def rows(self, name: str) -> list[dict[str, str]]:
        """A table of gold values."""
        path = self.folder / name
        if not path.exists():
            pytest.skip(f"metrics-gold/{name} is not among the real data")
        opened = gzip.open if name.endswith(".gz") else open
        with opened(path, "rt", encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))

    def columns(self, name: str) -> dict[str, np.ndarray]:
        """A table of numbers, by column."""
        rows = self.rows(name)
        return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


@pytest.fixture(scope="session")
def gold(shared_data: Path) -> Gold:
    return Gold(shared_data)
