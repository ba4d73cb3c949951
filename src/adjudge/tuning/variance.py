"""The variance of tuning: restarts × seeds × development sets (Macháček 2014 §3.3.3).

The thesis tuned once towards each metric and doubted its own table: other starting points, other
random directions or other sentences to tune on might have turned it round. Here half of the
sentences are kept for testing. Of the other half, sentences are drawn with replacement again and
again; on every such development set, from every seed, weights are tuned towards every goal under
the same conditions, and what they choose of the test sentences is scored by all goals. So the
spread of a score falls into parts:

    seeds             other random starts on the same development set
    development sets  other sentences to tune on
    test sentences    other sentences to score

A drawn set may have nothing that a tuner could learn from (PRO needs candidates that differ). Then
the weights stay where they began, as they would for somebody who had only this set.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.core.errors import BadParameter, NotEnoughData, within
from adjudge.core.parallel import Engine
from adjudge.stats.resampling import Resampling, generator
from adjudge.tuning.candidates import Floats, Numbers
from adjudge.tuning.goals import Goal
from adjudge.tuning.pool import Pool, refuse_useless
from adjudge.tuning.search import Search, climbs, scaled
from adjudge.tuning.tuner import Tuner
from adjudge.tuning.tuning_result import begin_at, halves
from adjudge.tuning.weights import Limits

_DRAWING = 1 << 42  # the number of the generator of the first development set


@dataclass(frozen=True)
class Extent:
    """How much is repeated."""

    sets: int = 50  # development sets, besides the one that is there
    seeds: int = 3

    def __post_init__(self) -> None:
        within(self.sets, "sets", 2)
        within(self.seeds, "seeds", 2)


@dataclass(frozen=True, eq=False)
class Runs:
    """All runs of tuning. Set 0 is the development set that is there, the others are drawn."""

    tuner: Tuner
    how: Search
    goals: tuple[Goal, ...]  # that are tuned towards
    measures: tuple[Goal, ...]  # by which test sentences are scored: the goals, and others
    names: tuple[str, ...]  # of features
    pool: Pool
    development: Numbers  # sentences
    test: Numbers
    before: Numbers  # candidates of all sentences, before any tuning
    start: Floats | None  # the weights before; None: the first candidates
    resampling: Resampling  # of test sentences, and the level of intervals
    weights: Floats  # (sets + 1, seeds, goals, features)
    reached: Floats  # (sets + 1, seeds, goals): the goal on the development set it was tuned on
    ends: Floats  # (seeds, goals, restarts): where random starts ended on set 0; MERT only
    stayed: int = 0  # runs on drawn sets that had nothing to learn from

    @property
    def sets(self) -> int:
        """How many development sets were drawn."""
        return len(self.weights) - 1

    @property
    def seeds(self) -> int:
        """How many seeds there are."""
        return int(self.weights.shape[1])


def run_all(
    pool: Pool,
    goals: Sequence[Goal],
    measures: Sequence[Goal],
    start: Floats | None,
    tuner: Tuner,
    how: Search,
    limits: Limits,
    extent: Extent,
    hold_out: float,
    resampling: Resampling,
    engine: Engine | None = None,
) -> Runs:
    """Tune towards every goal on every development set from every seed."""
    within(resampling.replicates, "replicates", 2)  # one says nothing of their spread
    development, test = halves(pool.sentences, hold_out, how.seed)
    if test is None:
        raise BadParameter("`hold_out` is above 0: sentences to tune on cannot say how good it is")
    bare = replace(pool, texts=())
    own = bare.part(development)
    for goal in goals:
        refuse_useless(goal.of(own))
    pieces = [
        (own, tuple(goals), begin_at(own, start, limits), tuner, how, limits, which, seed)
        for which in range(extent.sets + 1)
        for seed in range(extent.seeds)
    ]
    runs = (engine or Engine()).map(_run, pieces, "Tuning", len(pieces))
    weights, reached = (np.stack([run[part] for run in runs]) for part in range(2))
    ends = np.stack([run[2] for run in runs[: extent.seeds]])
    shape = (extent.sets + 1, extent.seeds, len(goals))
    return Runs(
        tuner,
        how,
        tuple(goals),
        tuple(measures),
        pool.names,
        bare,
        development,
        test,
        pool.starts[:-1] if start is None else pool.chosen(start),
        start,
        resampling,
        weights.reshape(*shape, -1),
        reached.reshape(shape),
        ends,
        sum(run[3] for run in runs),
    )


def _run(
    pool: Pool,
    goals: tuple[Goal, ...],
    start: Floats,
    tuner: Tuner,
    how: Search,
    limits: Limits,
    which: int,
    seed: int,
) -> tuple[Floats, Floats, Floats, int]:
    """One development set, one seed: weights, scores, ends of climbs for every goal.

    And for how many goals there was nothing to learn from.
    """
    own = replace(how, seed=how.seed + seed)
    drawn = _drawn(pool, how.seed, which)
    weights, reached, ends, stayed = [], [], [], 0
    for goal in goals:
        of_goal = goal.of(drawn)
        try:
            found = tuner.tune(of_goal, start, own, limits, Engine()).weights
        except NotEnoughData:
            if which == 0:
                raise
            found, stayed = scaled(start, limits), stayed + 1
        weights.append(found)
        reached.append(of_goal.score(found))
        if which == 0 and tuner.name == "mert":
            points = climbs(of_goal, start, replace(own, rounds=0), limits)
            ends.append([point.score for point in points[1:]])
    return np.stack(weights), np.array(reached), np.array(ends).reshape(len(goals), -1), stayed


def _drawn(pool: Pool, seed: int, which: int) -> Pool:
    """Development set number `which`: as many sentences, with replacement; 0 is the pool."""
    if which == 0:
        return pool
    random = generator(seed, _DRAWING + which)
    return pool.part(np.sort(random.integers(0, pool.sentences, pool.sentences)))
