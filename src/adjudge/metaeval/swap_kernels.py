"""Compiled: accuracies after swapping scores of two metrics, from tables of chunks of systems.

How many pairs of outputs of a segment are right after a swap is a sum over pairs of systems, each
of which hangs on two swaps. Systems are cut into chunks of at most six; for every two chunks a
table holds the sum over their pairs for each of the up to 4,096 ways to swap twelve outputs. A
table costs as much as four thousand additions, after which every draw is a look into it.
"""

import numba
import numpy as np
from numpy.typing import NDArray

CHUNK = 6


@numba.njit(cache=True, nogil=True)
def swapped_differences(
    truth: NDArray[np.int8],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    masks: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Weighted sums over segments of right pairs of the one metric less those of the other.

    `truth` is (segments × systems × systems), the sign of people's difference, 2 where unknown;
    `first`, `second` are (segments × systems); `masks` (draws × segments) has a bit for each system
    whose scores are swapped. The last of the result is the difference without a swap.
    """
    segments, systems = first.shape
    draws = masks.shape[0]
    chunks = max(2, (systems + CHUNK - 1) // CHUNK)
    out = np.zeros(draws + 1)
    table = np.zeros((1 << CHUNK, 1 << CHUNK), np.int16)
    right = np.zeros((systems, systems, 2, 2), np.int16)
    for segment in range(segments):
        a, b = first[segment], second[segment]
        for i in range(systems):
            for j in range(i + 1, systems):
                for s in range(2):
                    for t in range(2):
                        # The one metric after the swap, less the other.
                        own = _sign((b if s else a)[i] - (b if t else a)[j])
                        other = _sign((a if s else b)[i] - (a if t else b)[j])
                        said = truth[segment, i, j]
                        right[i, j, s, t] = (own == said) - (other == said) if said != 2 else 0
        total = 0.0
        for p in range(chunks):
            for q in range(p + 1, chunks):
                _fill(table, right, p, q, chunks, systems)
                low, high = p * CHUNK, q * CHUNK
                last = (1 << CHUNK) - 1
                for draw in range(draws):
                    mask = masks[draw, segment]
                    out[draw] += weight[segment] * table[mask >> low & last, mask >> high & last]
                total += table[0, 0]
        out[draws] += weight[segment] * total
    return out


@numba.njit(cache=True, nogil=True, inline="always")
def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


@numba.njit(cache=True, nogil=True)
def _fill(
    table: NDArray[np.int16],
    right: NDArray[np.int16],
    p: int,
    q: int,
    chunks: int,
    systems: int,
) -> None:
    """The sums of pairs between chunks p and q; those within p once, within q where it is last."""
    size = 1 << CHUNK
    low = min(CHUNK, max(0, systems - p * CHUNK))
    high = min(CHUNK, max(0, systems - q * CHUNK))
    within_p, within_q = q == p + 1, q == chunks - 1 and p == chunks - 2
    column = np.zeros((CHUNK, 2), np.int16)
    inside = np.zeros(size, np.int16)
    if within_q:
        for ways in range(1 << high):
            for k in range(high):
                for m in range(k + 1, high):
                    i, j = q * CHUNK + k, q * CHUNK + m
                    inside[ways] += right[i, j, ways >> k & 1, ways >> m & 1]
    for ways in range(1 << low):
        own = 0
        if within_p:
            for k in range(low):
                for m in range(k + 1, low):
                    i, j = p * CHUNK + k, p * CHUNK + m
                    own += right[i, j, ways >> k & 1, ways >> m & 1]
        for m in range(high):
            column[m] = 0
            for k in range(low):
                for t in range(2):
                    column[m, t] += right[p * CHUNK + k, q * CHUNK + m, ways >> k & 1, t]
        table[ways, 0] = own + column[:high, 0].sum()
        for m in range(high):
            step = column[m, 1] - column[m, 0]
            for other in range(1 << m):
                table[ways, other + (1 << m)] = table[ways, other] + step
        if within_q:
            for other in range(1 << high):
                table[ways, other] += inside[other]
