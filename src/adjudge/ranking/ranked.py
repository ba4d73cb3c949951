"""A ranking with its uncertainty: what `adjudge rank` prints."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.comparisons.comparisons import Comparisons
from adjudge.comparisons.counts import WinCounts, count
from adjudge.errors import BadParameter
from adjudge.parallel import Engine
from adjudge.ranking.counting.cells import Tally, tally_blocks, tally_wins
from adjudge.ranking.method import (
    BlockMethod,
    CountMethod,
    Estimate,
    Method,
    RefitMethod,
    Scores,
    method_named,
)
from adjudge.ranking.participants import listed, participants
from adjudge.ranking.resampling import (
    RANKING_UNITS,
    DesignEffects,
    effective_number,
    replicated,
)
from adjudge.statistics.bootstrap import Bootstrapped
from adjudge.statistics.design_effects import widening
from adjudge.statistics.ranks import Ranks
from adjudge.statistics.resampling import Resampling, Unit
from adjudge.statistics.standings import resampling_notes, standings

T = TypeVar("T")

WIDER = 4 / 3  # worth saying: intervals more than a third wider
SOURCES: tuple[Unit, ...] = ("judge", "segment", "document")  # of what rankings share


@dataclass(frozen=True, eq=False)
class Ranking:
    """Systems from best to worst, and how sure that is."""

    pair: str
    method: Method
    resampling: Resampling
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

    @property
    def level(self) -> float:
        """The confidence level of intervals and ranges."""
        return self.resampling.level

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
    method: Method | str = "expected-wins",
    resampling: Resampling | None = None,
    engine: Engine | None = None,
) -> Ranking:
    """Rank the systems of one language pair by a method or its name."""
    method = method_named(method)
    resampling = (resampling or Resampling()).among(RANKING_UNITS)
    taking_part = participants(comparisons, method.reference)
    effects = DesignEffects(taking_part)
    scored = bootstrapped(taking_part, method, resampling, engine or Engine(), effects)
    standing = standings(scored)
    counts = count(taking_part)
    return Ranking(
        pair=comparisons.pair,
        method=method,
        resampling=resampling,
        systems=tuple(taking_part.systems[i] for i in standing.order),
        scores=standing.scores,
        low=standing.low,
        high=standing.high,
        rank=standing.rank,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        cluster=standing.cluster,
        comparisons=counts.comparisons.sum(axis=1)[standing.order],
        better=standing.better,
        rank_shares=standing.rank_shares,
        design_effects=effects.of_units,
        notes=_notes(counts, resampling.unit, scored.effective_number, effects.of_units),
    )


def bootstrapped(
    comparisons: Comparisons,
    method: Method,
    resampling: Resampling,
    engine: Engine,
    effects: DesignEffects,
) -> Bootstrapped:
    """Scores and replicates of the systems of `comparisons`, ready for intervals and ranges."""
    # Known before the work starts, so that an impossible unit is refused at once.
    number = effective_number(comparisons, resampling.unit)
    found = estimate(comparisons, method, resampling, engine)
    scored = Bootstrapped(found.scores, found.replicates, number, resampling.level)
    return scored.contracted(effects.contraction(resampling.unit))


def estimate(
    comparisons: Comparisons, method: Method, resampling: Resampling, engine: Engine
) -> Estimate:
    """Scores by `method`, and the same in every replicate."""
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
            return method.estimate(comparisons, resampling, engine)
    raise TypeError(f"{method.name} is no kind of method that can be run")


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
    replicates = [score(counts) for counts in replicated(comparisons, tally, resampling)]
    return Estimate(comparisons.systems, scores, np.concatenate(replicates))


def _notes(
    counts: WinCounts, unit: Unit, number: float | Scores, effects: Mapping[Unit, float]
) -> tuple[str, ...]:
    """What a reader of the ranking should know."""
    notes = []
    decided = counts.wins + counts.wins.T
    tied = [system for system, wins in zip(counts.systems, decided, strict=True) if not wins.any()]
    if tied:
        notes.append(f"Every comparison of {listed(tied)} is a tie.")
    notes += resampling_notes(unit, number)
    if unit == "none":
        return tuple(notes)
    wider = {
        other: widening(effects[unit], effects[other])
        for other in SOURCES
        if other in effects and other not in unit
    }
    notes += [
        f"Intervals that hold for other {other}s than these as well are {factor:.1f} times as "
        f'wide (`unit="{other}"`).'
        for other, factor in wider.items()
        if factor > WIDER
    ]
    return tuple(notes)
