"""Compiled sums over observations in the order of their values; one loop per replicate."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def middle_ranks(weight: Floats, order: Numbers, tied: NDArray[np.bool_], rank: Floats) -> None:
    """Write the mean rank of every observation, with multiplicity `weight`, into `rank`.

    `tied[i]` marks that the i-th value in order equals its predecessor.
    """
    before = 0.0
    first = 0
    while first < len(order):
        end = first + 1
        own = weight[order[first]]
        while end < len(order) and tied[end]:
            own += weight[order[end]]
            end += 1
        for place in range(first, end):
            rank[order[place]] = before + (own + 1) / 2
        before += own
        first = end


@njit(cache=True, nogil=True)
def rank_correlations(
    weights: Floats,
    gold_order: Numbers,
    gold_tied: NDArray[np.bool_],
    orders: Numbers,
    tied: NDArray[np.bool_],
) -> Floats:
    """Pearson's r of mean ranks for every replicate and submission; NaN if one side is constant."""
    replicates, observations = weights.shape
    result = np.empty((replicates, len(orders)))
    of_gold = np.empty(observations)
    own = np.empty(observations)
    for replicate in range(replicates):
        weight = weights[replicate]
        middle = (weight.sum() + 1) / 2
        middle_ranks(weight, gold_order, gold_tied, of_gold)
        for submission in range(len(orders)):
            middle_ranks(weight, orders[submission], tied[submission], own)
            both, first, second = 0.0, 0.0, 0.0
            for i in range(observations):
                a, b = of_gold[i] - middle, own[i] - middle
                both += weight[i] * a * b
                first += weight[i] * a * a
                second += weight[i] * b * b
            known = first > 0 and second > 0
            result[replicate, submission] = both / np.sqrt(first * second) if known else np.nan
    return result


@njit(cache=True, nogil=True)
def ordered_gains(
    weights: Floats,
    gold: Floats,
    orders: Numbers,
    tied: NDArray[np.bool_],
    shares: Floats,
    share_of: Numbers,
) -> Floats:
    """Sum of true values weighted by the share of their positions, for every replicate and
    submission.

    `shares[share_of[replicate], p]` is the cumulative share of the first p positions. Tied
    observations share their positions.
    """
    replicates, observations = weights.shape
    result = np.empty((replicates, len(orders)))
    for replicate in range(replicates):
        weight = weights[replicate]
        share = shares[share_of[replicate]]
        for submission in range(len(orders)):
            order = orders[submission]
            total, before, first = 0.0, 0.0, 0
            while first < observations:
                number, value = 0.0, 0.0
                end = first
                while end == first or (end < observations and tied[submission, end]):
                    number += weight[order[end]]
                    value += weight[order[end]] * gold[order[end]]
                    end += 1
                if number > 0:
                    of_these = share[int(before + number)] - share[int(before)]
                    total += of_these * value / number
                before += number
                first = end
            result[replicate, submission] = total
    return result
