"""TrueSkill, 1,000 runs of a WMT15 language pair on one core, beside the `trueskill` package.

WMT15 ran a script around the package a thousand times. The peer's time is that of the package's
update alone, for as many updates as a run has; choosing what to compare is not counted. Times are
of one processor.
"""

import os
from pathlib import Path
from time import process_time

import trueskill as peer

from adjudge.core.parallel import Engine
from adjudge.data.comparisons import compare
from adjudge.data.selection import Selection, select
from adjudge.data.table_files import read
from adjudge.ranking.methods.trueskill import DEVIATION, DRAW_PROBABILITY, estimate
from adjudge.stats.resampling import Resampling

PAIR = "deu-eng"
RUNS = 1000
UPDATES = 5000


def main() -> None:
    """Time both, the package for one run."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    file = Path(os.environ.get("ADJUDGE_SHARED_DATA", beside)) / "wmt15" / "wmt15.xml.gz"
    if not file.exists():
        print(f"no {file}: set ADJUDGE_SHARED_DATA to the folder of shared data")
        return
    comparisons = compare(select(read(str(file)), Selection(pair=PAIR)))
    estimate(comparisons, Resampling("none", 1, 1), Engine())  # compiles, or loads
    start = process_time()
    estimate(comparisons, Resampling("none", RUNS, 1), Engine())
    taken = process_time() - start
    steps = len(comparisons) + 1
    theirs = steps * seconds_per_update(steps)
    print(f"{PAIR}: {len(comparisons):,} comparisons, {len(comparisons.systems)} systems")
    print(f"adjudge            {RUNS:,} runs {taken:6.1f} s, one run {1000 * taken / RUNS:8.1f} ms")
    print(f"trueskill package            updates of one run {1000 * theirs:8.1f} ms")
    print(f"ratio {RUNS * theirs / taken:.0f}")


def seconds_per_update(steps: int) -> float:
    """What the package needs for one update."""
    environment = peer.TrueSkill(
        mu=0.0,
        sigma=DEVIATION,
        beta=DEVIATION * steps / 40,
        tau=0.0,
        draw_probability=DRAW_PROBABILITY,
    )
    a, b = environment.create_rating(), environment.create_rating()
    start = process_time()
    for i in range(UPDATES):
        a, b = peer.rate_1vs1(a, b, drawn=i % 4 == 0, env=environment)
    return (process_time() - start) / UPDATES


if __name__ == "__main__":
    main()
