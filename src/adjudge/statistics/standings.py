"""Standings: candidates from best to worst by a bootstrapped score, and how sure that is."""

from dataclasses import dataclass
from typing import Literal, get_args

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
from adjudge.statistics.simultaneous import Relation, simultaneous_ranges
from adjudge.statistics.uncertainty import Uncertainty
from adjudge.statistics.units import FEW_UNITS, Floats

# What rank ranges promise: all of them at once, or each by itself as WMT13 §3.4 has it. `auto` is
# the first where the unit is chosen from the data, and WMT's where a unit is asked for.
Ranges = Literal["auto", "simultaneous", "wmt13"]
RANGES: tuple[Ranges, ...] = get_args(Ranges)


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
    told_apart: Relation  # [i, j]: the range of i ends above that of j


def order_of(scores: Floats) -> NDArray[np.int64]:
    """The candidates from best to worst; those with equal scores as they were given."""
    return np.argsort(-np.round(scores, DIGITS), kind="stable")


def standings(scored: Bootstrapped) -> Standings:
    """Order the candidates; intervals, rank ranges and clusters from the same replicates."""
    order = order_of(scored.estimate)
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
        told_apart=np.less.outer(rank_high, rank_low),
    )


def assessed_standings(scored: Uncertainty, ranges: Ranges, draws: int, seed: int) -> Standings:
    """Order the candidates; intervals, tests and ranges from the covariance of their scores.

    Rank shares, and ranges by `wmt13`, are of `draws` sets of scores drawn with that covariance.
    """
    order = order_of(scored.estimate)
    both = np.ix_(order, order)
    scores = scored.estimate[order]
    low, high = scored.interval()
    drawn = scored.draws(draws, seed)[:, order]
    if ranges == "wmt13":
        rank_low, rank_high = rank_ranges(drawn, (1 - scored.level) / 2)
        apart = np.less.outer(rank_high, rank_low)
    else:
        apart = scored.told_apart()[both]
        rank_low, rank_high = simultaneous_ranges(apart)
    return Standings(
        order=order,
        scores=scores,
        low=low[order],
        high=high[order],
        rank=best_ranks(scores),
        rank_low=rank_low,
        rank_high=rank_high,
        cluster=clusters(rank_low, rank_high),
        better=scored.better()[both],
        rank_shares=rank_shares(drawn),
        told_apart=apart,
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
