"""Which systems differ: Wilcoxon rank-sum tests, and the clusters WMT made of them.

WMT16 to WMT23 tested, for every two systems, whether one's segment scores tend to be higher than
the other's (Wilcoxon's rank-sum test, the same as Mann and Whitney's U; one-sided, p < 0.05, not
adjusted for the number of tests), and drew a line between clusters where every system above is
significantly better than every system below. The test takes segments as independent of each
other and of the other system's, which they are not where both translated the same segments; so
it is careful about close systems, and the bootstrap's rank ranges stand beside it.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu

from adjudge.scoring.resampling import Cells

SIGNIFICANT = 0.05


def rank_sum_p(made: Cells) -> NDArray[np.float64]:
    """`p[i, j]`: how likely scores as high as i's beside j's are if neither is better."""
    p = np.ones((made.systems, made.systems))
    scores = [made.mean[made.system == system] for system in range(made.systems)]
    for i, j in combinations(range(made.systems), 2):
        for a, b in ((i, j), (j, i)):
            test = mannwhitneyu(scores[a], scores[b], alternative="greater", method="asymptotic")
            p[a, b] = test.pvalue
    return p


def significance_clusters(p: NDArray[np.float64], level: float = SIGNIFICANT) -> NDArray[np.int64]:
    """The cluster, from 1, of systems given in score order."""
    better = p < level
    ends = [better[: k + 1, k + 1 :].all() for k in range(len(p) - 1)]
    return np.concatenate([[1], 1 + np.cumsum(ends, dtype=np.int64)])
