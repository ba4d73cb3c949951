"""GTM's greedy choice of runs, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(cache=True)
def _match_size(words: Numbers, reference: Numbers, most: float, exponent: float) -> float:
    """(Σ length^e)^(1/e) of the runs that are chosen; −1 in the reference is a break."""
    length, size = len(words), len(reference)
    longest = np.zeros((length + 1, size + 1), np.int64)  # run that ends before word i and word j
    hits = 0
    for i in range(1, length + 1):
        for j in range(1, size + 1):
            if words[i - 1] == reference[j - 1]:
                longest[i, j] = longest[i - 1, j - 1] + 1
                hits += 1
    # Where each run may begin: from every hit, as far as the diagonal goes on.
    ahead = np.zeros((length + 2, size + 2), np.int64)
    for i in range(length, 0, -1):
        for j in range(size, 0, -1):
            if longest[i, j] > 0:
                ahead[i, j] = ahead[i + 1, j + 1] + 1
    row_used, column_used = np.zeros(length + 1, np.bool_), np.zeros(size + 1, np.bool_)
    covered, total = 0.0, 0.0
    run = ahead.max()
    while run > 0 and covered < most:
        # Runs of this length from the last place to the first.
        for i in range(length, 0, -1):
            for j in range(size, 0, -1):
                if ahead[i, j] < run:
                    continue
                free = True
                for k in range(run):
                    if row_used[i + k] or column_used[j + k]:
                        free = False
                        break
                if not free:
                    continue
                for k in range(run):
                    row_used[i + k] = column_used[j + k] = True
                part = min(float(run), most - covered)
                covered += part
                total += part**exponent
                if covered >= most:
                    return float(total ** (1.0 / exponent))
        run -= 1
    return total ** (1.0 / exponent) if total > 0 else 0.0


@njit(cache=True, nogil=True)
def match_sizes(
    words: Numbers,
    starts: Numbers,
    reference: Numbers,
    reference_starts: Numbers,
    references: int,
    exponent: float,
) -> Floats:
    """The match size of every segment; references of a segment follow each other."""
    segments = len(starts) - 1
    result = np.zeros(segments)
    for segment in range(segments):
        first = segment * references
        begin, end = reference_starts[first], reference_starts[first + references]
        joined = np.full(end - begin + references, -1, np.int64)
        place = 0
        for which in range(first, first + references):
            for position in range(reference_starts[which], reference_starts[which + 1]):
                joined[place] = reference[position]
                place += 1
            place += 1  # a break
        own = words[starts[segment] : starts[segment + 1]]
        most = min(float(len(own)), (end - begin) / references)
        result[segment] = _match_size(own, joined, most, exponent)
    return result
