"""Counts of votes that do not fit are refused before they are made, with the number."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from adjudge.core.errors import AdjudgeError
from adjudge.data.selection import Selection
from adjudge.data.votes import files
from adjudge.data.votes.files import cells_from_files
from adjudge.data.votes.tallies import memory

LIMITED = """
import resource, sys
from pathlib import Path
from adjudge.data.votes import tallies
from adjudge.data.votes.files import cells_from_files
from adjudge.core.errors import AdjudgeError
from adjudge.data.selection import Selection

tallies.SMALL = 1 << 28  # a table pays for these votes
some, many, unit = sys.argv[1:]
assert cells_from_files([some], Selection(), unit)  # all that is needed to start is there now
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + 700_000_000
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    cells_from_files([many], Selection(), unit)
except AdjudgeError as error:
    print(error)
"""


def votes(number: int, systems: int, judges: int, folder: Path) -> str:
    random = np.random.default_rng(1)
    left = random.integers(0, systems, number)
    right = (left + random.integers(1, systems, number)) % systems
    name = pl.Series([f"m{i}" for i in range(systems)])
    word = pl.Series(["model_a", "model_b", "tie"])
    path = folder / f"{number}.parquet"
    pl.DataFrame(
        {
            "question_id": pl.Series(np.arange(number)).cast(pl.String),
            "model_a": name.gather(left),
            "model_b": name.gather(right),
            "winner": word.gather(random.integers(0, 3, number)),
            "judge": pl.Series(random.integers(0, judges, number)).cast(pl.String),
        }
    ).write_parquet(path)
    return str(path)


WHOLE = 20_000 * 18  # bytes: cells, kinds of votes on four systems


@pytest.mark.parametrize(
    ("unit", "cells", "needed"),
    [
        ("auto", "judge+segment", WHOLE),
        ("ranking", "judge+segment", WHOLE),
        ("judge+segment", "judge+segment", WHOLE),
        ("segment", "segment and of judge+segment", 2 * WHOLE),
        ("judge", "judge and of judge+segment", WHOLE + 8 * 18),  # there are eight judges
    ],
)
def test_every_unit_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unit: str, cells: str, needed: int
) -> None:
    path = votes(400, 4, 8, tmp_path)
    monkeypatch.setattr(files, "MOST_LISTED", 100)
    monkeypatch.setattr(
        "adjudge.core.files.memory.available_memory", lambda: int(2 * needed / 0.91)
    )
    said = rf"400 votes on 4 systems in cells of {cells} (`unit='{unit}'`) need about"
    with pytest.raises(AdjudgeError, match=re.escape(said)):
        cells_from_files([path], Selection(), unit)
    monkeypatch.setattr(
        "adjudge.core.files.memory.available_memory", lambda: int(2 * needed / 0.89)
    )
    assert cells_from_files([path], Selection(), unit)


def test_tables_are_made_where_they_pay() -> None:
    assert memory(20_000, 2340, 10**8) == 20_000 * 2340
    assert memory(20_000, 2340, 10**9) == 20_000 * 2340 * 2
    assert memory(20_000, 2340, 10**12) == 20_000 * 2340 * 4
    assert memory(20_000, 134_550, 2 * 10**6) == 24 * 2 * 10**6  # 300 systems
    assert memory(20_000, 134_550, 10**9) == 20_000 * 134_550


@pytest.mark.slow
def test_a_process_that_may_have_little(tmp_path: Path) -> None:
    some, many = votes(1000, 80, 10, tmp_path), votes(1_100_000, 80, 30_000, tmp_path)
    asked = [sys.executable, "-c", LIMITED, some, many, "judge"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    assert done.stdout.startswith(
        f"{many}: the counts of 1,100,000 votes on 80 systems in cells of judge and of "
        "judge+segment (`unit='judge'`) need about 0.8 GB of memory, and 0."
    )
    assert done.stdout.endswith("choose some of them (`pair`, `judge`), or free memory\n")
