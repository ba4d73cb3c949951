"""Commands on votes that are counted as they are read: time and memory.

`python -m benchmarks.streaming` takes 10⁷ votes, with a number as many as that. They are those of
`benchmarks.growth`, each on a question of its own; with `--questions N` they are on so many
questions, so that there is agreement to be measured. Seconds are of the processor, those of all
threads and child processes; memory is the most that the process ever held.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from benchmarks.growth import cost, write_votes

COMMANDS = ("info", "rank", "compare", "agreement", "plan", "diagnose", "methods", "report")


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("votes", nargs="?", type=int, default=10**7)
    parser.add_argument("--questions", type=int)
    parser.add_argument("--only", nargs="+", default=COMMANDS, choices=COMMANDS)
    parser.add_argument("--file", type=Path, help="votes made before, or where to keep them")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        path = asked.file or Path(name, "votes.parquet")
        if not path.exists():
            write_votes(asked.votes, path)
        if asked.questions:
            path = on_questions(path, asked.questions, Path(name, "on-questions.parquet"))
        for command in asked.only:
            print(f"{command:10} {measured(command, path, Path(name))}", flush=True)


def on_questions(path: Path, questions: int, to: Path) -> Path:
    """The same votes, on so many questions."""
    question = (pl.col("question_id").cast(pl.Int64) % questions).cast(pl.String)
    pl.scan_parquet(path).with_columns(question_id=question).sink_parquet(to)
    return to


def measured(command: str, path: Path, folder: Path) -> str:
    """What a command takes."""
    output = ["--output", str(folder / "report.html")] if command == "report" else []
    taken = cost([sys.executable, "-m", "adjudge", command, "--quiet", *output, str(path)])
    return f"{taken.seconds:7.1f} s {taken.megabytes:7,.0f} MB"


if __name__ == "__main__":
    main(sys.argv[1:])
