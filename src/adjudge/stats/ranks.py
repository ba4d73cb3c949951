"""Ranks from replicates of scores: ranges, clusters, the probability of being better.

In a replicate with equal scores, the best rank of a candidate is one more than the number of
candidates strictly above it, its worst rank the number of candidates not below it; its range runs
from the best ranks to the worst. Candidates that tie in many replicates so share their range,
whatever order they are listed in, and are never put into different clusters by chance.
"""

from math import ceil

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]  # (…, candidates)
Ranks = NDArray[np.int64]

# Sums in another order differ in the last bits; scores closer than this are equal.
DIGITS = 12


def best_ranks(scores: Scores) -> Ranks:
    """Best rank in every replicate: 1 + the number of candidates with a higher score."""
    falling = -np.round(scores, DIGITS)
    order = falling.argsort(axis=-1)
    ordered = np.take_along_axis(falling, order, axis=-1)
    first = np.ones(scores.shape, np.int64)  # of those with the same score, in the order
    first[..., 1:] = np.where(
        ordered[..., 1:] > ordered[..., :-1], np.arange(2, scores.shape[-1] + 1), 1
    )
    ranks = np.empty_like(first)
    np.put_along_axis(ranks, order, np.maximum.accumulate(first, axis=-1), axis=-1)
    return ranks


def mean_ranks(values: Scores) -> Scores:
    """Mean rank of each value along the last axis, the lowest first; equal values share their mean
    rank.
    """
    order = values.argsort(axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    place = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    steps = np.ones(values.shape, bool)  # is it another value than the one before?
    steps[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.maximum.accumulate(np.where(steps, place, 0), axis=-1)
    ends = np.ones(values.shape, bool)
    ends[..., :-1] = steps[..., 1:]
    far = np.where(ends, place, values.shape[-1])
    last = np.flip(np.minimum.accumulate(np.flip(far, -1), axis=-1), -1)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, 1 + (first + last) / 2, axis=-1)
    return ranks


def worst_ranks(scores: Scores) -> Ranks:
    """Worst rank in every replicate: the number of candidates with no lower score, itself
    included.
    """
    number: int = scores.shape[-1]
    return number + 1 - best_ranks(-scores)


def rank_ranges(replicates: Scores, tail: float) -> tuple[Ranks, Ranks]:
    """Rank ranges of WMT (WMT13 §3.4): sort a candidate's ranks, drop ⌈tail⌉ of them at either
    end.
    """
    number = len(replicates)
    # Rounded first, or 0.025 · 1000 would be a little more than 25 and drop 26.
    drop = min(ceil(round(tail * number, 6)), (number - 1) // 2)
    best = np.sort(best_ranks(replicates), axis=0)
    worst = np.sort(worst_ranks(replicates), axis=0)
    return best[drop], worst[number - 1 - drop]


def clusters(rank_low: Ranks, rank_high: Ranks) -> Ranks:
    """Cluster numbers, from 1, of candidates in score order.

    A cluster ends where no range so far reaches a range to come (WMT13 §3.4).
    """
    reached = np.maximum.accumulate(rank_high)
    to_come = np.minimum.accumulate(rank_low[::-1])[::-1]
    ends = reached[:-1] < to_come[1:]
    return np.concatenate([[1], 1 + np.cumsum(ends)])


def better(replicates: Scores) -> NDArray[np.float64]:
    """Matrix `better[i, j]`: the share of replicates in which i is better than j, ties counting
    half.
    """
    rounded = np.round(replicates, DIGITS)
    return np.stack(
        [
            ((score[:, None] > rounded) + 0.5 * (score[:, None] == rounded)).mean(axis=0)
            for score in rounded.T
        ]
    )


def rank_shares(replicates: Scores) -> NDArray[np.float64]:
    """Matrix `[i, r]`: the share of replicates with i at rank r + 1; tied candidates share their
    ranks.
    """
    number, candidates = replicates.shape
    best, worst = best_ranks(replicates), worst_ranks(replicates)
    share = 1 / (worst - best + 1) / number
    row = np.arange(candidates)
    # What begins at the best rank ends after the worst.
    steps = np.zeros((candidates, candidates + 1))
    np.add.at(steps, (row, best - 1), share)
    np.add.at(steps, (row, worst), -share)
    return np.asarray(np.maximum(steps.cumsum(axis=1)[:, :-1], 0.0))
