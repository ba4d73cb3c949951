"""Counting methods: 1,000 bootstrap replicates against a peer's single fit without intervals.

Ten million comparisons of 20 systems, in memory, coded as integers. The peer is evalica's
Bradley–Terry fit: its public function on the integer codes, and its private compiled solver alone.
The whole `rank()` at the default unit, by other judges and documents, has the same comparisons as
votes of 100 judges on 200 documents. Then the same comparisons as a million HITs of ten, HITs being
drawn, against the textbook way: a sparse matrix of HITs and cells, multiplied with the weights of
every replicate. Times are processor time on one core, which other work on the machine hardly
changes.
"""

from collections.abc import Callable
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np
from scipy import sparse
from threadpoolctl import threadpool_limits

from adjudge.core.parallel import Engine
from adjudge.data.comparisons import Comparisons
from adjudge.ranking.counting.cells import tally_wins
from adjudge.ranking.estimation import estimate
from adjudge.ranking.method import METHODS
from adjudge.ranking.ranking_result import rank
from adjudge.stats.resampling import Resampling
from benchmarks._measured import peak

SYSTEMS = 20
JUDGES, DOCUMENTS = 100, 200
HITS = 1_000_000
PER_HIT = 10
REPLICATES = 1000
REPEATS = 3


@threadpool_limits.wrap(1)
def main() -> None:
    """Measure and print."""
    comparisons = simulated()
    print(f"{len(comparisons):,} comparisons of {SYSTEMS} systems, best of {REPEATS}")
    ours = seconds(lambda: replicates(comparisons, "comparison"))
    memory = peak(lambda: replicates(comparisons, "comparison"))
    print(f"  adjudge: {REPLICATES:,} replicates of comparisons {ours:14.3f} s {memory:6.0f} MB")
    votes = as_votes(comparisons)
    rank(votes)
    whole, memory = seconds(lambda: rank(votes)), peak(lambda: rank(votes))
    print(f"  adjudge: rank(), other judges and documents    {whole:8.3f} s {memory:6.0f} MB")
    for name, fit in peers(comparisons).items():
        theirs, memory = seconds(fit), peak(fit)
        print(
            f"  evalica: one Bradley–Terry fit, {name:28} {theirs:8.3f} s {memory:6.0f} MB  "
            f"{theirs / ours:.0f}× the replicates, {theirs / whole:.1f}× rank()"
        )
    print(f"{HITS:,} HITs of {PER_HIT}, {REPLICATES:,} replicates of HITs")
    fast, fast_memory = seconds_and_memory(lambda: replicates(comparisons, "hit"))
    print(f"  adjudge: {fast:7.2f} s, {fast_memory:6.0f} MB beside the comparisons")
    slow, slow_memory = seconds_and_memory(lambda: sparse_product(comparisons))
    print(f"  sparse product: {slow:.2f} s, {slow_memory:.0f} MB  {slow / fast:.0f}×")


def simulated() -> Comparisons:
    """Comparisons by judges who see qualities through noise, and tie what is close."""
    random = np.random.default_rng(1)
    number = HITS * PER_HIT
    left = random.integers(0, SYSTEMS, number, np.int32)
    right = (left + random.integers(1, SYSTEMS, number, np.int32)) % SYSTEMS
    seen = 0.1 * (right - left) + random.standard_normal(number, np.float32)
    outcome = np.where(np.abs(seen) < 0.3, 0, np.sign(seen)).astype(np.int8)
    hit = np.repeat(np.arange(HITS, dtype=np.int32), PER_HIT)
    nobody = np.full(number, -1, np.int32)
    return Comparisons(
        pair="src-tgt",
        left=left,
        right=right,
        outcome=outcome,
        ranking=hit,
        segment=nobody,
        document=nobody,
        hit=hit,
        judge=nobody,
        systems=tuple(f"system {i}" for i in range(SYSTEMS)),
        rankings=np.arange(HITS),
        segments=(),
        documents=(),
        hits=tuple(map(str, range(HITS))),
        judges=(),
        groups=(),
    )


def as_votes(comparisons: Comparisons) -> Comparisons:
    """Each of them a ranking of its own, by some judge on some document."""
    random = np.random.default_rng(2)
    number = len(comparisons)
    return replace(
        comparisons,
        ranking=np.arange(number, dtype=np.int32),
        rankings=np.arange(number),
        hit=np.full(number, -1, np.int32),
        hits=(),
        judge=random.integers(0, JUDGES, number, np.int32),
        judges=tuple(f"judge {i}" for i in range(JUDGES)),
        groups=(None,) * JUDGES,
        document=random.integers(0, DOCUMENTS, number, np.int32),
        documents=tuple(f"document {i}" for i in range(DOCUMENTS)),
    )


def replicates(comparisons: Comparisons, unit: Any) -> Any:
    """Count, score, and score a thousand replicates."""
    drawn = Resampling(unit, REPLICATES, 1)
    return estimate(comparisons, METHODS.named("expected-wins"), drawn, Engine())


def peers(comparisons: Comparisons) -> dict[str, Callable[[], Any]]:
    """evalica on arrays of integers, made before the clock starts."""
    import evalica
    import pandas as pd
    from evalica import Winner, _brzo

    codes = np.array([Winner.Y, Winner.Draw, Winner.X], np.uint8)
    winners = codes[comparisons.outcome + 1]
    index = pd.Index(range(SYSTEMS))
    ready = {
        "xs": comparisons.left.astype(np.uint64),
        "ys": comparisons.right.astype(np.uint64),
        "winners": winners,
        "weights": np.ones(len(winners)),
        "total": SYSTEMS,
    }
    settings = {"win_weight": 1.0, "tie_weight": 0.5, "tolerance": 1e-6, "limit": 100}

    def public() -> Any:
        return evalica.bradley_terry(comparisons.left, comparisons.right, winners, index=index)

    def solver() -> Any:
        return _brzo.bradley_terry(**ready, **settings)

    return {"its public function": public, "its compiled solver alone": solver}


def sparse_product(comparisons: Comparisons) -> Any:
    """The textbook clustered bootstrap, fifty replicates at a time."""
    tally = tally_wins(comparisons)
    hit, cell = tally.events()
    cells = len(tally.counts)
    events = sparse.csr_array((np.ones(len(hit)), (hit, cell)), shape=(HITS, cells)).T.tocsr()
    random = np.random.default_rng(1)
    drawn = []
    for _ in range(REPLICATES // 50):
        weights = [np.bincount(random.integers(0, HITS, HITS), minlength=HITS) for _ in range(50)]
        drawn.append((events @ np.stack(weights, axis=1)).T)
    score = METHODS.named("expected-wins").scores
    return np.concatenate([score(tally.statistics(part.astype(np.int64))) for part in drawn])


def seconds(work: Callable[[], Any]) -> float:
    """The best of some runs."""
    times = []
    for _ in range(REPEATS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def seconds_and_memory(work: Callable[[], Any]) -> tuple[float, float]:
    """One run's time, and the most memory a second one holds, in MB."""
    start = process_time()
    work()
    return process_time() - start, peak(work)


if __name__ == "__main__":
    main()
