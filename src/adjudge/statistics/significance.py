"""Tests of whether one of two is better, and the clusters that such tests make.

The exact sign test asks how likely a split of paired decisions at least as uneven would be if
either side were as likely to win: p = 2 · P(X ≤ min(wins)), X binomial with probability 1/2, at
most 1. Wilcoxon's rank-sum test (the same as Mann and Whitney's U) asks whether one sample tends
to be higher than another, the two being independent.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from adjudge.statistics.units import Floats

SIGNIFICANT = 0.05


def sign_test(wins: NDArray[np.int64], losses: NDArray[np.int64]) -> Floats:
    """The exact two-sided p; 1 where nothing was decided."""
    return np.asarray(np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses), wins + losses, 0.5)))


def rank_sum_tests(samples: Sequence[Floats]) -> Floats:
    """`p[i, j]`, one-sided: how likely i is so much higher than j if neither is."""
    from scipy.stats import mannwhitneyu  # takes long to load, and few need it

    p = np.ones((len(samples), len(samples)))
    for i, j in combinations(range(len(samples)), 2):
        for a, b in ((i, j), (j, i)):
            test = mannwhitneyu(samples[a], samples[b], alternative="greater", method="asymptotic")
            p[a, b] = test.pvalue
    return p


def significance_clusters(p: Floats, level: float = SIGNIFICANT) -> NDArray[np.int64]:
    """The cluster, from 1, of candidates given in score order.

    A cluster ends where every candidate above is significantly better than every one below.
    """
    better = p < level
    ends = [better[: k + 1, k + 1 :].all() for k in range(len(p) - 1)]
    return np.concatenate([[1], 1 + np.cumsum(ends, dtype=np.int64)])
