"""What everyone else says of a comparison: the yardstick for a single judge.

For a comparison of outputs A and B by judge j, the others' verdict is the sign of (A preferred −
B preferred) over the comparisons of the same two on the same segment by other judges; where
nobody else made one, or they come out even, over the comparisons of A and B on all segments by
other judges. `credit` is outcome · verdict: +1 where the judge sides with the others, −1 against.
"""

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import MISSING, Comparisons

Signs = NDArray[np.int8]


def others_verdict(data: Comparisons) -> Signs:
    """+1 where the other judges prefer the left output, −1 the right one, 0 neither."""
    size = len(data.systems)
    low, high = np.minimum(data.left, data.right), np.maximum(data.left, data.right)
    signed = np.where(data.left < data.right, data.outcome, -data.outcome).astype(np.int64)
    pair = low.astype(np.int64) * size + high
    verdict = _others_net(signed, pair, data.judge)
    on_segment = _others_net(signed, (data.segment + 1) * (size * size) + pair, data.judge)
    verdict = np.where((data.segment != MISSING) & (on_segment != 0), on_segment, verdict)
    return np.where(data.left < data.right, verdict, -verdict).astype(np.int8)


def credit(data: Comparisons) -> Signs:
    """Does each comparison side with the other judges (+1), against them (−1), or neither (0)?"""
    return (data.outcome * others_verdict(data)).astype(np.int8)


def _others_net(
    signed: NDArray[np.int64], key: NDArray[np.int64], judge: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Sign of the sum of `signed` over equal keys, the judge's own left out."""
    keys, place = np.unique(key, return_inverse=True)
    total = np.bincount(place, signed, minlength=len(keys))
    judges = int(judge.max(initial=0)) + 2
    own_keys, own = np.unique(place * judges + judge + 1, return_inverse=True)
    mine = np.bincount(own, signed, minlength=len(own_keys))
    mine = np.where(judge == MISSING, 0, mine[own])
    return np.asarray(np.sign(total[place] - mine), np.int64)
