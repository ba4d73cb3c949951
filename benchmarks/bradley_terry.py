"""Models of paired comparisons: 1,000 bootstrap replicates against a peer's single fit.

The comparisons of `counting`: ten million of 20 systems. The peer is evalica's compiled
Bradley–Terry solver on ready indices, ties counting nothing as in ours, and no intervals.
"""

import numpy as np

from adjudge.core.parallel import Engine
from adjudge.data.win_counts import count
from adjudge.ranking.counting.cells import tally_wins
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS
from adjudge.ranking.resampling import replicated
from adjudge.stats.resampling import Resampling
from benchmarks.counting import REPLICATES, SYSTEMS, seconds, simulated

MODELS = ("bradley-terry", "davidson", "hopkins-may")


def main() -> None:
    """Measure and print."""
    from evalica import Winner, _brzo

    comparisons = simulated()
    by_outcome = {-1: Winner.Y, 0: Winner.Draw, 1: Winner.X}
    peer = {
        "xs": comparisons.left.tolist(),
        "ys": comparisons.right.tolist(),
        "winners": [by_outcome[outcome] for outcome in comparisons.outcome.tolist()],
        "weights": [1.0] * len(comparisons),
        "total": SYSTEMS,
        "win_weight": 1.0,
        "tie_weight": 0.0,
        "tolerance": 1e-6,
        "limit": 100,
    }
    print(f"{len(comparisons):,} comparisons of {SYSTEMS} systems, ties ignored by both")
    theirs = seconds(lambda: _brzo.bradley_terry(**peer))
    print(f"  evalica: one Bradley–Terry fit               {theirs:.3f} s")
    drawn = Resampling("comparison", REPLICATES, 1)
    replicates = list(replicated(comparisons, tally_wins(comparisons), drawn))
    for name in MODELS:
        method = METHODS.named(name)
        took = seconds(lambda method=method: estimate(comparisons, method, drawn, Engine()))
        fits = seconds(lambda method=method: [method.scores(some) for some in replicates])
        print(
            f"  adjudge: {name:14} {REPLICATES:,} replicates {took:.3f} s, {theirs / took:.0f}× "
            f"(of which fits {fits:.3f} s)"
        )
    peers = np.log(np.array(_brzo.bradley_terry(**peer)[0]))
    ours = METHODS.named("bradley-terry").scores(count(comparisons))
    print(f"  largest difference of log-strengths {np.abs(ours - peers + peers.mean()).max():.1e}")


if __name__ == "__main__":
    main()
