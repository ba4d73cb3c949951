"""Compact integer codes for equal keys."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def distinct(key: NDArray[np.integer[Any]], most: int) -> tuple[Ints, Ints]:
    """Return the sorted distinct keys (below `most`) and the index of each key among them."""
    if most > 16 * len(key):
        keys, place = np.unique(key, return_inverse=True)
        return keys.astype(np.int64), place.astype(np.int64)
    present = np.zeros(most, bool)  # marking is faster than sorting
    present[key] = True
    place = np.cumsum(present, dtype=np.int32)[key]
    return np.flatnonzero(present), place.astype(np.int64) - 1
