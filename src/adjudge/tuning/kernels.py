"""Exact line search by upper envelopes, compiled (Och 2003; Macháček 2014 §3.3.1).

On a line λ + γ d the model score of a candidate is a line in γ: its intercept is λ·h, its slope
d·h. Of every sentence the best candidates are the upper envelope of its lines. Where an envelope
changes from one line to the next, the sums of statistics change by the difference of two
candidates; between two such breakpoints nothing changes.

Candidates come sorted by slope within each sentence, equal slopes by their place in the pool. Of
equal lines the first of the pool wins, as it does everywhere.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

# How a metric is made of its sums; `objective.py` says which metric is which.
BLEU, BLEU_SMOOTHED, RATE, PER, MEAN = 0, 1, 2, 3, 4

NONE, AVERAGE, MINIMUM = 0, 1, 2  # what the neighbours of an interval do to its score

_NARROW = 1e-9  # an interval no wider is no place to be: rounding might leave it


@njit(cache=True, nogil=True)
def _bleu(sums: Floats, first: int, order: int, smoothed: bool) -> float:
    """BLEU as in `metrics/catalogue/bleu.py`: matches, n-grams, length, reference length."""
    length, reference = sums[first + 2 * order], sums[first + 2 * order + 1]
    logs, halving, matched = 0.0, 1.0, False
    for n in range(order):
        match, number = sums[first + n], sums[first + order + n]
        if match > 0.0:
            matched = True
        elif smoothed and number > 0.0:
            halving *= 0.5
            match = halving
        if match <= 0.0 or number <= 0.0:
            return 0.0
        logs += math.log(match / number)
    if not matched:
        return 0.0
    brevity = min(0.0, 1.0 - reference / length)
    return 100.0 * math.exp(brevity + logs / order)


@njit(cache=True, nogil=True)
def _rate(cost: float, length: float) -> float:
    return 100.0 * (cost / length if length > 0.0 else min(cost, 1.0))


@njit(cache=True, nogil=True)
def score(sums: Floats, kinds: Numbers, firsts: Numbers, orders: Numbers, shares: Floats) -> float:
    """Objective of summed statistics: higher is better, an error counts as 100 − error."""
    total = 0.0
    for term in range(len(kinds)):
        kind, first = kinds[term], firsts[term]
        if kind in (BLEU, BLEU_SMOOTHED):
            value = _bleu(sums, first, orders[term], kind == BLEU_SMOOTHED)
        elif kind == RATE:
            value = 100.0 - _rate(sums[first], sums[first + 1])
        elif kind == PER:
            more = max(0.0, sums[first + 1] - sums[first + 2])
            value = 100.0 - _rate(sums[first + 2] - sums[first] + more, sums[first + 2])
        else:
            value = sums[first] / sums[first + 1] if sums[first + 1] > 0.0 else 0.0
        total += shares[term] * value
    return total


@njit(cache=True, nogil=True)
def best_candidates(model: Floats, starts: Numbers) -> Numbers:
    """Candidate with the highest model score of every sentence, the first of equals."""
    best = np.empty(len(starts) - 1, np.int64)
    for sentence in range(len(best)):
        winner = starts[sentence]
        for candidate in range(starts[sentence] + 1, starts[sentence + 1]):
            if model[candidate] > model[winner]:
                winner = candidate
        best[sentence] = winner
    return best


@njit(cache=True, nogil=True)
def sorted_by_slope(slope: Floats, starts: Numbers) -> Numbers:
    """Sort the candidates of every sentence by slope, equal ones in pool order."""
    order = np.empty(len(slope), np.int64)
    for sentence in range(len(starts) - 1):
        first, last = starts[sentence], starts[sentence + 1]
        order[first:last] = first + np.argsort(slope[first:last], kind="mergesort")
    return order


@njit(cache=True, nogil=True)
def envelopes(
    slope: Floats,
    intercept: Floats,
    order: Numbers,
    starts: Numbers,
    place: Floats,
    before: Numbers,
    after: Numbers,
    first: Numbers,
    stack: Numbers,
    begins: Floats,
) -> int:
    """Compute every sentence's first candidate (γ → −∞) and all breakpoints; return their number.

    At `place` the best candidate changes from `before` to `after`.
    """
    count = 0
    for sentence in range(len(starts) - 1):
        height = 0
        for position in range(starts[sentence], starts[sentence + 1]):
            candidate = order[position]
            rise, value = slope[candidate], intercept[candidate]
            begin = -math.inf
            useful = True
            while height > 0:
                top = stack[height - 1]
                if slope[top] == rise:
                    if value <= intercept[top]:
                        useful = False
                        break
                else:
                    begin = (intercept[top] - value) / (rise - slope[top])
                    if begin > begins[height - 1]:
                        break
                height -= 1
                begin = -math.inf
            if useful:
                stack[height] = candidate
                begins[height] = begin
                height += 1
        first[sentence] = stack[0]
        for level in range(1, height):
            place[count] = begins[level]
            before[count] = stack[level - 1]
            after[count] = stack[level]
            count += 1
    return count


@njit(cache=True, nogil=True)
def sums_along(
    place: Floats,
    before: Numbers,
    after: Numbers,
    first: Numbers,
    count: int,
    statistics: Floats,
    edges: Floats,
    sums: Floats,
) -> int:
    """Accumulate statistics between breakpoints; return the number of intervals.

    Interval k lies between `edges[k]` and `edges[k + 1]`, the outermost of which are infinite.
    """
    width = statistics.shape[1]
    now = np.zeros(width)
    for candidate in first:
        for column in range(width):
            now[column] += statistics[candidate, column]
    intervals = 0
    edges[0] = -math.inf
    for which in np.argsort(place[:count]):
        x = place[which]
        if x - edges[intervals] > _NARROW * (1.0 + abs(x)):
            sums[intervals] = now
            intervals += 1
            edges[intervals] = x
        for column in range(width):
            now[column] += statistics[after[which], column] - statistics[before[which], column]
    sums[intervals] = now
    edges[intervals + 1] = math.inf
    return intervals + 1


@njit(cache=True, nogil=True)
def scores_along(
    place: Floats,
    before: Numbers,
    after: Numbers,
    first: Numbers,
    count: int,
    statistics: Floats,
    kinds: Numbers,
    firsts: Numbers,
    orders: Numbers,
    shares: Floats,
    edges: Floats,
    scores: Floats,
) -> int:
    """Compute the objective between breakpoints; return the number of intervals."""
    width = statistics.shape[1]
    now = np.zeros(width)
    for candidate in first:
        for column in range(width):
            now[column] += statistics[candidate, column]
    intervals = 0
    edges[0] = -math.inf
    for which in np.argsort(place[:count]):
        x = place[which]
        if x - edges[intervals] > _NARROW * (1.0 + abs(x)):
            scores[intervals] = score(now, kinds, firsts, orders, shares)
            intervals += 1
            edges[intervals] = x
        for column in range(width):
            now[column] += statistics[after[which], column] - statistics[before[which], column]
    scores[intervals] = score(now, kinds, firsts, orders, shares)
    edges[intervals + 1] = math.inf
    return intervals + 1


@njit(cache=True, nogil=True)
def regularised(scores: Floats, intervals: int, how: int, window: int) -> Floats:
    """Smooth every interval's score with its neighbours, `window` on each side (Cer 2008)."""
    result = scores[:intervals].copy()
    if how != NONE:
        for k in range(intervals):
            around = scores[max(0, k - window) : min(intervals, k + window + 1)]
            result[k] = around.mean() if how == AVERAGE else around.min()
    return result


