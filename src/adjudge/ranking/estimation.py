"""Scores by any method, with bootstrap replicates."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from adjudge.core.errors import BadParameter, NotEnoughData
from adjudge.core.parallel import Engine
from adjudge.data.votes.cells import Cells, Judged
from adjudge.data.votes.votes import uncrossed
from adjudge.ranking.counting.cells import Tally, tally_blocks, tally_wins
from adjudge.ranking.method import (
    BlockMethod,
    CountMethod,
    Estimate,
    Method,
    RefitMethod,
    Scores,
)
from adjudge.ranking.resampling import DesignEffects, effective_number, replicated
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.resampling import Resampling

T = TypeVar("T")


def bootstrapped(
    comparisons: Judged,
    method: Method,
    resampling: Resampling,
    engine: Engine,
    effects: DesignEffects,
) -> Bootstrapped:
    """Bootstrap the scores of the systems of `comparisons` for intervals and ranges."""
    # Known before the work starts, so that an impossible unit is refused at once.
    number = effective_number(comparisons, resampling.unit)
    estimated = estimate(comparisons, method, resampling, engine)
    scored = Bootstrapped(estimated.scores, estimated.replicates, number, resampling.level)
    return scored.contracted(effects.contraction(resampling.unit))


def estimate(
    comparisons: Judged, method: Method, resampling: Resampling, engine: Engine
) -> Estimate:
    """Compute scores by `method`, and their replicates."""
    if resampling.unit == "ranking" and not isinstance(comparisons, Cells):
        counts = not isinstance(method, RefitMethod) or method.counts
        if counts and comparisons.are_votes:  # single votes are their own rankings
            comparisons = uncrossed(comparisons)
    match method:
        case CountMethod():
            return _count(comparisons, tally_wins(comparisons), method.scores, resampling)
        case BlockMethod():
            if resampling.unit == "comparison":
                raise BadParameter(
                    f"{method.name} scores whole rankings, not single comparisons; "
                    'choose `unit="ranking"` or a larger one'
                )
            return _count(comparisons, tally_blocks(comparisons), method.scores, resampling)
        case RefitMethod():
            if isinstance(comparisons, Cells) and not method.counts:
                raise NotEnoughData(
                    f"{method.name}: needs the votes themselves, not only how many of each kind "
                    "there are in each cell; read them whole"
                )
            return method.estimate(comparisons, resampling, engine)
    raise TypeError(f"{method.name} is not a kind of method that can be run")


def _count(
    comparisons: Judged,
    tally: Tally[T],
    score: Callable[[T], Scores],
    resampling: Resampling,
) -> Estimate:
    scores = score(tally.statistics(tally.counts))
    if resampling.unit == "none":
        # Nothing is drawn and nothing in the method is random: all replicates are the same.
        return Estimate(comparisons.systems, scores, scores[None])
    replicates = [score(counts) for counts in replicated(comparisons, tally, resampling)]
    return Estimate(comparisons.systems, scores, np.concatenate(replicates))
