"""Ranked candidates nearest to an unranked one, and how well their ranks predict its rank.

Distances are character edits.

Levenshtein's distance over code points (Macháček 2014 §3.2.2). Distances are computed once for
every pair of texts in an annotation, by RapidFuzz on all processors.

The rank of the nearest candidate is compared with the true one (Macháček 2014 §3.2.2).

Of every candidate that only one system made (a miss), taken for unseen: how far the nearest
candidate of another system is, and whether its rank is worse than, equal to or better than the
rank that judges gave. A mean of ranks that is not the true rank is not equal to it. By system it is
Table 3.5, by distance Figure 3.3; the numbers of segments by distance are Figure 3.2; single ones
are Table 3.6.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from adjudge.core.errors import one_of
from adjudge.segments.database import SegmentDatabase
from adjudge.stats.resampling import Floats

Averaged = Literal["systems", "segments"]
AVERAGED: tuple[Averaged, ...] = ("systems", "segments")

Distances = NDArray[np.int32]
FAR = np.iinfo(np.int32).max  # where a system has no candidate


def distances(database: SegmentDatabase) -> Distances:
    """Edit distances between candidates (annotations × systems × systems); `FAR` if one is
    missing.
    """
    first, second = database.text[:, :, None], database.text[:, None, :]
    both = (first >= 0) & (second >= 0)
    low, high = np.minimum(first, second)[both], np.maximum(first, second)[both]
    pairs, place = np.unique(low * np.int64(len(database.texts)) + high, return_inverse=True)
    texts = np.array(database.texts, dtype=object)
    lows, highs = np.divmod(pairs, len(database.texts))
    edits = cpdist(
        texts[lows], texts[highs], scorer=Levenshtein.distance, dtype=np.int32, workers=-1
    )
    apart = np.full(both.shape, FAR, np.int32)
    apart[both] = edits[place]
    return apart


def nearest(
    database: SegmentDatabase, apart: Distances, system: str, averaged: Averaged = "systems"
) -> tuple[NDArray[np.int64], Floats]:
    """Distance and rank of the nearest candidate of another system, for every annotation.

    Ranks of equally near candidates are averaged: over the *systems* that made them, as published
    (a candidate of three systems counts three times), or over different segments. The distance is
    −1 and the rank NaN if the system itself, or every other, has no candidate.
    """
    own = database.number_of(system)
    others = np.delete(np.arange(len(database.systems)), own)
    to_others = apart[:, own, others].astype(np.int64)
    least = to_others.min(axis=1)
    near = (to_others == least[:, None]) & (to_others < FAR)
    if averaged == "segments":
        near &= _first_of_each(database.text[:, others])
    number = near.sum(axis=1)
    total = np.where(near, database.rank[:, others], 0.0).sum(axis=1)
    mean = np.divide(total, number, out=np.full(len(total), np.nan), where=number > 0)
    return np.where(number > 0, least, -1), mean


def _first_of_each(text: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Test whether the text of each column first occurs there."""
    first = np.ones(text.shape, bool)
    for column in range(1, text.shape[1]):
        first[:, column] = (text[:, :column] != text[:, column, None]).all(axis=1)
    return first


COMPARED = ("worse", "equal", "better")
ALL = "all"


@dataclass(frozen=True, eq=False)
class ClosestRanks:
    """Candidates of all systems, each with the nearest candidate of the others."""

    pair: str
    averaged: Averaged
    rows: pl.DataFrame  # system, annotation, text, distance, closest (a text), rank, given

    @cached_property
    def misses(self) -> pl.DataFrame:
        """Candidates that no other system made, and the comparison with the nearest one's rank."""
        return self.rows.filter(pl.col("distance") > 0).with_columns(
            pl.when(pl.col("given") > pl.col("rank"))
            .then(pl.lit("worse"))
            .when(pl.col("given") < pl.col("rank"))
            .then(pl.lit("better"))
            .otherwise(pl.lit("equal"))
            .alias("compared")
        )

    def by_system(self) -> pl.DataFrame:
        """Return one row per system, and one for all: misses, and the shares of worse, equal,
        better.
        """
        whole = self.misses.with_columns(system=pl.lit(ALL))
        counted = pl.concat([self.misses, whole]).group_by("system", maintain_order=True)
        shares = [(pl.col("compared") == name).mean().alias(name) for name in COMPARED]
        return counted.agg(pl.len().alias("misses"), *shares)

    def by_distance(self) -> pl.DataFrame:
        """Return one row per distance: the misses of all systems, and the shares."""
        shares = [(pl.col("compared") == name).mean().alias(name) for name in COMPARED]
        grouped = self.misses.group_by("distance").agg(pl.len().alias("misses"), *shares)
        return grouped.sort("distance")

    def to_frame(self) -> pl.DataFrame:
        """Return one row per system and distance (0: a hit): numbers of candidates."""
        compared = self.misses.select("system", "annotation", "compared")
        rows = self.rows.join(compared, on=["system", "annotation"], how="left")
        numbers = [(pl.col("compared") == name).sum().alias(name) for name in COMPARED]
        counted = rows.group_by("system", "distance").agg(pl.len().alias("candidates"), *numbers)
        return counted.sort("system", "distance").select(pl.lit(self.pair).alias("pair"), pl.all())

    def examples(self, number: int, seed: int = 1) -> pl.DataFrame:
        """Draw some misses at random, each with the first of its nearest candidates."""
        drawn = np.random.default_rng(seed).permutation(len(self.misses))[:number]
        return self.misses[np.sort(drawn)].select(
            pl.lit(self.pair).alias("pair"),
            "system",
            pl.col("text").alias("unseen"),
            "closest",
            "distance",
            "rank",
            "given",
            "compared",
        )


def closest_ranks(database: SegmentDatabase, averaged: Averaged = "systems") -> ClosestRanks:
    """Treat every system as unseen, and compare."""
    one_of(averaged, AVERAGED, "averaged")
    database.need_systems(3)
    apart = distances(database)
    texts = np.array(database.texts, dtype=object)
    frames = []
    for own, system in enumerate(database.systems):
        distance, given = nearest(database, apart, system, averaged)
        kept = np.flatnonzero(distance >= 0)
        to_others = apart[kept, own].astype(np.int64)
        to_others[:, own] = np.iinfo(np.int64).max
        closest = database.text[kept, to_others.argmin(axis=1)]
        frames.append(
            pl.DataFrame(
                {
                    "system": [system] * len(kept),
                    "annotation": kept,
                    "text": texts[database.text[kept, own]],
                    "distance": distance[kept],
                    "closest": texts[closest],
                    "rank": database.rank[kept, own],
                    "given": given[kept],
                },
                schema_overrides={"text": pl.String, "closest": pl.String},
            )
        )
    return ClosestRanks(database.pair, averaged, pl.concat(frames))
