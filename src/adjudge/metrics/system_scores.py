"""System scores by a metric, with intervals, rank ranges and clusters.

Segments, or whole documents, are drawn with replacement, the same for all systems, and the score of
the drawn corpus is computed from summed statistics. Documents are the default where at least ten
are known: segments of one document resemble each other, and drawing them singly makes intervals too
narrow.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.metrics.metric import Floats, Metric
from adjudge.metrics.sufficient_statistics import Measured
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import FEW_UNITS, Resampling, Unit, Units, units_of
from adjudge.stats.standings import resampling_notes, standings

METRIC_UNITS: tuple[Unit, ...] = ("segment", "document", "none")


@dataclass(frozen=True, eq=False)
class MetricScores:
    """Systems from best to worst by one metric, with their uncertainty."""

    metric: Metric
    pair: str
    resampling: Resampling
    systems: tuple[str, ...]
    scores: Floats
    low: Floats
    high: Floats
    rank: Ranks
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks
    better: Floats  # [i, j]: the probability that system i is better than j
    segments: int
    documents: int | None
    references: int
    notes: tuple[str, ...]

    @property
    def level(self) -> float:
        """Confidence level of intervals and ranges."""
        return self.resampling.level

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system."""
        number = len(self.systems)
        following = np.append(np.diagonal(self.better, 1), np.nan)
        return pl.DataFrame(
            {
                "pair": [self.pair or None] * number,
                "metric": [str(self.metric)] * number,
                "system": self.systems,
                "rank": self.rank,
                "score": self.scores,
                "low": self.low,
                "high": self.high,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "cluster": self.cluster,
                "better_than_next": following,
                "segments": [self.segments] * number,
                "documents": [self.documents] * number,
                "references": [self.references] * number,
                "sacrebleu": [self.metric.peer_signature(self.references)] * number,
            },
            schema_overrides={"pair": pl.String, "documents": pl.Int64, "sacrebleu": pl.String},
        ).with_columns(pl.col("better_than_next").fill_nan(None))


def chosen_unit(measured: Measured, resampling: Resampling) -> Resampling:
    """Choose documents if enough are known, unless a unit is requested."""
    known = len(np.unique(measured.document[measured.document >= 0]))
    usual: tuple[Unit, ...] = METRIC_UNITS
    if known >= FEW_UNITS:
        usual = ("document", "segment", "none")
    return resampling.among(usual)


def drawn_units(measured: Measured, resampling: Resampling) -> tuple[Units, ...]:
    """Resampling units; empty if no resampling is requested."""
    if resampling.unit == "none":
        return ()
    each = np.arange(measured.segments)
    label = measured.document if resampling.unit == "document" else each
    return (units_of(label, resampling.unit, about=measured.pair),)


def resampled(measured: Measured, resampling: Resampling) -> Bootstrapped:
    """Bootstrap the scores of all systems, oriented so that higher is better."""
    units = drawn_units(measured, resampling)
    return bootstrap(measured.flat(), measured.oriented, units, resampling)


def metric_scores(measured: Measured, resampling: Resampling) -> MetricScores:
    """Rank the systems by one metric."""
    resampling = chosen_unit(measured, resampling)
    scored = resampled(measured, resampling)
    standing = standings(scored)
    documents = np.unique(measured.document[measured.document >= 0])
    ends = (measured.sign * standing.low, measured.sign * standing.high)
    return MetricScores(
        metric=measured.metric,
        pair=measured.pair,
        resampling=resampling,
        systems=tuple(measured.systems[i] for i in standing.order),
        scores=measured.sign * standing.scores,
        low=np.minimum(*ends) + 0.0,  # no minus before a zero
        high=np.maximum(*ends) + 0.0,
        rank=standing.rank,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        cluster=standing.cluster,
        better=standing.better,
        segments=measured.segments,
        documents=len(documents) or None,
        references=measured.references,
        notes=tuple(resampling_notes(resampling.unit, scored.effective_number)),
    )
