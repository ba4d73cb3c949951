"""Replicates of sufficient statistics.

Statistics are summed once per unit; a replicate is then a weighted sum, and many replicates are one
matrix product. Replicates are computed in blocks, so that memory depends neither on the number of
observations nor on that of replicates.

* `replicated`: sums of any statistics (observations × statistics, dense or sparse).
* `replicated_counts`: numbers of events in cells, where all a statistic needs are such numbers.
  Units that are single events are drawn as one multinomial over the cells.
* `each_replicate`: what is no sum. Pairs of units, such as labels by two judges, weigh w_j · w_k
  (`pair_sums`), so that a judge drawn twice is never compared with itself.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.stats.resampling import BLOCK, Codes, Drawing, Floats, Resampling, Units, drawing

CellCounts = NDArray[np.int64]  # (…, cells)
Function = Callable[[Floats], Floats]  # from (…, statistics) to (…, values)

MOST_ENTRIES = 20_000_000  # numbers in an array that is held for speed only
MOST_AT_ONCE = 200  # replicates of counts, which then stay in the processor's cache
MOST_SUMS_AT_ONCE = 1000  # replicates of a few sums: one product is faster than many
ALIKE = 16  # units that say the same are drawn together where there are so many of each


def each_replicate(drawn: Drawing, replicates: int, function: Function, entries: int = 1) -> Floats:
    """Apply `function` to the weights (replicates × rows) of every replicate.

    `entries` is the number of intermediate values per replicate.
    """
    pieces = _some_at_a_time(replicates, max(entries, drawn.rows), MOST_SUMS_AT_ONCE)
    return np.concatenate([function(drawn.weights(numbers)) for numbers in pieces])


def replicated(
    statistics: Any, units: tuple[Units, ...], resampling: Resampling, function: Function
) -> Floats:
    """Apply `function` to the summed statistics of every replicate: (replicates, values)."""
    width = statistics.shape[1]
    if len(units) == 1 and not sparse.issparse(statistics):
        sums = sums_by_row(statistics, units[0].code, units[0].number)
        alike = _alike(sums)
        if alike is not None:
            said, times = alike
            counts = _multinomial(times, resampling, width)
            return np.concatenate([function(drawn @ said) for drawn in counts])
    drawn = drawing(units, resampling.seed)
    sums = sums_by_row(statistics, drawn.row, drawn.rows)
    if sparse.issparse(sums):  # a statistic after the other: weights are few, statistics many
        turned = sums.T.tocsr()
        return each_replicate(
            drawn, resampling.replicates, lambda weights: function((turned @ weights.T).T), width
        )
    return each_replicate(
        drawn, resampling.replicates, lambda weights: function(weights @ sums), width
    )


def sums_by_row(statistics: Any, row: Codes, rows: int) -> Any:
    """Sum the statistics (observations × statistics) within rows; sparse input stays sparse."""
    observations, width = statistics.shape
    if rows == observations and np.array_equal(row, np.arange(rows)):
        return statistics  # summed already
    if sparse.issparse(statistics) or width > 64:
        shape = (rows, observations)
        into = sparse.csr_array((np.ones(observations), (row, np.arange(observations))), shape)
        return into @ statistics
    sums = np.empty((rows, width))
    for column in range(width):
        sums[:, column] = np.bincount(row, statistics[:, column], rows)
    return sums


def pair_sums(weights: Floats, pairs: Any) -> Floats:
    """Quadratic form Σ w_j w_k · pairs[j, k] in every replicate; `pairs` has a zero diagonal."""
    return np.asarray(((weights @ pairs) * weights).sum(axis=1))


def replicated_counts(
    counts: CellCounts, resampling: Resampling, entries: int
) -> Iterator[CellCounts]:
    """Draw single events; yield the event counts of blocks of replicates."""
    yield from _multinomial(counts, resampling, entries)


def replicated_cells(
    units: tuple[Units, ...],
    observation: Codes,
    cell: Codes,
    cells: int,
    resampling: Resampling,
    entries: int,
) -> Iterator[CellCounts]:
    """Draw units; yield the event counts of every cell in blocks of replicates.

    Each event belongs to an observation and a cell.
    """
    drawn = drawing(units, resampling.seed)
    events = _events(drawn.row[observation], cell, (drawn.rows, cells))
    for numbers in _some_at_a_time(resampling.replicates, entries):
        yield np.asarray(np.rint(drawn.weights(numbers) @ events), np.int64)


def replicated_sums(
    units: tuple[Units, ...], weighed: Function, resampling: Resampling, entries: int
) -> Iterator[CellCounts]:
    """Draw units of observations whose events are already counted; yield blocks of replicates.

    `weighed` maps weights of the observations to event counts.
    """
    drawn = drawing(units, resampling.seed)
    for numbers in _some_at_a_time(resampling.replicates, entries):
        weights = drawn.weights(numbers)[:, drawn.row]
        yield np.asarray(np.rint(weighed(weights)), np.int64)


def _some_at_a_time(replicates: int, entries: int, most: int = MOST_AT_ONCE) -> Iterator[range]:
    at_once = max(1, min(most, MOST_ENTRIES // (8 * max(entries, 1))))
    if at_once > BLOCK:
        at_once -= at_once % BLOCK  # no block is drawn twice
    for first in range(0, replicates, at_once):
        yield range(first, min(first + at_once, replicates))


def _multinomial(times: CellCounts, resampling: Resampling, entries: int) -> Iterator[CellCounts]:
    total = times.sum()
    shares = times / total
    # One generator for all replicates, which are always drawn in order: making one takes as long
    # as drawing a replicate.
    random = np.random.default_rng(resampling.seed)
    for numbers in _some_at_a_time(resampling.replicates, entries):
        yield random.multinomial(total, shares, size=len(numbers))


def _events(row: Codes, cell: Codes, shape: tuple[int, int]) -> Any:
    """Count the events of each cell in every row; sparse if most counts are zero."""
    if shape[0] * shape[1] <= MOST_ENTRIES:
        place = row * np.int64(shape[1])
        place += cell
        return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
    return sparse.csr_array((np.ones(len(row)), (row, cell)), shape=shape)


def _alike(sums: Floats) -> tuple[Floats, CellCounts] | None:
    """Distinct rows and their multiplicities, or None if too few rows are equal."""
    key = sums @ np.random.default_rng(1).random(sums.shape[1])
    _, first, inverse, times = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    said = sums[first]
    if len(said) * ALIKE > len(sums) or not np.array_equal(said[inverse], sums):
        return None
    order = np.lexsort(said.T[::-1])  # by what they say, so that draws do not hang on the key
    return said[order], times[order]
