"""Votes in memory as numbers of every kind: in the cells of their units, or whoever cast them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import Codes, Comparisons
from adjudge.data.votes.cells import Cells, Crossing, Judged
from adjudge.data.votes.tallies import NUMBERS
from adjudge.data.win_counts import AT_ONCE

WORTH_IT = 100_000  # votes; fewer are as fast one by one
MOST_CELLS = 20_000  # as many as `statistics.drawing` keeps apart
MOST_ENTRIES = 1 << 26  # numbers in the table of cells and kinds


def in_cells(judged: Judged) -> Judged:
    """Many votes in the cells of their judges and texts, where nothing else is known of them.

    The same results in a fraction of the time; anything else is given back as it is.
    """
    if isinstance(judged, Cells) or len(judged) < WORTH_IT or not judged.are_votes:
        return judged
    units: dict[str, Codes] = {}
    for name in ("judge", "document", "segment", "hit"):
        codes = getattr(judged, name)
        lowest = codes.min()
        if lowest < 0 and codes.max() >= 0:
            return judged  # some votes are units of their own
        if lowest >= 0:
            units[name] = codes
    if "hit" in units or {"document", "segment"} <= units.keys():
        return judged
    numbers = {name: int(codes.max()) + 1 for name, codes in units.items()}
    cells = int(np.prod(list(numbers.values()), dtype=float))
    kinds = 3 * len(judged.systems) * (len(judged.systems) - 1) // 2
    if cells > MOST_CELLS or cells * kinds > MOST_ENTRIES:
        return judged
    return _counted(judged, units, numbers)


def uncrossed(votes: Comparisons) -> Cells:
    """How many votes there are of every kind, in one cell."""
    return _counted(votes, {}, {})


def _counted(votes: Comparisons, units: dict[str, Codes], numbers: dict[str, int]) -> Cells:
    n = len(votes.systems)
    first, second = (codes.repeat(3).astype(np.int32) for codes in np.triu_indices(n, 1))
    outcome = np.tile(np.arange(3, dtype=np.int32), n * (n - 1) // 2)
    by_end = np.zeros((n, n, 3), np.int32)
    by_end[first, second, outcome] = by_end[second, first, 2 - outcome] = np.arange(len(first))
    shape = tuple(numbers.values())
    codes_of = np.unravel_index(np.arange(int(np.prod(shape))), shape) if shape else ()
    of_cells = {name: codes.astype(np.int32) for name, codes in zip(numbers, codes_of, strict=True)}
    for number in NUMBERS:
        if len(votes) > np.prod(shape) * len(first) * (np.iinfo(number).max // 4):
            continue
        table = np.zeros((int(np.prod(shape)), len(first)), number)
        _count_into(table.ravel(), votes, by_end.ravel(), units, numbers)
        crossing = Crossing(table, of_cells)
        # A number that runs over loses a multiple of what it can hold, and the sum tells.
        if crossing.size.sum() == len(votes):
            break
    cells = Cells(
        votes.pair, votes.systems, first, second, outcome, {"+".join(numbers): crossing.held()}, {}
    )
    return cells.of_kinds(cells.kinds > 0)


def _count_into(
    flat: NDArray[Any],
    votes: Comparisons,
    kind_of: Codes,
    units: dict[str, Codes],
    numbers: dict[str, int],
) -> None:
    """Every vote into the place of its cell and kind.

    A batch at a time, so that what is in between stays in the processor's cache.
    """
    n = len(votes.systems)
    one = flat.dtype.type(1)
    for begin in range(0, len(votes), AT_ONCE):
        batch = slice(begin, begin + AT_ONCE)
        shown = votes.left[batch] * np.int32(3 * n)
        shown += votes.right[batch] * np.int32(3)
        shown += votes.outcome[batch] + np.int8(1)
        place = kind_of[shown]
        place += _cell(units, numbers, batch) * np.int32(3 * n * (n - 1) // 2)
        np.add.at(flat, place, one)


def _cell(units: dict[str, Codes], numbers: dict[str, int], batch: slice) -> Codes | np.int32:
    """The cell of every vote, as `unravel_index` counts them."""
    cell: Codes | np.int32 = np.int32(0)
    for name, codes in units.items():
        cell = cell * np.int32(numbers[name]) + codes[batch]
    return cell
