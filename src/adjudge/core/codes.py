"""Numbers that stand for what is the same, made small."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def distinct(key: NDArray[np.integer[Any]], most: int) -> tuple[Ints, Ints]:
    """The keys that occur, in order, and the place of each key among them; all are below `most`."""
    if most > 16 * len(key):
        keys, place = np.unique(key, return_inverse=True)
        return keys.astype(np.int64), place.astype(np.int64)
    present = np.zeros(most, bool)  # marking is faster than sorting
    present[key] = True
    place = np.cumsum(present, dtype=np.int32)[key]
    return np.flatnonzero(present), place.astype(np.int64) - 1
