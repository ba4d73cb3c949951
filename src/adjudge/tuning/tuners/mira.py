"""k-best batch MIRA (Cherry and Foster 2012 §3).

Sentence after sentence: hope is the candidate with the highest model score plus objective, fear
the one with the highest model score minus objective. Where hope does not lead by as much as it is
better, weights move towards hope and away from fear, just as far as needed, but no further than
`STEP`. A candidate's objective is that of the sentence together with a fading memory of what was
chosen before, times the length of that memory. After every turn the mean of all weights so far is
tried on the pool; the best of these means is kept.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.core.parallel import Engine, progress
from adjudge.stats.resampling import generator
from adjudge.tuning.candidates import Floats
from adjudge.tuning.pool import Pool
from adjudge.tuning.search import Search, allowed, scaled, spreads
from adjudge.tuning.tuner import Outcome, Tuner
from adjudge.tuning.weights import Limits

TURNS = 60
STEP = 0.01
MEMORY = 0.999  # of what is remembered, how much is left after a sentence


@dataclass(frozen=True)
class Mira(Tuner):
    """Batch MIRA."""

    name: ClassVar[str] = "mira"
    title: ClassVar[str] = "MIRA"
    summary: ClassVar[str] = "small steps from what is feared to what is hoped for"
    paper: ClassVar[str] = "Cherry and Foster 2012"

    def tune(
        self, pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine
    ) -> Outcome:
        """Best of the averaged weights."""
        spread = spreads(pool)
        random = generator(how.seed, 0)
        weights = scaled(start * spread, limits)
        total, steps = np.zeros(len(weights)), 0
        memory = pool.statistics[pool.chosen(start)].mean(axis=0)
        best, kept, turn_kept = pool.score(start), start, 0
        for turn in progress([(self.title, turn) for turn in range(1, TURNS + 1)]):
            for sentence in random.permutation(pool.sentences):
                weights, chosen = _step(pool, sentence, weights, spread, memory)
                weights = allowed(weights, start * spread, limits)
                memory = MEMORY * memory + pool.statistics[chosen]
                total, steps = total + weights, steps + 1
            mean = allowed(total / steps / spread, start, limits)
            score = pool.score(mean)
            if score > best:
                best, kept, turn_kept = score, mean, turn
        return Outcome(
            scaled(kept, limits), f"mira: {TURNS} turns, the best mean after {turn_kept}."
        )


def _step(
    pool: Pool, sentence: int, weights: Floats, spread: Floats, memory: Floats
) -> tuple[Floats, int]:
    """Update the weights by one sentence; return them with the candidate chosen before."""
    first, end = pool.starts[sentence : sentence + 2]
    features = pool.features[first:end] / spread
    model = features @ weights
    objective = pool.objective.values(memory + pool.statistics[first:end])
    # A sentence changes the objective the less the more is remembered: by the share of its size.
    size = np.abs(memory).sum() / max(np.abs(pool.statistics[first:end]).sum(axis=1).mean(), 1e-9)
    good = (1 + size) * objective / 100
    hope, fear = int((model + good).argmax()), int((model - good).argmax())
    lacking = good[hope] - good[fear] - (model[hope] - model[fear])
    if lacking > 0:
        way = features[hope] - features[fear]
        length = float(way @ way)
        if length > 0:
            weights = weights + min(STEP, lacking / length) * way
    return weights, int(first + model.argmax())


TUNER = Mira()
