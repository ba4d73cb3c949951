"""Clusters of metrics: those that no test separates, as WMT's tables number them.

Metrics are gone through from the best down. One that is significantly worse than any metric of the
cluster so far begins the next one. Within a cluster no metric is significantly better than another.
"""

import numpy as np

from adjudge.stats.ranks import Ranks
from adjudge.stats.significance import SIGNIFICANT
from adjudge.stats.units import Floats


def metric_clusters(p: Floats, level: float = SIGNIFICANT) -> Ranks:
    """The cluster, from 1, of metrics from best to worst; `p[i, j]`: i is better than j."""
    cluster = np.ones(len(p), np.int64)
    start = 0
    for j in range(1, len(p)):
        cluster[j] = cluster[j - 1]
        if (p[start:j, j] <= level).any():
            cluster[j] += 1
            start = j
    return cluster
