"""Expected statistics by gradient: minimum risk (Smith and Eisner 2006; Rosti et al. 2010).

A candidate of every sentence is drawn with probability p ∝ exp(β λ·h); the objective of the
expected sums of statistics is a smooth function of λ (expected BLEU), which L-BFGS climbs. β grows
in steps, so that the hills are gentle at first and in the end nearly those of the best candidates.
The weights after the β whose best candidates have the highest objective are kept.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.optimize import minimize

from adjudge.core.parallel import Engine, progress
from adjudge.stats.bootstrap import slopes
from adjudge.tuning.candidates import Floats
from adjudge.tuning.pool import Pool
from adjudge.tuning.search import Search, allowed, scaled, spreads
from adjudge.tuning.tuner import Outcome, Tuner
from adjudge.tuning.weights import Limits

SHARPNESS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
PENALTY = 1e-3  # on squared weights, in points of the objective


@dataclass(frozen=True)
class Expected(Tuner):
    """Objective of expected statistics."""

    name: ClassVar[str] = "expected"
    title: ClassVar[str] = "expected objective"
    summary: ClassVar[str] = "gradient of the objective of expected statistics"
    paper: ClassVar[str] = "Rosti et al. 2010"

    def tune(
        self, pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine
    ) -> Outcome:
        """Best weights along the path."""
        spread = spreads(pool)
        size = np.abs(start * spread).sum()
        weights = start * spread / (size if size > 0 and not limits.frozen.any() else 1.0)
        low = np.where(limits.frozen, weights, limits.low)
        high = np.where(limits.frozen, weights, limits.high)
        best, kept, sharpness_kept = pool.score(start), start, 0.0
        features = pool.features / spread
        for sharpness in progress(
            [(f"Expected objective, β = {each:g}", each) for each in SHARPNESS]
        ):

            def loss(point: Floats, sharpness: float = sharpness) -> tuple[float, Floats]:
                value, gradient = expected(pool, features, point, sharpness)
                return float(PENALTY * point @ point) - value, 2 * PENALTY * point - gradient

            bounds = list(zip(low, high, strict=True))
            weights = minimize(loss, weights, jac=True, method="L-BFGS-B", bounds=bounds).x
            found = allowed(weights / spread, start, limits)
            score = pool.score(found)
            if score > best:
                best, kept, sharpness_kept = score, found, sharpness
        return Outcome(
            scaled(kept, limits), f"expected: the best weights at β = {sharpness_kept:g}."
        )


def expected(
    pool: Pool, features: Floats, weights: Floats, sharpness: float
) -> tuple[float, Floats]:
    """Objective of expected sums, and its gradient by the weights."""
    starts = pool.starts[:-1]
    sizes = np.diff(pool.starts)
    model = sharpness * (features @ weights)
    model -= np.repeat(np.maximum.reduceat(model, starts), sizes)
    chance = np.exp(model)
    chance /= np.repeat(np.add.reduceat(chance, starts), sizes)
    sums = chance @ pool.statistics
    values = pool.objective.values(sums)
    gain = pool.statistics @ slopes(sums, pool.objective.values)[:, 0]
    # d/dλ of Σ p·gain: p (gain − its mean in the sentence) times β h.
    mean = np.repeat(np.add.reduceat(chance * gain, starts), sizes)
    return float(values), sharpness * ((chance * (gain - mean)) @ features)


TUNER = Expected()
