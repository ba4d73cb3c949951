"""Scores from Parquet to the tables of `adjudge scores`: time and memory from 10⁶ to 10⁷ scores.

`python -m benchmarks.scores_growth 100000000` goes on to 10⁸, which takes some minutes and 6 GB of
disk; `--unit judge` (or any other) is what intervals hold for.

The scores are direct assessments: 20 systems, 20,000 judges, a segment for every 25 scores, ten
segments a document, so that most outputs have one or two scores. Beside `adjudge scores` stands
Polars' own scan of the same columns (`growth`).
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.growth import SCAN, cost

LEAST, MOST = 10**6, 10**7
PART = 5 * 10**6  # scores made at a time
SYSTEMS, JUDGES, A_SEGMENT = 20, 20_000, 25
# In a process of its own: one that is started begins with the memory of the one that starts it.
WRITE = [sys.executable, "-m", "benchmarks.scores_growth"]
SCORES = [sys.executable, "-m", "adjudge", "scores", "--quiet"]


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("most", nargs="?", type=int, default=MOST)
    parser.add_argument("--unit", default="auto")
    parser.add_argument("--write", metavar="FILE", help="only write so many scores")
    asked = parser.parse_args(arguments)
    if asked.write:
        write_scores(asked.most, Path(asked.write))
        return
    print("     scores   adjudge scores        Polars' scan")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scores.parquet")
        number = LEAST
        while number <= asked.most:
            subprocess.run([*WRITE, str(number), "--write", str(path)], check=True)
            scan = cost([sys.executable, "-c", SCAN, str(path)])
            ours = cost([*SCORES, str(path), "--unit", asked.unit])
            told = (f"{c.seconds:7.2f} s {c.megabytes:7,.0f} MB" for c in (ours, scan))
            print(f"{number:11,} {'   '.join(told)}", flush=True)
            number *= 10


def write_scores(number: int, path: Path) -> None:
    """Scores by judges who are strict or lenient, a part at a time."""
    random = np.random.default_rng(1)
    strict = random.normal(0, 8, JUDGES)
    parts = []
    for first in range(0, number, PART):
        parts.append(path.with_suffix(f".{first}.part"))
        some = some_scores(first, min(PART, number - first), number // A_SEGMENT, strict, random)
        some.write_parquet(parts[-1])
    pl.scan_parquet(parts).sink_parquet(path)
    for part in parts:
        part.unlink()


def some_scores(
    first: int, number: int, segments: int, strict: np.ndarray, random: np.random.Generator
) -> pl.DataFrame:
    """Scores of items numbered from `first` + 1."""
    system = random.integers(0, SYSTEMS, number)
    segment = random.integers(0, segments, number)
    judge = random.integers(0, JUDGES, number)
    hard = 10 * np.sin(0.7 * segment)
    seen = np.linspace(70, 50, SYSTEMS)[system] + strict[judge] + hard
    score = np.clip(np.rint(seen + random.normal(0, 20, number)), 0, 100)
    systems = pl.Series([[f"system{n:02}"] for n in range(SYSTEMS)])
    return pl.DataFrame(
        {
            "pair": pl.repeat("en-de", number, eager=True),
            "document": "d" + pl.Series(segment // 10).cast(pl.String),
            "segment": pl.Series(segment).cast(pl.String),
            "item": np.arange(first + 1, first + number + 1),
            "judge": "judge" + pl.Series(judge).cast(pl.String),
            "systems": systems.gather(system),
            "scale": pl.repeat("direct-assessment", number, eager=True),
            "score": score,
        }
    )


if __name__ == "__main__":
    main(sys.argv[1:])
