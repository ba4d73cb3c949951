"""TrueSkill as WMT15 and WMT16 ran it (Sakaguchi, Post and Van Durme 2014).

One run on N comparisons takes n = N + 1 steps of two-player TrueSkill with μ₀ = 0, σ₀ = 0.5, τ = 0,
draw probability 0.25, β = σ₀ n / 40 and draw margin ε = Φ⁻¹((0.25 + 1) / 2) √2 β. A step takes the
system a of largest variance, chooses a partner b with probability proportional to
exp(−|μ_a − μ_b|), draws one of the comparisons of a and b with replacement, and updates both.
Score = mean of μ over the runs; the runs are the replicates.

A drawn comparison is a win, a tie or a loss in proportion to how often each was counted, so a run
needs the counts and not the comparisons. With unit `none` all runs use the same counts (WMT15:
the spread of the runs holds no sampling error at all); with `comparison` N comparisons are drawn
with replacement before each run (WMT16); with `ranking`, `judge` and so on, those are drawn.

Run r of seed s has its own generator, SeedSequence(s, spawn_key=(r, 1)), so runs can be spread
over any number of workers. Systems take part in order of their win ratio, which makes "the first
system of largest variance" mean the same whatever the systems are called. A system without
comparisons in a replicate stays at μ₀.
"""

from collections.abc import Iterator
from math import sqrt
from statistics import NormalDist

import numpy as np

from adjudge.core.parallel import Engine
from adjudge.data.votes.cells import Judged
from adjudge.data.win_counts import Counts, WinCounts, count
from adjudge.ranking.counting.cells import tally_wins, win_ratio
from adjudge.ranking.method import Estimate, RefitMethod, Scores
from adjudge.ranking.models.trueskill_kernels import run
from adjudge.ranking.resampling import replicated
from adjudge.stats.resampling import Resampling

DEVIATION = 0.5  # σ₀
DRAW_PROBABILITY = 0.25
MARGIN = NormalDist().inv_cdf((DRAW_PROBABILITY + 1) / 2) * sqrt(2)  # ε / β

_RUNS_A_PIECE = 50  # which go in step


def estimate(comparisons: Judged, resampling: Resampling, engine: Engine) -> Estimate:
    """Mean μ over the runs, and μ after every run."""
    order = np.argsort(-win_ratio(count(comparisons)), kind="stable")
    reordered = (slice(None), order[:, None], order)
    pieces = (
        (
            np.ascontiguousarray(counts.wins[reordered]),
            np.ascontiguousarray(counts.ties[reordered]),
            resampling.seed,
            first,
        )
        for first, counts in _pieces(comparisons, resampling)
    )
    number = -(-resampling.replicates // _RUNS_A_PIECE)
    runs = np.empty((resampling.replicates, len(order)))
    runs[:, order] = np.concatenate(engine.map(_runs, pieces, "TrueSkill runs", number))
    return Estimate(comparisons.systems, runs.mean(axis=0), runs)


def _pieces(comparisons: Judged, resampling: Resampling) -> Iterator[tuple[int, WinCounts]]:
    """Batches of counts for consecutive runs, each with the number of its first run."""
    first = 0
    for counts in _counts(comparisons, resampling):
        for start in range(0, len(counts.wins), _RUNS_A_PIECE):
            piece = slice(start, start + _RUNS_A_PIECE)
            yield first + start, WinCounts(counts.systems, counts.wins[piece], counts.ties[piece])
        first += len(counts.wins)


def _counts(comparisons: Judged, resampling: Resampling) -> Iterator[WinCounts]:
    if resampling.unit != "none":
        yield from replicated(comparisons, tally_wins(comparisons), resampling)
        return
    same = count(comparisons)
    shape = (resampling.replicates, *same.wins.shape)
    yield WinCounts(
        same.systems, np.broadcast_to(same.wins, shape), np.broadcast_to(same.ties, shape)
    )


def _runs(wins: Counts, ties: Counts, seed: int, first: int) -> Scores:
    """Final μ of consecutive runs."""
    generators = [_generator(seed, first + i) for i in range(len(wins))]
    return run(wins, ties, DEVIATION, MARGIN, generators)


def _generator(seed: int, number: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number, 1)))


METHOD = RefitMethod(
    name="trueskill",
    summary="mean μ over runs of TrueSkill",
    paper="Sakaguchi et al. 2014; WMT15, WMT16",
    ties="an outcome of their own",
    reference=False,
    estimate=estimate,
    counts=True,
    random=True,
    size_matters=True,
)
