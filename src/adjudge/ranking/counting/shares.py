"""The share that most scores are, and what stands in where there is nothing to divide by."""

import numpy as np
from numpy.typing import NDArray

from adjudge.data.win_counts import WinCounts

Scores = NDArray[np.float64]  # (…, systems)


def share(part: NDArray[np.int64], whole: NDArray[np.int64]) -> Scores:
    """`part / whole` for every system (last axis).

    A system without anything to count (all its comparisons are ties, or a replicate drew none
    of them) takes the mean of the others, so that it is neither helped nor hurt; where nobody
    has anything to count, all take 1/2.
    """
    known = whole > 0
    shares = np.divide(part, whole, out=np.zeros(whole.shape), where=known)
    if known.all():
        return shares
    others = known.sum(axis=-1, keepdims=True)
    mean = np.divide(
        shares.sum(axis=-1, keepdims=True), others, out=np.full(others.shape, 0.5), where=others > 0
    )
    return np.where(known, shares, mean)


def win_ratio(counts: WinCounts) -> Scores:
    """Wins / (wins + losses), the order that several methods begin with."""
    wins = counts.wins.sum(axis=-1)
    return share(wins, wins + counts.wins.sum(axis=-2))
