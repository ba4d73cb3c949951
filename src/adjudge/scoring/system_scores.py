"""System scores with their uncertainty: what `adjudge scores` prints.

A system's score is the mean over segments of the mean of its (normalised) scores in a segment,
as WMT16 to WMT20 averaged direct assessments: a segment that was scored more often counts no
more. Intervals and rank ranges are from a bootstrap (`resampling`).
"""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from adjudge.comparisons.comparisons import Codes
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.ranking.units import expanded_tail
from adjudge.scoring.normalisation import default_normalisation, normalised
from adjudge.scoring.resampling import (
    Cells,
    ScoreResampling,
    cells,
    effective_number,
    replicated,
    units_of,
)
from adjudge.scoring.scored import Scored, Values
from adjudge.scoring.significance import rank_sum_p, significance_clusters
from adjudge.statistics import ranges
from adjudge.statistics.ranges import Ranks

FEW_UNITS = 10


@dataclass(frozen=True, eq=False)
class SystemScores:
    """Systems from best to worst on one scale, and how sure that is."""

    pair: str
    scale: str
    normalisation: str
    resampling: ScoreResampling
    level: float
    systems: tuple[str, ...]
    scores: Values
    raw: Values  # the same from the scores as given
    low: Values
    high: Values
    rank: Ranks  # systems with equal scores share the better rank
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks  # from the rank ranges
    significance_cluster: Ranks  # from rank-sum tests
    number: NDArray[np.int64]  # of scores
    segments: NDArray[np.int64]
    better: NDArray[np.float64]  # [i, j]: the probability that system i is better than j
    p: NDArray[np.float64]  # [i, j]: rank-sum test that i is better than j, one-sided
    notes: tuple[str, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row a system."""
        following = np.append(np.diagonal(self.better, 1), np.nan)
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.systems),
                "scale": [self.scale] * len(self.systems),
                "system": self.systems,
                "rank": self.rank,
                "score": self.scores,
                "low": self.low,
                "high": self.high,
                "raw": self.raw,
                "rank_low": self.rank_low,
                "rank_high": self.rank_high,
                "cluster": self.cluster,
                "significance_cluster": self.significance_cluster,
                "better_than_next": following,
                "scores": self.number,
                "segments": self.segments,
            }
        ).with_columns(pl.col("better_than_next").fill_nan(None))


def system_scores(
    scored: Scored,
    normalisation: str | None = None,
    resampling: ScoreResampling | None = None,
    level: float = 0.95,
) -> SystemScores:
    """Score the systems of one language pair on one scale."""
    resampling = resampling or ScoreResampling()
    if not 0 < level < 1:
        raise AdjudgeError(f"a confidence level lies between 0 and 1, not at {level:g}")
    if not len(scored):
        raise NotEnoughData(f"{scored.pair}, {scored.scale}: nobody knows whose outputs these are")
    name = normalisation or default_normalisation(scored)
    placed, notes = normalised(scored, name)
    present = np.unique(placed.system)
    placed = _only(placed, present)
    made = cells(placed)
    scores = made.scores()
    order = np.argsort(-np.round(scores, ranges.DIGITS), kind="stable")
    drawn, number = _drawn(placed, scores, resampling)
    replicates = drawn[:, order]
    tail = expanded_tail(level, number)
    low, high = ranges.intervals(replicates, tail)
    rank_low, rank_high = ranges.rank_ranges(replicates, tail)
    p = rank_sum_p(made)[np.ix_(order, order)]
    return SystemScores(
        pair=scored.pair,
        scale=scored.scale,
        normalisation=name,
        resampling=resampling,
        level=level,
        systems=tuple(placed.systems[i] for i in order),
        scores=scores[order],
        raw=cells(_only(scored, present)).scores()[order],
        low=low,
        high=high,
        rank=ranges.best_ranks(scores[order]),
        rank_low=rank_low,
        rank_high=rank_high,
        cluster=ranges.clusters(rank_low, rank_high),
        significance_cluster=significance_clusters(p),
        number=np.bincount(placed.system)[order],
        segments=np.bincount(made.system)[order],
        better=ranges.better(replicates),
        p=p,
        notes=(
            *notes,
            *_left_out(scored, placed),
            *_overlap_notes(placed, made, name),
            *_unit_notes(resampling, number, len(drawn)),
        ),
    )


def _drawn(scored: Scored, scores: Values, resampling: ScoreResampling) -> tuple[Values, float]:
    """The scores in every replicate, and how many units of equal size that is worth."""
    if resampling.unit == "none":
        return scores[None], np.inf
    return replicated(scored, resampling), effective_number(units_of(scored, resampling.unit))


def _only(scored: Scored, present: NDArray[np.integer]) -> Scored:
    """The scores of these systems only."""
    code = np.full(len(scored.systems), -1, np.int32)
    code[present] = np.arange(len(present), dtype=np.int32)
    kept = scored.where(code[scored.system] >= 0)
    names = tuple(scored.systems[i] for i in present)
    return replace(kept, system=code[kept.system], systems=names)


def _left_out(scored: Scored, kept: Scored) -> list[str]:
    notes = []
    lost = [system for system in scored.systems if system not in kept.systems]
    if scored.unattributed:
        notes.append(f"{scored.unattributed:,} scores of outputs of no known system are left out.")
    if lost:
        notes.append(f"No score of {', '.join(lost)} is left.")
    return notes


def _overlap_notes(scored: Scored, made: Cells, normalisation: str) -> list[str]:
    """Systems that were not scored on the same segments, or not by the same judges."""
    notes = []
    apart = _apart(made.system, made.segment, scored.systems)
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
                "may be one between judges (--normalise z)."
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


def _unit_notes(resampling: ScoreResampling, number: float, complete: int) -> list[str]:
    if resampling.unit == "none":
        return ["Nothing was resampled: intervals, ranges and clusters hold no sampling error."]
    notes = []
    if number < FEW_UNITS:
        notes.append(
            f"The {resampling.unit}s are worth no more than {number:.1f} of equal size; intervals "
            "from so few are rough."
        )
    if complete < resampling.replicates:
        notes.append(
            f"{resampling.replicates - complete:,} of {resampling.replicates:,} replicates lacked "
            "some system and are left out; intervals may be too narrow."
        )
    return notes
