"""System scores with their uncertainty: what `adjudge scores` prints.

A system's score is the mean over segments of the mean of its (normalised) scores in a segment,
as WMT16 to WMT20 averaged direct assessments: a segment that was scored more often counts no
more. With `unit="auto"` intervals, rank ranges and clusters are to hold for other judges and texts
(`assessment`), rank ranges for all systems at once; with any other unit they are from a bootstrap
(`cells`).

WMT16 to WMT23 tested, for every two systems, whether one's segment scores tend to be higher than
the other's (Wilcoxon's rank-sum test, one-sided, p < 0.05, not adjusted for the number of tests),
and drew a line between clusters where every system above is significantly better than every
system below. The test takes segments as independent of each other and of the other system's, which
they are not where both translated the same segments; so it is careful about close systems, and the
rank ranges stand beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from adjudge.errors import NotEnoughData, one_of
from adjudge.scoring.assessment import population, stand
from adjudge.scoring.cells import Cells, segment_cells
from adjudge.scoring.normalisation import NORMALISATIONS, default_normalisation, normalised
from adjudge.scoring.scored import Scored, Values
from adjudge.statistics.ranks import Ranks
from adjudge.statistics.resampling import Resampling
from adjudge.statistics.significance import rank_sum_tests, significance_clusters
from adjudge.statistics.simultaneous import Relation
from adjudge.statistics.standings import Ranges
from adjudge.statistics.units import Codes


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Systems from best to worst on one scale, and how sure that is."""

    pair: str
    scale: str
    normalisation: str
    resampling: Resampling  # with the unit that was taken
    ranges: Ranges  # as they were made
    holds_for: str  # other judges and documents, these judges, …
    drawn: bool  # are intervals from replicates? Else from variance components
    systems: tuple[str, ...]
    scores: Values
    raw: Values  # the same from the scores as given
    low: Values
    high: Values
    rank: Ranks  # systems with equal scores share the better rank; 0: not placed
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks  # from the rank ranges; 0: not placed
    placed: NDArray[np.bool_]  # are there enough scores to place the system?
    significance_cluster: Ranks  # from rank-sum tests
    number: NDArray[np.int64]  # of scores
    segments: NDArray[np.int64]
    better: NDArray[np.float64]  # [i, j]: the probability that system i is better than j
    told_apart: Relation  # [i, j]: system i is better than j by the rank ranges
    p: NDArray[np.float64]  # [i, j]: rank-sum test that i is better than j, one-sided
    variance_parts: Mapping[str, float]  # mean share of each source in the variance of scores
    notes: tuple[str, ...]

    @property
    def level(self) -> float:
        """The confidence level of intervals and ranges."""
        return self.resampling.level

    def to_frame(self) -> pl.DataFrame:
        """One row a system."""
        following = np.append(np.diagonal(self.better, 1), np.nan)
        following[int(self.placed.sum()) - 1 :] = np.nan  # after it come those not placed
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.systems),
                "scale": [self.scale] * len(self.systems),
                "system": self.systems,
                "rank": self._where_placed(self.rank),
                "score": self.scores,
                "low": self.low,
                "high": self.high,
                "raw": self.raw,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "cluster": self._where_placed(self.cluster),
                "placed": self.placed,
                "significance_cluster": self.significance_cluster,
                "better_than_next": following,
                "scores": self.number,
                "segments": self.segments,
            }
        ).with_columns(pl.col("low", "high", "better_than_next").fill_nan(None))

    def _where_placed(self, numbers: Ranks) -> pl.Series:
        given = zip(numbers, self.placed, strict=True)
        return pl.Series([int(n) if placed else None for n, placed in given], dtype=pl.Int64)


def system_scores(
    scored: Scored,
    normalise: str | None = None,
    resampling: Resampling | None = None,
) -> SystemScores:
    """Score the systems of one language pair on one scale.

    `normalise` names one of `NORMALISATIONS`; by default z where judges are known, else raw.
    """
    if normalise is not None:
        one_of(normalise, NORMALISATIONS, "normalise")
    if not len(scored):
        raise NotEnoughData(f"{scored.pair}, {scored.scale}: nobody knows whose outputs these are")
    name = normalise or default_normalisation(scored)
    kept, notes = normalised(scored, name)
    present = np.unique(kept.system)
    kept = kept.among(present)
    cells = segment_cells(kept)
    resampling = resampling or Resampling()
    if resampling.unit != "none" and len(cells.mean) == len(present) == len(kept) > 1:
        raise NotEnoughData(
            f"{scored.pair}, {scored.scale}: one score a system cannot say how sure it is; give "
            "the scores of segments (….seg.score)"
        )
    stood = stand(kept, cells, resampling)
    standing = stood.standing
    order = standing.order
    p = rank_sum_tests(cells.samples())[np.ix_(order, order)]
    return SystemScores(
        pair=scored.pair,
        scale=scored.scale,
        normalisation=name,
        resampling=stood.resampling,
        ranges="wmt13" if stood.drawn else "simultaneous",
        holds_for=population(kept, stood.resampling.unit),
        drawn=stood.drawn,
        systems=tuple(kept.systems[i] for i in order),
        scores=standing.scores,
        raw=segment_cells(scored.among(present)).scores()[order],
        low=standing.low,
        high=standing.high,
        rank=standing.rank,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        cluster=standing.cluster,
        placed=stood.placed[order],
        significance_cluster=significance_clusters(p),
        number=np.bincount(kept.system)[order],
        segments=np.bincount(cells.system)[order],
        better=standing.better,
        told_apart=standing.told_apart,
        p=p,
        variance_parts=stood.variance_parts,
        notes=(
            *notes,
            *_left_out(scored, kept),
            *_overlap_notes(kept, cells, name),
            *stood.notes,
        ),
    )


def _left_out(scored: Scored, kept: Scored) -> list[str]:
    notes = []
    lost = [system for system in scored.systems if system not in kept.systems]
    if scored.unattributed:
        notes.append(f"{scored.unattributed:,} scores of outputs of no known system are left out.")
    if lost:
        notes.append(f"No score of {', '.join(lost)} is left.")
    return notes


def _overlap_notes(scored: Scored, cells: Cells, normalisation: str) -> list[str]:
    """Systems that were not scored on the same segments, or not by the same judges."""
    notes = []
    apart = _apart(cells.system, cells.segment, scored.systems)
    if apart:
        notes.append(
            f"{apart} have no segment in common: what looks like a difference between systems may "
            "be one between segments."
        )
    known = scored.judge >= 0
    if normalisation == "raw" and known.any():
        apart = _apart(scored.system[known], scored.judge[known], scored.systems)
        if apart:
            notes.append(
                f"{apart} have no judge in common: what looks like a difference between systems "
                'may be one between judges (`normalise="z"`).'
            )
    return notes


def _apart(system: Codes, thing: Codes, systems: tuple[str, ...]) -> str:
    """Two systems without any such thing in common, and how many more such pairs there are."""
    shape = (len(systems), int(thing.max(initial=0)) + 1)
    seen = sparse.csr_array((np.ones(len(system)), (system, thing)), shape=shape)
    first, second = np.nonzero(np.triu((seen @ seen.T).toarray() == 0, 1))
    if not len(first):
        return ""
    more = f" (and {len(first) - 1:,} more pairs)" if len(first) > 1 else ""
    return f"{systems[first[0]]} and {systems[second[0]]}{more}"