@njit(cache=True, nogil=True)
def _inside(edges: Floats, first: int, last: int, left: float, right: float, reach: float) -> float:
    """Middle of a plateau from `left` to `right`, away from breakpoints, where candidates are
    equal.
    """
    if left == -math.inf:
        centre = 0.0 if right == math.inf else right - reach
    else:
        centre = left + reach if right == math.inf else 0.5 * (left + right)
    own = first
    while own < last and edges[own + 1] <= centre:
        own += 1
    low, high = max(edges[own], left), min(edges[own + 1], right)
    margin = 1e-3 * min(high - low, 1.0)
    return float(min(max(centre, low + margin), high - margin))


@njit(cache=True, nogil=True)
def best_place(
    edges: Floats, scores: Floats, intervals: int, low: float, high: float
) -> tuple[float, float]:
    """Find the highest score between `low` and `high`, and the middle of its widest plateau.

    A plateau is a run of intervals with one score. An unbounded one is entered by a tenth of the
    range of all breakpoints.
    """
    best, middle, widest = -math.inf, 0.0, -1.0
    reach = max(1e-3, 0.1 * (edges[intervals - 1] - edges[1])) if intervals > 1 else 1.0
    k = 0
    while k < intervals:
        last = k
        while last + 1 < intervals and scores[last + 1] == scores[k]:
            last += 1
        left, right = max(edges[k], low), min(edges[last + 1], high)
        if right > left and scores[k] >= best:
            centre = _inside(edges, k, last, left, right, reach)
            if scores[k] > best or right - left > widest:
                best, middle, widest = scores[k], centre, right - left
        k = last + 1
    return best, middle


