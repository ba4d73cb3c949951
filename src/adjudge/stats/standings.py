"""Standings: candidates from best to worst by score, with intervals and rank ranges."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.core.options import Ranges as Ranges
from adjudge.core.options import choices
from adjudge.stats.bootstrap import Bootstrapped
from adjudge.stats.ranks import (
    DIGITS,
    Ranks,
    best_ranks,
    better,
    clusters,
    rank_ranges,
    rank_shares,
)
from adjudge.stats.resampling import FEW_UNITS, Floats, Unit
from adjudge.stats.simultaneous import Relation, simultaneous_ranges
from adjudge.stats.tests import expanded_tail
from adjudge.stats.uncertainty import Uncertainty

# What rank ranges promise: all of them at once, or each by itself as WMT13 §3.4 has it. `auto` is
# the first where the unit is chosen from the data, and WMT's where a unit is asked for.
RANGES = choices(Ranges)

FEW_EFFECTIVE = 5  # units, of which even variance components know little


@dataclass(frozen=True, eq=False)
class Standings:
    """Candidates with their statistics, every array in score order, best first."""

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
    """Order of the candidates from best to worst; ties keep the given order."""
    return np.argsort(-np.round(scores, DIGITS), kind="stable")


def standings(scored: Bootstrapped) -> Standings:
    """Order the candidates; intervals, rank ranges and clusters come from the same replicates."""
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
    """Order the candidates; intervals, tests and ranges come from the covariance of their scores.

    Rank shares, and ranges by `wmt13`, are computed from `draws` score vectors drawn with that
    covariance.
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


def with_unplaced(
    placed: Standings,
    mask: NDArray[np.bool_],
    score: Floats,
    ends: tuple[Floats, Floats],
    better: Floats,
) -> Standings:
    """Append the candidates outside `mask`, which cannot be placed, to the standings.

    They have their score, its interval and the probability of being better among all candidates,
    any rank in their range, and rank and cluster 0.
    """
    low, high = ends
    last = np.flatnonzero(~mask)[np.argsort(-score[~mask], kind="stable")]
    order = np.concatenate([np.flatnonzero(mask)[placed.order], last])
    number, first = len(mask), int(mask.sum())
    among_all = better[np.ix_(order, order)]
    among_all[:first, :first] = placed.better
    apart = np.zeros((number, number), bool)
    apart[:first, :first] = placed.told_apart
    shares = np.zeros((number, number))
    shares[:first, :first] = placed.rank_shares
    shares[first:] = 1 / number
    nothing = np.zeros(len(last), np.int64)
    return Standings(
        order=order,
        scores=np.append(placed.scores, score[last]),
        low=np.append(placed.low, low[last]),
        high=np.append(placed.high, high[last]),
        rank=np.append(placed.rank, nothing),
        rank_low=np.append(placed.rank_low, nothing + 1),
        rank_high=np.append(placed.rank_high, nothing + number),
        cluster=np.append(placed.cluster, nothing),
        better=among_all,
        rank_shares=shares,
        told_apart=apart,
    )


def resampling_notes(unit: Unit, effective_number: float | Floats) -> list[str]:
    """Notes on the reliability of intervals based on these units."""
    if unit == "none":
        return ["Nothing was resampled: intervals, ranges and clusters hold no sampling error."]
    number = np.min(effective_number)
    if number >= FEW_UNITS:
        return []
    drawn = " or ".join(f"{part}s" for part in unit.split("+"))
    return [
        f"Effective number of {drawn}: {number:.1f}; intervals from so few units are approximate."
    ]


def unplaced_note(
    names: Sequence[str], numbers: Sequence[float], what: str, besides: str = ""
) -> list[str]:
    """Note on candidates with too little evidence to be placed; `what` names the evidence."""
    if not names:
        return []
    each = [f"{name} ({number:.1f})" for name, number in zip(names, numbers, strict=True)]
    they = "it" if len(names) == 1 else "them"
    return [
        f"Not enough judgements to place {they}: {', '.join(each)}. In parentheses: how many "
        f"{what}s of equal weight the score rests on; a place takes ten{besides}. The others are "
        f"compared without {they}."
    ]
