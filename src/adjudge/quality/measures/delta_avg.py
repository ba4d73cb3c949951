"""DeltaAvg: advantage of the top quantiles of a ranking over the mean (WMT13 §6.6).

    DeltaAvg[n] = Σ_{k=1}^{n−1} V(S_{1,k}) / (n − 1) − V(S),    DeltaAvg = mean over n = 2 … ⌊|S|/2⌋

S is cut into n quantiles of ⌊|S|/n⌋ entries, from the best by prediction to the worst; the last one
holds the remainder. S_{1,k} are the first k of them, V the mean of true values. A place in the
order therefore counts with a fixed share, and DeltaAvg is a sum over places:

    share(p) = 1/(N − 1) Σ_n 1/(n − 1) Σ_k [p ≤ k ⌊|S|/n⌋] / (k ⌊|S|/n⌋),    N = ⌊|S|/2⌋

Entries that a prediction does not tell apart share their places, as they would on average over all
orders of them; predicting the same for all gives 0.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from adjudge.quality.measures.kernels import ordered_gains
from adjudge.stats.resampling import Floats

SMALLEST = 4  # entries: two quantiles of two


def delta_avg(weights: Floats, gold: Floats, goodness: Floats) -> Floats:
    """DeltaAvg of every submission (submissions × observations) in every replicate.

    Higher is better for both true values and predictions. NaN for fewer than four entries.
    """
    orders, tied = descending(goodness)
    numbers = weights.sum(axis=1).astype(np.int64)
    different, share_of = np.unique(numbers, return_inverse=True)
    shares = np.zeros((len(different), int(numbers.max()) + 1))
    for place, number in enumerate(different):
        shares[place, : number + 1] = place_shares(int(number))
    gains = ordered_gains(np.ascontiguousarray(weights), gold, orders, tied, shares, share_of)
    value = gains - (weights @ gold / weights.sum(axis=1))[:, None]
    return np.where(numbers[:, None] < SMALLEST, np.nan, value)


def descending(values: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Descending order of each row, and a mask of values equal to their predecessor."""
    orders = np.argsort(-values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, orders, axis=1)
    tied = np.zeros(values.shape, np.bool_)
    tied[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    return orders, tied


@lru_cache(maxsize=1024)  # replicates of documents have different numbers of entries
def place_shares(number: int) -> Floats:
    """Cumulative share of the first p of this many positions, for p = 0 … number."""
    most = number // 2
    ends = np.zeros(number + 1)  # what ends after p places, divided by p
    for quantiles in range(2, most + 1):
        lengths = np.arange(1, quantiles) * (number // quantiles)
        ends[lengths] += 1 / (lengths * (quantiles - 1))
    share = np.cumsum(ends[::-1])[::-1][1:] / max(most - 1, 1)
    total = np.concatenate([[0.0], np.cumsum(share)])
    total.flags.writeable = False
    return total
