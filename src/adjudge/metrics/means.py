"""Metrics whose score of a corpus is the mean of its segments."""

import numpy as np

from adjudge.metrics.metric import Floats
from adjudge.metrics.ratios import ratio


def scores_and_ones(scores: Floats) -> Floats:
    """Statistics that add up to a mean: each segment's score, and one."""
    return np.column_stack([scores, np.ones(len(scores))])


def mean_of(sums: Floats) -> Floats:
    """The mean of summed scores; 0 where there are none."""
    return ratio(sums[..., 0], sums[..., 1])
