"""Simulating a campaign: arrays against the obvious loop over rankings.

The loop draws the same blocks of outputs with the same judge model and stops at ranks: it
builds no table, repeats nothing, and knows no truth.
"""

import random
import time
from math import floor

from adjudge.data.comparisons import compare
from adjudge.simulation.campaign import simulate
from adjudge.simulation.design import Design, Judges, Tasks

RANKINGS = 100_000
DESIGN = Design(tasks=Tasks(rankings=RANKINGS))


def obvious(design: Design, seed: int) -> list[tuple[int, int, list[int], list[int]]]:
    """Segment, judge, systems and ranks of every ranking, one at a time."""
    rng = random.Random(seed)
    segments = design.documents * design.document_length
    gauss = rng.gauss
    qualities = [gauss(0, design.quality_spread) for _ in range(design.systems)]
    outputs = [
        [rng.lognormvariate(0, design.difficulty_spread) * (q + gauss(0, 0.6)) for q in qualities]
        for _ in range(segments)
    ]
    judges = [
        (rng.lognormvariate(-1.4, 0.5), rng.lognormvariate(-0.9, 0.5))
        for _ in range(design.judges.count)
    ]
    rankings = []
    for _ in range(design.tasks.rankings):
        segment, judge = rng.randrange(segments), rng.randrange(len(judges))
        noise, threshold = judges[judge]
        systems = rng.sample(range(design.systems), design.tasks.block)
        origin = rng.random()
        grades = [
            floor((outputs[segment][s] + gauss(0, 0.35) + gauss(0, noise)) / threshold + origin)
            for s in systems
        ]
        order = sorted(set(grades), reverse=True)
        rankings.append((segment, judge, systems, [order.index(g) + 1 for g in grades]))
    return rankings


def main() -> None:
    """Measure both, and a small campaign as simulation studies need by the thousand."""
    simulate(Design(), 0)
    begin = time.perf_counter()
    campaign = simulate(DESIGN, 1)
    ours = time.perf_counter() - begin
    begin = time.perf_counter()
    obvious(DESIGN, 1)
    loop = time.perf_counter() - begin
    comparisons = len(compare(campaign.judgements, "collapsed"))
    print(f"{RANKINGS:,} rankings, {comparisons:,} comparisons")
    print(f"adjudge, with table and truth  {ours:6.2f} s")
    print(f"loop, ranks only               {loop:6.2f} s   {loop / ours:.1f} times as long")
    small = Design(
        systems=6,
        documents=20,
        qualities=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5),
        tasks=Tasks(rankings=300),
        judges=Judges(count=10),
    )
    simulate(small, 0)
    begin = time.perf_counter()
    for seed in range(100):
        simulate(small, seed)
    print(f"a campaign of 300 rankings     {(time.perf_counter() - begin) * 10:6.1f} ms")


if __name__ == "__main__":
    main()
