"""PRO, pairwise ranked optimisation (Hopkins and May 2011).

Of every sentence `DRAWN` pairs of candidates are drawn; those that differ by more than `LEAST`
points of the objective are kept, the `KEPT` most different ones of each sentence. A logistic
regression without an intercept then learns weights that rank the better candidate of each pair
first.

What differs from Moses' `pro`: features are brought to one spread first, so that the penalty on
squared weights means the same for all. Besides the most different pairs, a sample of all that
differ enough is learnt from, twice as many as there are candidates. Either is learnt from with
several penalties, and the weights are kept whose best candidates have the highest objective. What
pairs happen to be drawn matters more than any of this, so all is done `SAMPLINGS` times over, with
pairs of their own.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from typing import ClassVar

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from adjudge.core.errors import NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.stats.resampling import generator
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.pool import Pool
from adjudge.tuning.search import Search, allowed, scaled, spreads
from adjudge.tuning.tuner import Outcome, Tuner, sentence_gains
from adjudge.tuning.weights import Limits

DRAWN, KEPT, LEAST = 5000, 50, 5.0  # as Hopkins and May §4.2
PENALTIES = (1.0, 10.0, 100.0)  # on squared weights
SAMPLINGS = 16

Learnt = tuple[float, int, float, Floats]  # objective, pairs, penalty, weights


@dataclass(frozen=True)
class Pro(Tuner):
    """Pairwise ranked optimisation."""

    name: ClassVar[str] = "pro"
    title: ClassVar[str] = "PRO"
    summary: ClassVar[str] = "logistic regression on pairs of candidates"
    paper: ClassVar[str] = "Hopkins and May 2011"

    def tune(
        self, pool: Pool, start: Floats, how: Search, limits: Limits, engine: Engine
    ) -> Outcome:
        """Weights that rank the better of two candidates first."""
        pieces = [(pool, start, limits, how.seed, sampling) for sampling in range(SAMPLINGS)]
        learnt = engine.map(_learnt, pieces, "Learning", SAMPLINGS)
        _, pairs, penalty, weights = max(learnt, key=lambda each: each[0])
        return Outcome(
            scaled(weights, limits),
            f"pro: of {SAMPLINGS} samplings the best weights come from {pairs:,} pairs with a "
            f"penalty of {penalty:g}.",
        )


def _learnt(pool: Pool, start: Floats, limits: Limits, seed: int, sampling: int) -> Learnt:
    """Best weights of one sampling."""
    spread = spreads(pool)
    learnt = []
    for (better, worse), penalty in product(_samples(pool, seed, sampling), PENALTIES):
        difference = (pool.features[better] - pool.features[worse]) / spread
        found = _separating(difference, start * spread, limits, penalty)
        weights = allowed(found / spread, start, limits)
        learnt.append((pool.score(weights), len(better), penalty, weights))
    return max(learnt, key=lambda each: each[0])


def _samples(pool: Pool, seed: int, sampling: int) -> list[tuple[Numbers, Numbers]]:
    """Better and worse candidates of sampled pairs: the most different ones, and random ones."""
    gains = sentence_gains(pool)
    kept: tuple[list[Numbers], list[Numbers]] = ([], [])
    for sentence, (first, end) in enumerate(pairwise(pool.starts)):
        number = sampling * pool.sentences + sentence
        pair = generator(seed, number).integers(first, end, (2, DRAWN))
        gap = gains[pair[0]] - gains[pair[1]]
        pair = np.where(gap > 0, pair, pair[::-1])[:, np.abs(gap) > LEAST]
        most = np.argsort(gains[pair[1]] - gains[pair[0]], kind="stable")
        kept[0].append(pair[:, most[:KEPT]])
        kept[1].append(pair[:, : 2 * (end - first)])
    samples = [np.concatenate(pairs, axis=1) for pairs in kept]
    if not samples[0].size:
        raise NotEnoughData(
            f"no two candidates of a sentence differ by {LEAST:g} points of {pool.objective}; "
            "PRO has nothing to learn from"
        )
    return [(better, worse) for better, worse in samples]


def _separating(difference: Floats, start: Floats, limits: Limits, penalty: float) -> Floats:
    """Weights that make the differences positive, within the limits; frozen ones stay."""

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = difference @ weights
        value = -log_expit(margin).sum() + 0.5 * penalty * weights @ weights
        return float(value), -difference.T @ expit(-margin) + penalty * weights

    low = np.where(limits.frozen, start, limits.low)
    high = np.where(limits.frozen, start, limits.high)
    begin = np.clip(np.zeros(len(start)), low, high)
    bounds = list(zip(low, high, strict=True))
    return np.asarray(minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds).x)


TUNER = Pro()
