"""A ranking with its uncertainty: what `adjudge rank` prints."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.comparisons.comparisons import Comparisons
from adjudge.comparisons.counts import WinCounts, count
from adjudge.errors import AdjudgeError
from adjudge.parallel import Engine
from adjudge.ranking.cells import Tally, tally_blocks, tally_wins
from adjudge.ranking.design_effects import Deviations, widening
from adjudge.ranking.method import (
    BlockMethod,
    CountMethod,
    Estimate,
    Method,
    RefitMethod,
    Resampling,
    Scores,
    Unit,
)
from adjudge.ranking.participants import listed, participants
from adjudge.ranking.resampling import replicated
from adjudge.ranking.units import effective_number, expanded_tail
from adjudge.statistics import ranges
from adjudge.statistics.ranges import Ranks

T = TypeVar("T")

WIDER = 4 / 3  # worth saying: intervals more than a third wider
FEW_UNITS = 10
SOURCES: tuple[Unit, ...] = ("judge", "segment", "document")  # of what rankings share


@dataclass(frozen=True, eq=False)
class Ranking:
    """Systems from best to worst, and how sure that is."""

    pair: str
    method: Method
    resampling: Resampling
    level: float
    systems: tuple[str, ...]
    scores: Scores
    low: Scores
    high: Scores
    rank: Ranks  # systems with equal scores share the better rank
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks
    comparisons: NDArray[np.int64]  # of each system
    better: NDArray[np.float64]  # [i, j]: the probability that system i is better than j
    rank_shares: NDArray[np.float64]  # [i, r]: the share of replicates with system i at rank r + 1
    design_effects: Mapping[Unit, float]
    notes: tuple[str, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row a system."""
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.systems),
                "system": self.systems,
                "rank": self.rank,
                "score": self.scores,
                "low": self.low,
                "high": self.high,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "cluster": self.cluster,
                "comparisons": self.comparisons,
            }
        )


def rank(
    comparisons: Comparisons,
    method: Method,
    resampling: Resampling | None = None,
    level: float = 0.95,
    engine: Engine | None = None,
) -> Ranking:
    """Rank the systems of one language pair."""
    resampling = resampling or Resampling()
    if not 0 < level < 1:
        raise AdjudgeError(f"a confidence level lies between 0 and 1, not at {level:g}")
    if resampling.replicates < 1 or resampling.seed < 0:
        raise AdjudgeError("ask for at least one replicate and a seed that is not negative")
    taking_part = participants(comparisons, method.reference)
    # Known before the work starts, so that an impossible unit is refused at once.
    number = effective_number(taking_part, resampling.unit)
    made = estimate(taking_part, method, resampling, engine or Engine())
    deviations = Deviations(taking_part)
    effects = deviations.effects

    order = np.argsort(-np.round(made.scores, ranges.DIGITS), kind="stable")
    scores = made.scores[order]
    replicates = drawn_in(made, deviations.contraction(resampling.unit))[:, order]
    tail = expanded_tail(level, number)
    low, high = ranges.intervals(replicates, tail)
    rank_low, rank_high = ranges.rank_ranges(replicates, tail)
    counts = count(taking_part)
    return Ranking(
        pair=comparisons.pair,
        method=method,
        resampling=resampling,
        level=level,
        systems=tuple(made.systems[i] for i in order),
        scores=scores,
        low=low,
        high=high,
        rank=ranges.best_ranks(scores),
        rank_low=rank_low,
        rank_high=rank_high,
        cluster=ranges.clusters(rank_low, rank_high),
        comparisons=counts.comparisons.sum(axis=1)[order],
        better=ranges.better(replicates),
        rank_shares=ranges.rank_shares(replicates),
        design_effects=effects,
        notes=_notes(counts, resampling.unit, number, effects),
    )


def estimate(
    comparisons: Comparisons, method: Method, resampling: Resampling, engine: Engine
) -> Estimate:
    """Scores by `method`, and the same in every replicate."""
    match method:
        case CountMethod():
            return _count(comparisons, tally_wins(comparisons), method.scores, resampling)
        case BlockMethod():
            if resampling.unit == "comparison":
                raise AdjudgeError(
                    f"{method.name} scores whole rankings, not single comparisons; "
                    "choose --unit ranking or a larger one"
                )
            return _count(comparisons, tally_blocks(comparisons), method.scores, resampling)
        case RefitMethod():
            return method.estimate(comparisons, resampling, engine)
    raise TypeError(f"{method.name} is no kind of method that can be run")


def drawn_in(made: Estimate, contraction: float) -> Scores:
    """The replicates, drawn in towards the scores where the bootstrap spreads them too far."""
    return made.scores + contraction * (made.replicates - made.scores)


def _count(
    comparisons: Comparisons,
    tally: Tally[T],
    score: Callable[[T], Scores],
    resampling: Resampling,
) -> Estimate:
    scores = score(tally.statistics(tally.counts))
    if resampling.unit == "none":
        # Nothing is drawn and nothing in the method is random: all replicates are the same.
        return Estimate(comparisons.systems, scores, scores[None])
    replicates = [score(some) for some in replicated(comparisons, tally, resampling)]
    return Estimate(comparisons.systems, scores, np.concatenate(replicates))


def _notes(
    counts: WinCounts, unit: Unit, number: float, effects: Mapping[Unit, float]
) -> tuple[str, ...]:
    """What a reader of the ranking should know."""
    notes = []
    decided = counts.wins + counts.wins.T
    tied = [s for s, some in zip(counts.systems, decided, strict=True) if not some.any()]
    if tied:
        notes.append(f"Every comparison of {listed(tied)} is a tie.")
    if unit == "none":
        notes.append(
            "Nothing was resampled: intervals, ranges and clusters hold no sampling error."
        )
        return tuple(notes)
    if number < FEW_UNITS:
        drawn = " or ".join(f"{part}s" for part in unit.split("+"))
        notes.append(
            f"The {drawn} are worth no more than {number:.1f} of equal size; intervals from so few "
            "are rough."
        )
    wider = {
        other: widening(effects, unit, other)
        for other in SOURCES
        if other in effects and other not in unit
    }
    notes += [
        f"Intervals that hold for other {other}s than these as well are {factor:.1f} times as "
        f"wide (--unit {other})."
        for other, factor in wider.items()
        if factor > WIDER
    ]
    return tuple(notes)
