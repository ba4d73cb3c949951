"""Shares of counts, where there may be nothing to share."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.metric import Floats


def ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """part / whole; 0 where the whole is nothing."""
    size = np.asarray(whole, np.float64)
    return np.asarray(np.divide(part, size, out=np.zeros_like(size), where=size > 0))
