"""Ranking of systems by the ranks of their segments (Macháček 2014 §3.1.1, Table 3.1a).

    ratio of wins (ignoring ties) = wins / (wins + losses)

over every two systems of every annotation, repeats included. Whole sentences are resampled:
segments of one sentence share its difficulty, and often the judge and the minute.
"""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.segments.database import SegmentDatabase
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.resampling import Codes, Floats, Resampling, units_of
from adjudge.stats.standings import Standings, standings


@dataclass(frozen=True, eq=False)
class SegmentRanking:
    """Systems from best to worst by their ratio of wins, with their uncertainty."""

    pair: str
    resampling: Resampling
    systems: tuple[str, ...]
    scores: Floats
    standing: Standings
    comparisons: Floats  # of each system: wins and losses
    annotations: int
    sentences: int
    effective_sentences: float  # of equal size

    @property
    def level(self) -> float:
        """Confidence level of intervals and ranges."""
        return self.resampling.level

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system."""
        standing = self.standing
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.systems),
                "system": self.systems,
                "rank": standing.rank,
                "score": self.scores,
                "low": standing.low,
                "high": standing.high,
                "rank_low": standing.rank_low,
                "rank_high": standing.rank_high,
                "cluster": standing.cluster,
                "comparisons": self.comparisons.astype(np.int64),
            }
        )


def rank_systems(database: SegmentDatabase, resampling: Resampling) -> SegmentRanking:
    """Rank the systems by all annotations."""
    database.need_systems()
    wins, losses = wins_and_losses(database.rank)
    compared = (wins + losses).sum(axis=0)
    if not compared.all():
        name = database.systems[int(np.flatnonzero(compared == 0)[0])]
        raise NotEnoughData(
            f"{database.pair}: {name} is neither better nor worse than another system in any "
            "segment; leave it out with `without_system`"
        )
    if len(np.unique(database.sentence[(wins + losses).any(axis=1)])) < 2:
        raise NotEnoughData(
            f"{database.pair}: only one sentence tells systems apart, and nothing says how others "
            "would; judge more sentences"
        )
    scored = resampled_ratio(wins, losses, database.sentence, resampling)
    standing = standings(scored)
    return SegmentRanking(
        pair=database.pair,
        resampling=resampling,
        systems=tuple(database.systems[i] for i in standing.order),
        scores=standing.scores,
        standing=standing,
        comparisons=compared[standing.order],
        annotations=database.annotations,
        sentences=len(database.sentences),
        effective_sentences=float(np.min(scored.effective_number)),
    )


def wins_and_losses(rank: Floats) -> tuple[Floats, Floats]:
    """Numbers of systems that each one beats, and loses to, in every annotation (a lower rank
    wins).
    """
    lower = rank[:, :, None] < rank[:, None, :]  # False where one of them is missing
    return lower.sum(axis=2).astype(np.float64), lower.sum(axis=1).astype(np.float64)


def ratio_of_wins(sums: Floats) -> Floats:
    """Ratio wins / (wins + losses); ½ without either. `sums`: all wins, then all losses."""
    wins, losses = np.split(sums, 2, axis=-1)
    both = wins + losses
    return np.divide(wins, both, out=np.full_like(both, 0.5), where=both > 0)


def resampled_ratio(
    wins: Floats, losses: Floats, sentence: Codes, resampling: Resampling
) -> Bootstrapped:
    """Bootstrap the ratio of wins over sentences; no interval from a single sentence."""
    size = (wins + losses).sum(axis=1)
    several = len(np.unique(sentence[size > 0])) > 1
    units = (units_of(sentence, "sentence", size=size),) if several else ()
    drawn = bootstrap(np.hstack([wins, losses]), ratio_of_wins, units, resampling)
    return replace(drawn, scale="share")
