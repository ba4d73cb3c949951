"""Standings: candidates from best to worst by a bootstrapped score, and how sure that is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.statistics.bootstrap import Bootstrapped
from adjudge.statistics.intervals import expanded_tail
from adjudge.statistics.ranks import (
    DIGITS,
    Ranks,
    best_ranks,
    better,
    clusters,
    rank_ranges,
    rank_shares,
)
from adjudge.statistics.resampling import Unit
from adjudge.statistics.units import FEW_UNITS, Floats


@dataclass(frozen=True, eq=False)
class Standings:
    """Every array in the order of the scores, the best first."""

    order: NDArray[np.int64]  # of the candidates as they were given
    scores: Floats
    low: Floats
    high: Floats
    rank: Ranks  # equal scores share the better rank
    rank_low: Ranks
    rank_high: Ranks
    cluster: Ranks
    better: Floats  # [i, j]: the probability that i is better than j
    rank_shares: Floats  # [i, r]: the share of replicates with i at rank r + 1


def standings(scored: Bootstrapped) -> Standings:
    """Order the candidates; intervals, rank ranges and clusters from the same replicates."""
    order = np.argsort(-np.round(scored.estimate, DIGITS), kind="stable")
    scores = scored.estimate[order]
    replicates = scored.replicates[:, order]
    low, high = scored.interval()
    tail = float(expanded_tail(scored.level, np.min(scored.effective_number)))
    rank_low, rank_high = rank_ranges(replicates, tail)
    return Standings(
        order=order,
        scores=scores,
        low=low[order],
        high=high[order],
        rank=best_ranks(scores),
        rank_low=rank_low,
        rank_high=rank_high,
        cluster=clusters(rank_low, rank_high),
        better=better(replicates),
        rank_shares=rank_shares(replicates),
    )


def resampling_notes(unit: Unit, effective_number: float | Floats) -> list[str]:
    """What a reader of intervals should know of the units they were drawn by."""
    if unit == "none":
        return ["Nothing was resampled: intervals, ranges and clusters hold no sampling error."]
    number = np.min(effective_number)
    if number >= FEW_UNITS:
        return []
    drawn = " or ".join(f"{part}s" for part in unit.split("+"))
    return [
        f"The {drawn} are worth no more than {number:.1f} of equal size; intervals "
        "from so few are rough."
    ]
