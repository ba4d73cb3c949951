"""Block counts for the methods that score whole rankings.

Bojar 2011 §2 calls the outputs ranked on one screen a block. For every system: in how many
blocks it was compared with another, in how many of these it won or tied every comparison, and
in how many it strictly won every one. An optional leading axis holds replicates.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import Codes, Comparisons

Counts = NDArray[np.int64]

BEATEN, SHARED, SOLE = range(3)  # how a block ended for one of its systems


@dataclass(frozen=True, eq=False)
class BlockCounts:
    """Number of blocks in which each system appeared, was at the top, was alone at the top."""

    systems: tuple[str, ...]
    blocks: Counts
    top: Counts
    sole: Counts


def block_results(comparisons: Comparisons) -> tuple[Codes, Codes, Codes]:
    """Return one row for every system of every block: block, system, and its outcome."""
    n = len(comparisons.systems)
    block = np.tile(comparisons.ranking, 2).astype(np.int64)
    place = block * n + np.concatenate([comparisons.left, comparisons.right])
    places, row = np.unique(place, return_inverse=True)
    outcome = np.concatenate([comparisons.outcome, -comparisons.outcome])
    beaten = np.bincount(row[outcome < 0], minlength=len(places)) > 0
    tied = np.bincount(row[outcome == 0], minlength=len(places)) > 0
    result = np.where(beaten, BEATEN, np.where(tied, SHARED, SOLE))
    return (
        (places // n).astype(np.int32),
        (places % n).astype(np.int32),
        result.astype(np.int32),
    )
