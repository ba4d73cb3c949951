"""The exact feedback arc set of 25 and 60 systems as noisy as WMT10 French–English.

Lopez 2012 Table 3: 8,294 comparisons of 25 systems, of which the best order violates 61. We draw
campaigns with about that many comparisons a pair, of systems whose qualities spread so that the
optimum is about as large. The peer is the paper's own search, Dijkstra's over sets of ranked
systems (Algorithm 1), in plain Python like the original. Times are of one processor.
"""

import heapq
from time import process_time

import numpy as np

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.feedback_arc_set.optimum import minimum_feedback_arc_set
from adjudge.ranking.tournament import majority_weights

PER_PAIR = 8294 / (25 * 24 / 2)
SPREAD = 0.75
SECONDS = 60.0  # for the peer


def campaign(n: int, seed: int) -> WinCounts:
    """Win counts of systems whose qualities spread normally; a quarter of comparisons are ties."""
    random = np.random.default_rng(seed)
    quality = random.normal(0, SPREAD, n)
    compared = np.triu(random.poisson(PER_PAIR, (n, n)), 1)
    ties = random.binomial(compared, 0.25)
    better = random.binomial(compared - ties, 1 / (1 + np.exp(quality - quality[:, None])))
    wins = better + (compared - ties - better).T
    return WinCounts(tuple(f"system {i:02}" for i in range(n)), wins, ties + ties.T)


def lopez(weights: list[list[int]], seconds: float) -> int | None:
    """The least cost by Algorithm 1, or None when the time is over."""
    n = len(weights)
    until = process_time() + seconds
    everything = (1 << n) - 1
    agenda = [(0, 0)]
    costs = {0: 0}
    done = set()
    while agenda:
        cost, ranked = heapq.heappop(agenda)
        if ranked == everything:
            return cost
        if ranked in done:
            continue
        done.add(ranked)
        if process_time() > until:
            return None
        unranked = [v for v in range(n) if not ranked >> v & 1]
        for v in unranked:
            longer = cost + sum(weights[u][v] for u in unranked)
            key = ranked | 1 << v
            if longer < costs.get(key, 1 << 60):
                costs[key] = longer
                heapq.heappush(agenda, (longer, key))
    return None


def main() -> None:
    """Time both on the same campaigns."""
    minimum_feedback_arc_set(campaign(25, 0))  # compiles, or loads what was compiled
    for n, seeds in ((25, range(3)), (60, range(3))):
        for seed in seeds:
            counts = campaign(n, seed)
            start = process_time()
            ours = minimum_feedback_arc_set(counts)
            taken = process_time() - start
            judged = int(counts.comparisons.sum()) // 2
            print(
                f"{n} systems, {judged:,} comparisons, {ours.cost} violated"
                f"{' (proved)' if ours.optimal else f' (at least {ours.bound})'}: {taken:.3f} s",
                flush=True,
            )
            if n > 25 and seed:
                continue  # once is enough to see it give up
            start = process_time()
            peer = lopez(majority_weights(counts).tolist(), SECONDS)
            theirs = process_time() - start
            if peer is None:
                print(f"  Algorithm 1 in Python gave up after {theirs:.0f} s", flush=True)
            elif peer != ours.cost:
                raise SystemExit(f"Algorithm 1 says {peer}, we say {ours.cost}")
            else:
                print(f"  Algorithm 1 in Python {theirs:.2f} s, ratio {theirs / taken:.0f}")


if __name__ == "__main__":
    main()
