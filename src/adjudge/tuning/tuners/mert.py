"""Minimum error rate training (Och 2003): Powell's search with exact line search (`search.py`).

With `choice="stable"` the optimum that is best in most bootstrap replicates of sentences is chosen
instead of the best one.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.core.parallel import Engine
from adjudge.stats.resampling import drawing, units_of
from adjudge.tuning.candidates import Floats
from adjudge.tuning.pool import Pool
from adjudge.tuning.search import Point, Search, search
from adjudge.tuning.tuner import Outcome, Tuner
from adjudge.tuning.weights import Limits

REPLICATES = 1000


@dataclass(frozen=True)
class Mert(Tuner):
    """Minimum error rate training."""

    name: ClassVar[str] = "mert"
    title: ClassVar[str] = "MERT"
    summary: ClassVar[str] = "exact line searches from many starts"
    paper: ClassVar[str] = "Och 2003"

    def tune(
        self, pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine
    ) -> Outcome:
        """Best optimum, or the most stable one."""
        points = search(pool, start, how, limits, engine)
        starts = 1 + len(how.further) + how.restarts * (1 + how.rounds)
        note = f"mert: {starts:,} starts ended at {len(points):,} different choices of candidates"
        if how.choice == "best":
            return Outcome(points[0].weights, f"{note}.")
        shares = best_shares(pool, points, how.seed)
        which = int(shares.argmax())
        return Outcome(
            points[which].weights,
            f"{note}; the one chosen is the best in {100 * shares[which]:.0f} % of {REPLICATES:,} "
            "replicates, more often than any other.",
        )


def best_shares(pool: Pool, points: list[Point], seed: int) -> Floats:
    """Share of bootstrap replicates of sentences in which each point is the best."""
    units = units_of(np.arange(pool.sentences), "segment")
    weights = drawing((units,), seed, grouped=False).weights(range(REPLICATES))
    scores = np.stack(
        [
            pool.objective.values(weights @ pool.statistics[pool.chosen(point.weights)])
            for point in points
        ]
    )
    return np.bincount(scores.argmax(axis=0), minlength=len(points)) / REPLICATES


TUNER = Mert()
