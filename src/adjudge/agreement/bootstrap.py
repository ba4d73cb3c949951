"""Bootstrap intervals over segments or judges, from sums per segment or judge.

A replicate draws as many units as there are, with replacement. What a coefficient needs is
summed per unit once; a replicate is then a weighted sum, and all replicates are one matrix
product. Pairs of different judges weigh w_j·w_k, so that a judge drawn twice is never compared
with itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from adjudge.agreement.chance import Floats

Over = Literal["segment", "judge"]
Interval = tuple[float | None, float | None]
_CELLS = 1 << 22  # weights held in memory at once


@dataclass(frozen=True)
class Bootstrap:
    """What is drawn, how often, from which seed, and how wide the interval is."""

    over: Over = "segment"
    replicates: int = 1000
    seed: int = 1
    level: float = 0.95

    def weights(self, units: int) -> Iterator[Floats]:
        """How often each unit was drawn, replicate by replicate, in chunks."""
        chunk = max(1, _CELLS // max(units, 1))
        for number, start in enumerate(range(0, self.replicates, chunk)):
            yield _draws(units, min(chunk, self.replicates - start), self.seed, number)

    def sums(self, stats: ArrayLike) -> Floats:
        """The column sums of `stats` (units × columns) in every replicate."""
        columns = np.asarray(stats, float)
        return self.each(len(columns), lambda weights: weights @ columns)

    def each(self, units: int, function: Callable[[Floats], Floats]) -> Floats:
        """`function` of the weights of every replicate (weights: replicates × units)."""
        return np.concatenate([function(weights) for weights in self.weights(units)])

    def interval(self, values: Floats) -> Interval:
        """The percentile interval of replicates; none where too few of them have a value."""
        known = values[np.isfinite(values)]
        if len(known) < 0.95 * len(values) or not len(known):
            return None, None
        tail = 50 * (1 - self.level)
        low, high = np.percentile(known, [tail, 100 - tail])
        return float(low), float(high)


@lru_cache(maxsize=1)  # one campaign is asked about several ways in a row
def _draws(units: int, size: int, seed: int, number: int) -> Floats:
    rng = np.random.default_rng([seed, number])
    drawn = rng.integers(units, size=(size, units), dtype=np.int32)
    drawn += np.arange(size, dtype=np.int32)[:, None] * units
    counts = np.bincount(drawn.ravel(), minlength=size * units)
    weights = counts.reshape(size, units).astype(float)
    weights.flags.writeable = False
    return weights
