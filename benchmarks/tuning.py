"""Tuning on the shared n-best lists, beside a plain NumPy search and what Moses' `mert` took.

Needs the real data (docs/test-data.md). Times are of the processor, one thread, the pool being in
memory; those of one and two workers are of a clock on the wall, the shortest of several turns, so
that other work on the machine counts little. Moses' mert cannot be built here: its
seconds are those of `tuning/anchors.tsv`, which were measured on another, loaded machine. Read them
as a size. Memory is what one search asks for beyond the pool itself.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import tracemalloc
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

import adjudge
from adjudge.core.parallel import Engine
from adjudge.tuning.pool import Pool
from adjudge.tuning.search import Search, search
from adjudge.tuning.tuner import TUNERS
from adjudge.tuning.weights import read_weights, unlimited

SHARED = Path(__file__).parents[2] / "shared" / "data"
METRIC = "bleu(tokenize=none,smooth=none)"
RUNS = [f"nbest/run{number}.nbest.gz" for number in range(1, 6)]
SCORER, PHRASES = "tuning/moses-scorer-data", "tuning/phrase-decoder"
PHRASE_START = np.array([1, 1, 1, 1, 1, -5, 2.5, 1.5, 5]) / 19
# Lists, reference, starting weights; Moses' seconds and highest BLEU with 20 restarts.
DATA = {
    "run 1": (RUNS[:1], "nbest/reference.txt", "nbest/init-weights.txt", 0.11, 0.3043),
    "runs 1 to 5": (RUNS, "nbest/reference.txt", "nbest/init-weights.txt", 1.2, 0.3924),
    "scorer data": (
        [f"{SCORER}/nbest.txt.gz"],
        f"{SCORER}/reference.txt",
        f"{SCORER}/init-weights.txt",
        2.8,
        0.0997,
    ),
    "phrase decoder": (
        [f"{PHRASES}/run{number}.nbest.gz" for number in (1, 2)],
        f"{PHRASES}/reference.txt",
        None,
        17.5,
        0.3937,
    ),
}


def plain_line(pool: Pool, weights: np.ndarray, axis: int) -> float:
    """The best BLEU on one axis, as one would write it with NumPy: no envelopes kept, no kernel."""
    intercept, slope = pool.features @ weights, pool.features[:, axis]
    places, changes = [], []
    now = np.zeros(pool.statistics.shape[1])
    for first, end in pairwise(pool.starts):
        m, b = slope[first:end], intercept[first:end]
        line = np.lexsort((-b, m))[0]
        now += pool.statistics[first + line]
        at = -np.inf
        while True:
            steeper = np.flatnonzero(m > m[line])
            if not len(steeper):
                break
            meets = (b[line] - b[steeper]) / (m[steeper] - m[line])
            at = max(at, meets.min())
            nearest = steeper[meets <= at]
            following = nearest[m[nearest].argmax()]
            places.append(at)
            changes.append(pool.statistics[first + following] - pool.statistics[first + line])
            line = following
    if not places:
        return float(pool.objective.values(now))
    order = np.argsort(places, kind="stable")
    sums = now + np.concatenate([np.zeros((1, len(now))), np.cumsum(np.array(changes)[order], 0)])
    return float(pool.objective.values(sums).max())


def on_two(pool: Pool, start: np.ndarray, how: Search) -> str:
    """Seconds on the wall with one and with two workers, in turns, and their ratio."""
    limits = unlimited(len(start))
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(2 if len(pool) > 20_000 else 15):
        for workers, own in seconds.items():
            began = perf_counter()
            search(pool, start, how, limits, Engine(workers))
            own.append(perf_counter() - began)
    one, two = (min(own) for own in seconds.values())
    return f"{one:6.3f} s, two workers {two:.3f} s, {two / one:.2f} of it"


def memory(pool: Pool, start: np.ndarray) -> str:
    """Bytes of one climb, of half of the sentences and of all, by candidate."""
    each = []
    for sentences in (pool.sentences // 2, pool.sentences):
        part = pool.part(np.arange(sentences))
        tracemalloc.start()
        search(part, start, Search(restarts=0), unlimited(len(start)))
        each.append(tracemalloc.get_traced_memory()[1] / len(part))
        tracemalloc.stop()
    own = (pool.features.nbytes + pool.statistics.nbytes) / len(pool)
    return (
        f"{each[0]:6.0f} bytes a candidate with half of them, {each[1]:.0f} with all; the pool "
        f"itself has {own:.0f}"
    )


def timed(pool: Pool, start: np.ndarray, how: Search, engine: Engine | None = None) -> str:
    """Seconds and score of a search."""
    began = process_time()
    best = search(pool, start, how, unlimited(len(start)), engine)[0]
    return f"{process_time() - began:6.2f} s, BLEU {best.score / 100:.4f}"


def main() -> None:
    """Print times and scores."""
    data = Path(os.environ.get("ADJUDGE_SHARED_DATA", SHARED))
    if not (data / "nbest").is_dir():
        print(f"no data at {data}; set ADJUDGE_SHARED_DATA to its folder")
        return
    for name, (lists, reference, begin, seconds, mark) in DATA.items():
        began = process_time()
        candidates = adjudge.read_candidates(
            *(str(data / path) for path in lists), reference=str(data / reference)
        )
        pool = candidates.pool(METRIC)
        reading = process_time() - began
        start = PHRASE_START if begin is None else read_weights(str(data / begin), pool.names)
        print(
            f"{name}: {len(pool):,} candidates of {pool.sentences} sentences, {len(pool.names)} "
            f"features; reading and counting {reading:.1f} s"
        )
        search(pool, start, Search(restarts=0), unlimited(len(start)))  # compiles, sorts
        print(f"  Moses, 20 restarts              {seconds:6.2f} s, BLEU {mark:.4f} at best")
        print(f"  20 restarts, no further rounds  {timed(pool, start, Search(rounds=0))}")
        print(f"  20 restarts, 3 rounds (usual)   {timed(pool, start, Search())}")
        if len(pool) < 20_000:
            print(f"  100 restarts, 3 rounds          {timed(pool, start, Search(restarts=100))}")
        print(f"  one worker, clock on the wall   {on_two(pool, start, Search())}")
        print(f"  memory                          {memory(pool, start)}")
        axes = range(len(pool.names))
        began = process_time()
        plain = [plain_line(pool, start, axis) for axis in axes]
        slow = (process_time() - began) / len(plain)
        began = process_time()
        gain = _fast_lines(pool, start)
        fast = (process_time() - began) / len(plain)
        assert np.allclose(gain, plain), "the two searches disagree"
        print(
            f"  one line search                 {1e3 * fast:6.2f} ms; plain NumPy "
            f"{1e3 * slow:.1f} ms, {slow / fast:.0f} times as long"
        )
        for other in ("pro", "mira", "expected"):
            began = process_time()
            tuner = TUNERS.named(other)
            outcome = tuner.tune(pool, start, Search(), unlimited(len(start)), Engine())
            score = pool.score(outcome.weights) / 100
            print(f"  {other:31} {process_time() - began:6.2f} s, BLEU {score:.4f}")


def _fast_lines(pool: Pool, start: np.ndarray) -> np.ndarray:
    """The best objective on every axis, by the kernels."""
    from adjudge.tuning.line_search import Regularisation, axes, search_lines

    limits = unlimited(len(start))
    gain, _ = search_lines(pool, start, axes(pool, limits), limits, Regularisation())
    return gain + pool.score(start)
