"""Minimum feedback arc set: the exact order with the fewest violated comparisons (Lopez 2012 §4).

score(A) = the number of systems below A in the order that reverses the least weight of majorities:
the minimum feedback arc set of the tournament. `feedback_arc_set` says how it is found, and which
order is taken where several are optimal. Neighbours in it that no majority separates and that have
the same win ratio share the mean of their places; in a cycle of systems with the same win ratio,
names decide, for nothing else is left to. A tournament whose optimum is not proved within the time
given is ordered by the best order found.
"""

from time import monotonic

import numpy as np

from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import win_ratio
from adjudge.ranking.feedback_arc_set.optimum import SECONDS, best_order
from adjudge.ranking.method import CountMethod, Scores

_REPLICATE_SECONDS = 10.0  # a thousand times what a replicate of a campaign needs


def scores(counts: WinCounts) -> Scores:
    """Number of systems below each system."""
    if counts.wins.ndim == 2:
        return _systems_below(counts, SECONDS)
    return np.array(
        [
            _systems_below(WinCounts(counts.systems, wins, ties), _REPLICATE_SECONDS)
            for wins, ties in zip(counts.wins, counts.ties, strict=True)
        ]
    )


def _systems_below(counts: WinCounts, seconds: float) -> Scores:
    order = best_order(counts, monotonic() + seconds)
    ratio = win_ratio(counts)
    alike = (counts.wins == counts.wins.T) & (ratio[:, None] == ratio)
    below = np.empty(len(order))
    first = 0
    for last in range(1, len(order) + 1):
        if last == len(order) or not alike[order[last], order[first:last]].all():
            below[order[first:last]] = len(order) - (first + last + 1) / 2
            first = last
    return below


METHOD = CountMethod(
    name="mfas",
    summary="systems below, in the order that reverses the least weight of majorities",
    paper="Lopez 2012 §4",
    ties="ignored",
    reference=False,
    scores=scores,
    smooth=False,
)