@njit(cache=True, nogil=True)
def score_at_zero(edges: Floats, scores: Floats, intervals: int) -> float:
    """Score at the start of the line."""
    for k in range(intervals):
        if edges[k + 1] > 0.0:
            return float(scores[k])
    return float(scores[intervals - 1])


@njit(cache=True, nogil=True)
def search_lines(
    slopes: Floats,
    orderings: Numbers,
    intercept: Floats,
    starts: Numbers,
    statistics: Floats,
    kinds: Numbers,
    firsts: Numbers,
    orders: Numbers,
    shares: Floats,
    lows: Floats,
    highs: Floats,
    how: int,
    window: int,
) -> tuple[Floats, Floats]:
    """Best gain along every line (lines × candidates), and its γ."""
    candidates, sentences = len(intercept), len(starts) - 1
    place, begins = np.empty(candidates), np.empty(candidates)
    before, after = np.empty(candidates, np.int64), np.empty(candidates, np.int64)
    first, stack = np.empty(sentences, np.int64), np.empty(candidates, np.int64)
    edges, scores = np.empty(candidates + 2), np.empty(candidates + 1)
    gain, gamma = np.empty(len(slopes)), np.empty(len(slopes))
    for line in range(len(slopes)):
        count = envelopes(
            slopes[line],
            intercept,
            orderings[line],
            starts,
            place,
            before,
            after,
            first,
            stack,
            begins,
        )
        intervals = scores_along(
            place,
            before,
            after,
            first,
            count,
            statistics,
            kinds,
            firsts,
            orders,
            shares,
            edges,
            scores,
        )
        seen = regularised(scores, intervals, how, window)
        best, gamma[line] = best_place(edges, seen, intervals, lows[line], highs[line])
        gain[line] = best - score_at_zero(edges, seen, intervals)
    return gain, gamma


@njit(cache=True, nogil=True)
def trace_line(
    slope: Floats, ordering: Numbers, intercept: Floats, starts: Numbers, statistics: Floats
) -> tuple[Floats, Floats]:
    """Edges of all intervals of a line, and the summed statistics in each."""
    candidates, sentences = len(intercept), len(starts) - 1
    place, begins = np.empty(candidates), np.empty(candidates)
    before, after = np.empty(candidates, np.int64), np.empty(candidates, np.int64)
    first, stack = np.empty(sentences, np.int64), np.empty(candidates, np.int64)
    count = envelopes(
        slope, intercept, ordering, starts, place, before, after, first, stack, begins
    )
    edges, sums = np.empty(count + 2), np.empty((count + 1, statistics.shape[1]))
    intervals = sums_along(place, before, after, first, count, statistics, edges, sums)
    return edges[: intervals + 1].copy(), sums[:intervals].copy()
