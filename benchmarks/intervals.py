"""What the default intervals cost: beside drawing rankings, on WMT15, and in simulations.

Ten million comparisons of 12 systems by 100 judges of 200 documents are ranked with `unit="auto"`
and, as was the default before, with 1,000 replicates of rankings. Then the command `adjudge rank`
on all ten language pairs of WMT15 (29,017 rankings), reading and printing included. Then one
simulated campaign of `adjudge coverage`. Times are processor time, which other work on the machine
changes less than it does the clock. There is no peer.
"""

import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

import numpy as np

from adjudge.data.comparisons import Comparisons
from adjudge.ranking.ranking_result import rank
from adjudge.simulation.coverage import Cell, coverage
from adjudge.simulation.generators import Designed
from adjudge.simulation.situations import Situation
from adjudge.stats.resampling import Resampling

RANKINGS = 1_000_000
CAMPAIGNS = 50
LARGE = Situation(judges=100, documents=200, systems=12)
COMMAND = [sys.executable, "-m", "adjudge", "rank"]


def main() -> None:
    """Measure and print."""
    comparisons = large_campaign()
    rank(simulated(LARGE, 1))  # compiles, or loads
    print(f"{len(comparisons):,} comparisons of {len(comparisons.systems)} systems")
    drawn = seconds(comparisons, Resampling("ranking"))
    print(f"  rankings drawn, 1,000 replicates {drawn:7.2f} s")
    for unit in ("auto", "judge+document"):
        taken = seconds(comparisons, Resampling(unit))
        print(f"  unit {unit:27} {taken:7.2f} s  {taken / drawn:.2f}×")
    wmt15()
    for systems in (3, 6, 12, 25):
        situation = Situation(systems=systems)
        list(coverage([Cell("warm", situation, 2)]))
        start = process_time()
        list(coverage([Cell("timed", situation, CAMPAIGNS)]))
        taken = (process_time() - start) / CAMPAIGNS
        print(f"one campaign of `adjudge coverage`, {systems:2} systems {1000 * taken:6.1f} ms")


def large_campaign() -> Comparisons:
    """As many comparisons as a very large campaign has."""
    return simulated(LARGE, RANKINGS)


def simulated(situation: Situation, rankings: int) -> Comparisons:
    """One campaign."""
    design = replace(situation, rankings=max(rankings, 1000)).design()
    return Designed(design).draw(np.random.default_rng(1))


def seconds(comparisons: Comparisons, resampling: Resampling) -> float:
    """The time of one ranking with its uncertainty."""
    start = process_time()
    rank(comparisons, resampling=resampling)
    return process_time() - start


def wmt15() -> None:
    """The whole command on all language pairs."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    file = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside)) / "wmt15" / "wmt15.xml.gz"
    if not file.exists():
        print(f"no {file}: set ADJUDGE_SHARED_DATA to the folder of shared data")
        return
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*COMMAND, str(file)], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"`adjudge rank` on WMT15, ten language pairs {taken:.1f} s")


if __name__ == "__main__":
    main()
