"""What a database of segments holds, in numbers."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.segments.database import SegmentDatabase


@dataclass(frozen=True)
class DatabaseSummary:
    """How much there is, and how much of it says something."""

    pair: str
    sentences: int
    segments: int
    annotations: int
    repeated: int  # segments with several annotations
    candidates: int  # ranked texts, each once a segment
    candidates_a_segment: float
    unranked: int  # candidates that nobody ranked, which are left out
    unattributed: int  # candidates of which nobody knows the system
    all_equal: int  # annotations that put all candidates into one rank, or had only one
    systems: int
    judges: int

    def to_frame(self) -> pl.DataFrame:
        """A single row."""
        return pl.DataFrame([vars(self)])


def summarise(database: SegmentDatabase) -> DatabaseSummary:
    """Count."""
    candidates = database.candidates
    segment = pl.Series(database.segment).gather(candidates["annotation"])
    different = candidates.with_columns(segment=segment).unique(["segment", "text"])
    ranks = candidates.group_by("annotation").agg(pl.col("rank").n_unique())
    segments = len(database.segments)
    return DatabaseSummary(
        pair=database.pair,
        sentences=len(database.sentences),
        segments=segments,
        annotations=database.annotations,
        repeated=int((np.bincount(database.segment) > 1).sum()),
        candidates=len(different),
        candidates_a_segment=len(different) / segments,
        unranked=database.unranked,
        unattributed=int((different["systems"].list.len() == 0).sum()),
        all_equal=int((ranks["rank"] == 1).sum()),
        systems=len(database.systems),
        judges=database.judges,
    )
