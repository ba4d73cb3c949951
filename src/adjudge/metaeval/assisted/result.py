"""Metric-assisted ranking of systems, as printed by `adjudge assist`."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.metaeval.assisted.segment_matching import KnownTexts
from adjudge.stats.control_variates import SURPRISE, Control, variance_of_differences
from adjudge.stats.means import MeanUncertainty
from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import Floats, Resampling
from adjudge.stats.simultaneous import Relation
from adjudge.stats.standings import assessed_standings
from adjudge.stats.uncertainty import Uncertainty


@dataclass(frozen=True, eq=False)
class Judged:
    """Language pair, scale and amount of the human judgements."""

    pair: str
    scale: str  # of scores, or the method that turns rankings into scores
    what: str  # score, comparison
    made: str  # how values came about, for a heading
    systems: tuple[str, ...]
    number: Floats  # of judgements, of every system
    segments: int
    holds_for: str
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Assisted:
    """Systems from best to worst by people and a metric together, with their uncertainty."""

    judged: Judged  # its systems in the order in which they were given
    metric: str
    resampling: Resampling  # with the unit that was taken
    power: float  # λ
    segments: int  # that the metric scored
    systems: tuple[str, ...]
    scores: Floats
    low: Floats
    high: Floats
    rank: Ranks
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks
    told_apart: Relation
    better: Floats  # [i, j]: the probability that i is better than j
    alone: Floats  # the scores by people alone
    alone_low: Floats
    alone_high: Floats
    alone_told_apart: int  # pairs of systems
    judgements: Floats  # of every system
    worth: Floats  # so many judgements would be as sure without the metric
    notes: tuple[str, ...]

    @property
    def pair(self) -> str:
        """Language pair."""
        return self.judged.pair

    @property
    def level(self) -> float:
        """Confidence level of intervals and ranges."""
        return self.resampling.level

    @property
    def saved(self) -> Floats:
        """Number of judgements that the metric saved, for every system."""
        return self.worth - self.judgements

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system."""
        number = len(self.systems)
        return pl.DataFrame(
            {
                "pair": [self.pair] * number,
                "scale": [self.judged.scale] * number,
                "metric": [self.metric] * number,
                "system": self.systems,
                "rank": self.rank,
                "score": self.scores,
                "low": self.low,
                "high": self.high,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "cluster": self.cluster,
                "alone": self.alone,
                "alone_low": self.alone_low,
                "alone_high": self.alone_high,
                "judgements": self.judgements.astype(np.int64),
                "worth": self.worth,
                "saved": self.saved,
                "power": [self.power] * number,
                "segments": [self.judged.segments] * number,
                "all_segments": [self.segments] * number,
            }
        )


def assisted(
    judged: Judged,
    known: KnownTexts,
    given: Control,
    strength: float,
    alone: Uncertainty,
    together: Uncertainty,
    resampling: Resampling,
) -> Assisted:
    """Build the standings by `together`, beside those by people `alone`."""
    standing = assessed_standings(together, "simultaneous", resampling.replicates, resampling.seed)
    order = standing.order
    low, high = alone.interval()
    before, after = (
        variance_of_differences(_of_differences(uncertainty)) for uncertainty in (alone, together)
    )
    # More than all segments judged cannot be saved, whatever two estimated variances say.
    most = known.lines / judged.segments
    worth = judged.number * np.minimum(before / after, most)
    return Assisted(
        judged=judged,
        metric=known.submission.metric,
        resampling=resampling,
        power=strength,
        segments=known.lines,
        systems=tuple(judged.systems[i] for i in order),
        scores=standing.scores,
        low=standing.low,
        high=standing.high,
        rank=standing.rank,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        cluster=standing.cluster,
        told_apart=standing.told_apart,
        better=standing.better,
        alone=alone.estimate[order],
        alone_low=low[order],
        alone_high=high[order],
        alone_told_apart=int(alone.told_apart().sum()),
        judgements=judged.number[order],
        worth=worth[order],
        notes=(*judged.notes, *_notes(known, given, strength)),
    )


def _of_differences(uncertainty: Uncertainty) -> Floats:
    contrasts = uncertainty.contrasts if isinstance(uncertainty, MeanUncertainty) else uncertainty
    return contrasts.covariance


def _notes(known: KnownTexts, given: Control, strength: float) -> list[str]:
    metric = known.submission.metric
    notes = []
    if not strength:
        notes.append(
            f"{metric} is not used: on what was judged it does not go with people, or against "
            "them. Is its sign turned?"
        )
    if known.lines <= len(np.unique(given.text)) and not given.beyond.any():
        notes.append("People judged all segments: there is little that a metric could add.")
    if given.surprise() > SURPRISE:
        notes.append(
            f"By {metric} the judged segments differ from all segments by more than chance "
            f"({given.surprise():.1f} standard errors). All of this holds for judged segments that "
            "are a chance choice of all."
        )
    return notes
