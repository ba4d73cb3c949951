"""Correlation of predictions and true values: Pearson's r and Spearman's ρ (WMT13 §6.6).

ρ is r of the ranks; equal values share their mean rank. A coefficient of constant values is
undefined (NaN).
"""

import numpy as np

from adjudge.quality.measures.delta_avg import descending
from adjudge.quality.measures.kernels import rank_correlations
from adjudge.stats.resampling import Floats

_STILL = 1e-12  # a variance relative to the squares is none if it is no larger


def pearson(weights: Floats, gold: Floats, predicted: Floats) -> Floats:
    """Pearson's r of every submission (submissions × observations) in every replicate."""
    number = weights.sum(axis=1, keepdims=True)
    centred = gold - gold.mean()
    own = predicted - predicted.mean(axis=1, keepdims=True)
    mean, means = (weights @ centred)[:, None] / number, weights @ own.T / number
    squares, own_squares = (weights @ centred**2)[:, None] / number, weights @ (own**2).T / number
    both = weights @ (own * centred).T / number - mean * means
    first, second = squares - mean**2, own_squares - means**2
    varies = (first > _STILL * squares) & (second > _STILL * own_squares)
    scale = np.sqrt(np.where(varies, first * second, 1))
    return np.where(varies, np.clip(both / scale, -1, 1), np.nan)


def spearman(weights: Floats, gold: Floats, predicted: Floats) -> Floats:
    """Spearman's ρ of every submission in every replicate."""
    gold_order, gold_tied = descending(gold[None])
    return rank_correlations(
        np.ascontiguousarray(weights), gold_order[0], gold_tied[0], *descending(predicted)
    )
