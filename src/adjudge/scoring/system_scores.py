"""System scores with their uncertainty: what `adjudge scores` prints.

With `unit="auto"` the score of a system is adjusted for judges and texts by a mixed model
(`adjusted_scores`), and intervals, rank ranges and clusters hold for other judges and texts, rank
ranges for all systems at once. With any other unit it is the mean over segments of the mean of its
scores in a segment, as WMT16 to WMT20 averaged direct assessments: a segment that was scored more
often counts no more; intervals, ranges and clusters are from a bootstrap (`cells`).

WMT16 to WMT23 tested, for every two systems, whether one's segment scores tend to be higher than
the other's (Wilcoxon's rank-sum test, one-sided, p < 0.05, not adjusted for the number of tests),
and drew a line between clusters where every system above is significantly better than every
system below. The test takes segments as independent of each other and of the other system's, which
they are not where both translated the same segments; so it is careful about close systems, and the
rank ranges stand beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData, one_of
from adjudge.scoring.assessment import Tally, stand, tally_of
from adjudge.scoring.cells import segment_cells
from adjudge.scoring.normalisation import NORMALISATIONS, default_normalisation, normalised
from adjudge.scoring.score_matrix import Scored, Values
from adjudge.stats.means import MeanUncertainty
from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import Resampling
from adjudge.stats.simultaneous import Relation
from adjudge.stats.standings import Ranges
from adjudge.stats.tests import rank_sum_tests, significance_clusters


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Systems from best to worst on one scale, and how sure that is."""

    pair: str
    scale: str
    normalisation: str
    resampling: Resampling  # with the unit that was taken
    ranges: Ranges  # as they were made
    holds_for: str  # other judges and documents, these judges, …
    drawn: bool  # are intervals from replicates? Else scores are adjusted by the mixed model
    systems: tuple[str, ...]
    scores: Values
    raw: Values  # means over segments of the scores as given
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

    `normalise` names one of `NORMALISATIONS`. By default scores are taken as given where the model
    adjusts them for judges (`unit="auto"`); where a bootstrap is asked for, z-scores are taken if
    judges are known, except on scales that are never normalised (`AS_GIVEN`).
    """
    if normalise is not None:
        one_of(normalise, NORMALISATIONS, "normalise")
    if not len(scored):
        raise NotEnoughData(f"{scored.pair}, {scored.scale}: nobody knows whose outputs these are")
    resampling = resampling or Resampling()
    known = bool((scored.judge >= 0).any())
    by_model = resampling.unit == "auto"
    name = normalise or ("raw" if by_model else default_normalisation(scored.scale, known))
    kept, notes = normalised(scored, name)
    present = np.unique(kept.system)
    kept = kept.among(present)
    raw = segment_cells(scored.among(present)).scores()
    tally = tally_of(kept, raw, resampling)
    if scored.unattributed:
        left_out = f"{scored.unattributed:,} scores of outputs of no known system are left out."
        notes = (*notes, left_out)
    lost = [system for system in scored.systems if system not in kept.systems]
    return in_order(scored.pair, scored.scale, name, tally, (*notes, *lost_note(lost)))


def in_order(
    pair: str, scale: str, normalisation: str, tally: Tally, notes: Sequence[str]
) -> SystemScores:
    """The systems from best to worst, by what scores say of them."""
    stood = stand(tally)
    standing = stood.standing
    order = standing.order
    p = rank_sum_tests(tally.means, tally.times)[np.ix_(order, order)]
    return SystemScores(
        pair=pair,
        scale=scale,
        normalisation=normalisation,
        resampling=tally.resampling,
        ranges="wmt13" if stood.drawn else "simultaneous",
        holds_for=tally.holds_for,
        drawn=stood.drawn,
        systems=tuple(tally.systems[i] for i in order),
        scores=standing.scores,
        raw=tally.raw[order],
        low=standing.low,
        high=standing.high,
        rank=standing.rank,
        rank_low=standing.rank_low,
        rank_high=standing.rank_high,
        cluster=standing.cluster,
        placed=stood.placed[order],
        significance_cluster=significance_clusters(p),
        number=tally.number[order],
        segments=tally.segments[order],
        better=standing.better,
        told_apart=standing.told_apart,
        p=p,
        variance_parts=stood.variance_parts,
        notes=(*notes, *_overlap_notes(tally, normalisation), *stood.notes),
    )


def lost_note(systems: Sequence[str]) -> list[str]:
    """Which systems have no score left."""
    return [f"No score of {', '.join(systems)} is left."] if systems else []


def _overlap_notes(tally: Tally, normalisation: str) -> list[str]:
    """Systems that were not scored on the same segments, or not by the same judges."""
    notes = []
    apart = _apart(tally.in_segments, tally.systems)
    if apart:
        notes.append(
            f"{apart} have no segment in common: what looks like a difference between systems may "
            "be one between segments."
        )
    apart = _apart(tally.by_judges, tally.systems)
    adjusted = isinstance(tally.found, MeanUncertainty) and "judge" in tally.found.parts
    if apart and normalisation == "raw" and tally.by_judges.any() and not adjusted:
        notes.append(
            f"{apart} have no judge in common: what looks like a difference between systems "
            'may be one between judges (`normalise="z"`).'
        )
    return notes


def _apart(together: NDArray[np.bool_], systems: tuple[str, ...]) -> str:
    """Two systems that have nothing in common, and how many more such pairs there are."""
    first, second = np.nonzero(np.triu(~together, 1))
    if not len(first):
        return ""
    more = f" (and {len(first) - 1:,} more pairs)" if len(first) > 1 else ""
    return f"{systems[first[0]]} and {systems[second[0]]}{more}"
