"""Votes from Parquet to the table of `adjudge rank`: time and memory from 10⁴ to 10⁷ votes.

`python -m benchmarks.growth 100000000` goes on to 10⁸, which takes some minutes and 2 GB of disk,
most of it to make the votes; `--figure FILE.svg` draws what was measured, `--cluster` measures
10⁷ votes in 20 files, here and on a local Dask cluster of two workers, and `--methods` measures
`adjudge methods` on 10⁶.

The votes are of an arena: 40 models, 20,000 judges, every vote on a question of its own. Every step
runs in a process of its own, twice, and the lesser time counts. Beside it stands Polars' own scan,
which hashes the same columns and adds the hashes up. Seconds are of the processor, those of all
threads and child processes, on whatever machine; memory is the most that a process ever held.
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

LEAST, MOST = 10**4, 10**7
PART = 5 * 10**6  # votes made at a time
MODELS, JUDGES = 40, 20_000
RANK = [sys.executable, "-m", "adjudge", "rank", "--quiet"]
METHODS = [sys.executable, "-m", "adjudge", "methods", "--quiet"]
COMPARED = 10**6  # votes that all methods rank
SCAN = """
import sys, polars as pl
print(pl.scan_parquet(sys.argv[1]).select(pl.all().hash().sum()).collect(engine="streaming"))
"""


@dataclass(frozen=True)
class Cost:
    """What a process took."""

    seconds: float  # of the processor
    megabytes: float


@dataclass(frozen=True)
class Step:
    """So many votes: ours beside the scan."""

    votes: int
    ours: Cost
    scan: Cost


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("most", nargs="?", type=int, default=MOST)
    parser.add_argument("--figure")
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--methods", action="store_true")
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if asked.cluster:
            on_a_cluster(folder)
            return
        if asked.methods:
            write_votes(COMPARED, folder / "votes.parquet")
            taken = cost([*METHODS, str(folder / "votes.parquet")])
            print(f"{COMPARED:,} votes: {taken.seconds:.1f} s, {taken.megabytes:,.0f} MB")
            return
        steps = []
        print("     votes   adjudge rank          Polars' scan          ratio")
        while LEAST * 10 ** len(steps) <= asked.most:
            steps.append(measured(LEAST * 10 ** len(steps), folder))
            print(_line(steps[-1]), flush=True)
    slope = (steps[-1].ours.seconds - steps[-2].ours.seconds) / (steps[-1].votes - steps[-2].votes)
    print(f"{1e9 * slope:.0f} ns of the processor for a further vote")
    if asked.figure:
        draw(steps, asked.figure)


def measured(votes: int, folder: Path) -> Step:
    """One step."""
    path = folder / "votes.parquet"
    # Elsewhere: to a process is counted what the one that started it held then.
    maker = multiprocessing.get_context("spawn").Process(target=write_votes, args=(votes, path))
    maker.start()
    maker.join()
    scan = least([sys.executable, "-c", SCAN, str(path)])
    ours = least([*RANK, str(path)])
    path.unlink()
    return Step(votes, ours, scan)


def write_votes(votes: int, path: Path) -> None:
    """Votes by judges who see qualities through noise, a part at a time."""
    random = np.random.default_rng(1)
    parts = []
    for first in range(0, votes, PART):
        parts.append(path.with_suffix(f".{first}.part"))
        some_votes(first, min(PART, votes - first), random).write_parquet(parts[-1])
    pl.scan_parquet(parts).sink_parquet(path)
    for part in parts:
        part.unlink()


def some_votes(first: int, number: int, random: np.random.Generator) -> pl.DataFrame:
    """Votes numbered from `first`."""
    a = random.integers(0, MODELS, number)
    b = (a + random.integers(1, MODELS, number)) % MODELS
    seen = 0.03 * (b - a) + random.standard_normal(number)
    near = np.abs(seen)
    winner = np.where(near < 0.2, 2, np.where(near < 0.3, 3, (seen < 0).astype(np.int64)))
    models = pl.Series([f"model-{i:02}-instruct" for i in range(MODELS)])
    words = pl.Series(["model_a", "model_b", "tie", "tie (bothbad)"])
    return pl.DataFrame(
        {
            "question_id": pl.Series(np.arange(first, first + number)).cast(pl.String),
            "model_a": models.gather(a),
            "model_b": models.gather(b),
            "winner": words.gather(winner),
            "judge": "user_" + pl.Series(random.integers(0, JUDGES, number)).cast(pl.String),
        }
    )


def cost(command: list[str]) -> Cost:
    """What a command takes, its own children included."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def least(command: list[str]) -> Cost:
    """The same of two runs: what else the machine does can only make it more."""
    runs = [cost(command) for _ in range(2)]
    return Cost(min(run.seconds for run in runs), max(run.megabytes for run in runs))


def _line(step: Step) -> str:
    ours, scan = (f"{c.seconds:7.2f} s {c.megabytes:7,.0f} MB" for c in (step.ours, step.scan))
    return f"{step.votes:11,} {ours}   {scan}   {step.ours.seconds / step.scan.seconds:5.1f} ×"


def draw(steps: Sequence[Step], path: str) -> None:
    """Time and memory over the number of votes."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "growth", "svg.fonttype": "none"})
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(7, 2.6), layout="constrained")
    votes = [step.votes for step in steps]
    for name, label, mark in (("ours", "adjudge rank", "o-"), ("scan", "Polars' scan", "s--")):
        costs: list[Any] = [getattr(step, name) for step in steps]
        axes[0].plot(votes, [c.seconds for c in costs], mark, label=label, markersize=4)
        axes[1].plot(votes, [c.megabytes for c in costs], mark, label=label, markersize=4)
    for axis, title in zip(axes, ("processor seconds", "peak memory, MB"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="votes", title=title)
        axis.grid(visible=True, alpha=0.3)
    axes[0].legend()
    figure.savefig(path, metadata={"Date": None})
    print(f"drawn to {path}")


def on_a_cluster(folder: Path, votes: int = 10**7, files: int = 20) -> None:
    """The same votes in files: one process, and two workers of a cluster, which read them."""
    from distributed import LocalCluster

    import adjudge

    random = np.random.default_rng(1)
    for part in range(files):
        number = votes // files
        frame = some_votes(part * number, number, random)
        frame.write_parquet(folder / f"part-{part:02}.parquet")
    rankings = {}
    judgements = adjudge.read(str(folder))
    start = time.perf_counter()
    rankings["one process"] = judgements.rank().to_frame()
    print(f"{votes:,} votes in {files} files: one process {time.perf_counter() - start:.1f} s")
    workers: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with LocalCluster(**workers, dashboard_address=":0") as cluster:
        address = cluster.scheduler_address.replace("tcp://", "dask://")
        start = time.perf_counter()
        rankings["cluster"] = judgements.rank(engine=address).to_frame()
        print(f"two workers of a cluster {time.perf_counter() - start:.1f} s (of the clock)")
    same = rankings["one process"].equals(rankings["cluster"])
    print("the numbers are the same" if same else "THE NUMBERS DIFFER")


if __name__ == "__main__":
    main(sys.argv[1:])
