"""Leave-one-out evaluation of a known system (Macháček 2014 §3.2, Tables 3.3 and 3.4).

Its candidates are removed from every annotation and recovered from those of the other systems:

- `exact`: the same text. Where no other system wrote it, it is a *miss*. The ratio of wins of all
  systems is of the annotations with a hit only, so that it is too high: systems agree on what is
  good.
- `closest`: the nearest candidate by edit distance gives its rank (`closest_ranks`). All
  annotations count.
- `predicted`: of a miss, the expected wins and losses count, as learnt from the other systems
  (`prediction`). The interval knows that they are only expected.

The *hit rate* is hits / annotations; a system without a candidate of a segment has neither hit nor
miss there. AED is the mean edit distance to the nearest candidate over all annotations, 0 where
there is a hit or no candidate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from adjudge.core.errors import one_of
from adjudge.segments.closest_ranks import AVERAGED, Averaged, distances, nearest
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.overall import ratio_of_wins, resampled_ratio, wins_and_losses
from adjudge.stats.resampling import Floats, Resampling
from adjudge.stats.standings import Standings, standings

Matching = Literal["exact", "closest", "predicted"]
PUBLISHED: tuple[Matching, ...] = ("exact", "closest")  # those of the thesis
MATCHINGS: tuple[Matching, ...] = (*PUBLISHED, "predicted")


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Scores of all systems when one of them is treated as unseen."""

    pair: str
    matching: Matching
    resampling: Resampling
    system: str  # the one that is left out
    hits: int
    misses: int
    annotations: int
    distance: float  # AED
    systems: tuple[str, ...]  # from best to worst
    standing: Standings
    known: float  # the score of the left-out system by its own ranks
    guessed: float | None = None  # `predicted`: share of the comparisons of misses guessed right

    @property
    def hit_rate(self) -> float:
        """Share of annotations with a hit."""
        return self.hits / self.annotations

    @property
    def place(self) -> int:
        """Index of the left-out system in `systems`."""
        return self.systems.index(self.system)

    @property
    def score(self) -> float:
        """Score of the left-out system."""
        return float(self.standing.scores[self.place])

    @property
    def error(self) -> float:
        """Overestimation of the score of the left-out system."""
        return self.score - self.known

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system."""
        number, standing = len(self.systems), self.standing
        return pl.DataFrame(
            {
                "pair": [self.pair] * number,
                "matching": [self.matching] * number,
                "left_out": [self.system] * number,
                "system": self.systems,
                "score": standing.scores,
                "low": standing.low,
                "high": standing.high,
                "hit_rate": [self.hit_rate] * number,
                "hits": [self.hits] * number,
                "misses": [self.misses] * number,
                "annotations": [self.annotations] * number,
                "edit_distance": [self.distance] * number,
                "known_score": [self.known] * number,
                "guessed": pl.Series([self.guessed] * number, dtype=pl.Float64),
            }
        )


def leave_each_out(
    database: SegmentDatabase,
    matching: Matching,
    resampling: Resampling,
    averaged: Averaged = "systems",
    systems: Sequence[str] = (),
) -> list[LeftOut]:
    """Treat every system (or those named) as unseen in turn."""
    one_of(matching, MATCHINGS, "matching")
    one_of(averaged, AVERAGED, "averaged")
    if matching == "predicted":
        from adjudge.segments.prediction.leave_one_out import (
            predict_each_left_out,  # needs `LeftOut`
        )

        return predict_each_left_out(database, resampling, systems)
    database.need_systems(3)
    apart = distances(database)
    rank = database.rank
    known = ratio_of_wins(np.concatenate([sums.sum(axis=0) for sums in wins_and_losses(rank)]))
    results = []
    for system in systems or database.systems:
        one_of(system, database.systems, "left_out")
        own = database.number_of(system)
        distance, given = nearest(database, apart, system, averaged)
        hit = distance == 0
        if matching == "exact":
            seen = np.where(hit[:, None], rank, np.nan)
        else:
            seen = rank.copy()
            seen[:, own] = given
        scored = resampled_ratio(*wins_and_losses(seen), database.sentence, resampling)
        standing = standings(scored)
        results.append(
            LeftOut(
                pair=database.pair,
                matching=matching,
                resampling=resampling,
                system=system,
                hits=int(hit.sum()),
                misses=int((distance > 0).sum()),
                annotations=database.annotations,
                distance=float(np.maximum(distance, 0).mean()),
                systems=tuple(database.systems[i] for i in standing.order),
                standing=standing,
                known=float(known[own]),
            )
        )
    return results


def mean_error(results: Sequence[LeftOut]) -> tuple[float, float, float]:
    """Mean error, mean |error| and maximum |error| of the left-out systems' scores."""
    errors: Floats = np.array([result.error for result in results])
    return float(errors.mean()), float(np.abs(errors).mean()), float(np.abs(errors).max())
