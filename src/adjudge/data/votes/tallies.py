"""How many votes of every kind every row holds, while votes are counted."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.data.votes.hashed_names import Codes

MOST_LISTED = 1 << 20  # votes that are listed before they are counted
SMALL = 1 << 26  # places of a table that is made in any case
EMPTY = 16  # a larger one has at most so many times as many places as numbers
# What the numbers of a table are, the first that is large enough: small ones stay in the
# processor's cache.
NUMBERS = (np.uint8, np.uint16, np.int32)
UNEVEN = 64  # times that the largest number is expected to be the mean
_ENTRY = 8  # bytes of a number that is held without a table, with its place
_WAITING = 1 << 10  # votes that wait for others in neighbouring rows
_NONE: Codes = np.zeros(0, np.int32)


def memory(rows: int, kinds: int, votes: int) -> int:
    """Bytes that so many votes take, once they are counted."""
    places = rows * kinds
    entries = min(places, votes)
    if _is_worth_it(rows, kinds, entries):
        return places * int(np.dtype(_large_enough(UNEVEN * votes // max(places, 1))).itemsize)
    return 3 * _ENTRY * entries  # those before, the new ones, and both together


def _is_worth_it(rows: int, kinds: int, entries: int) -> bool:
    """Is a table for so many numbers that are not 0?"""
    return rows * kinds <= max(SMALL, EMPTY * entries)


def _large_enough(number: int) -> Any:
    """The smallest type that holds the number."""
    return next((kind for kind in NUMBERS if number <= np.iinfo(kind).max), NUMBERS[-1])


class Tallies:
    """Numbers of votes by row and kind.

    Few votes are listed. Many are counted in a table, unless most of it would be empty.
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows  # at most
        self._listed: list[tuple[Codes, Codes]] = []  # rows and kinds of votes
        self._sparse: Any = None  # numbers, where most would be none
        self._table: Any = None
        self._waiting: Any = None  # places in the table that are still to be counted,
        self._number: Any = None  # and how many in each line (`kernels.count`)

    def add(self, row: Codes, kind: Codes) -> None:
        """Count a vote for every row and kind."""
        if self._table is not None:
            self._tabulate(row, kind)
            return
        self._listed.append((row, kind))
        entries = 0 if self._sparse is None else self._sparse.nnz
        listed = sum(len(rows) for rows, _ in self._listed)
        if listed <= max(MOST_LISTED, entries // 2):  # what is counted is added up but rarely
            return
        kinds = 1 + max(int(kinds.max(initial=0)) for _, kinds in self._listed)
        if _is_worth_it(self._rows, kinds, entries + listed):
            self._make_table()
        else:
            self._add_up(kinds)

    def merge(self, other: "Tallies", row: Codes, kind: Codes) -> None:
        """Count what `other` has counted; ours are the rows and kinds of its rows and kinds."""
        for rows, kinds in other._listed:
            self.add(row[rows], kind[kinds])
        if other._sparse is not None:
            one = other._sparse.tocoo()
            self._add_numbers(row[one.row], kind[one.col], one.data, int(kind.max()) + 1)
        if other._table is None:
            return
        other._count_waiting()
        self._make_table()
        self._widen(int(kind.max(initial=-1)) + 1)
        self._count_waiting()
        kinds = kind[: other._table.shape[1]]
        for place, counted in zip(row, other._table, strict=False):
            self._add_row(place, kinds, counted[: len(kinds)])

    def join(self, row: Codes) -> None:
        """Put rows together: `row` is the new one of each."""
        self._listed = [(row[rows], kinds) for rows, kinds in self._listed]
        if self._sparse is not None:
            one = self._sparse.tocoo()
            self._sparse = _csr(row[one.row], one.col, one.data, one.shape)
        if self._table is not None:
            self._count_waiting()
            counted, self._table = self._table, np.zeros_like(self._table)
            for place, numbers in zip(row, counted, strict=False):
                self._add_row(place, slice(None), numbers)

    def counts(self, rows: int, kinds: int) -> Any:
        """(rows, kinds): how many votes; dense or sparse."""
        if self._table is not None:
            self._count_waiting()
            return self._table[:rows, :kinds]
        self._add_up(kinds)
        return self._sparse[:rows]

    def _add_up(self, kinds: int) -> None:
        """Count what is listed, without a table."""
        rows, of_kinds = zip((_NONE, _NONE), *self._listed, strict=True)
        self._listed = []
        row, kind = np.concatenate(rows), np.concatenate(of_kinds)
        self._add_numbers(row, kind, np.ones(len(row), np.int32), kinds)

    def _add_numbers(self, row: Codes, kind: Codes, times: Codes, kinds: int) -> None:
        """Count so many votes in every place."""
        if self._table is not None:
            self._widen(kinds)
            self._count_waiting()
            counted = _csr(row, kind, times, (self._rows, kinds))
            for place in np.flatnonzero(np.diff(counted.indptr)):
                held = slice(*counted.indptr[place : place + 2])
                self._add_row(place, counted.indices[held], counted.data[held])
            return
        known = 0 if self._sparse is None else self._sparse.shape[1]
        shape = (self._rows, max(kinds, known))
        counted = _csr(row, kind, times, shape)
        if self._sparse is not None:
            self._sparse.resize(shape)
            counted = self._sparse + counted
        self._sparse = counted

    def _make_table(self) -> None:
        """Votes are counted in a table from now on, those counted so far as well."""
        listed, self._listed = self._listed, []
        sparse, self._sparse = self._sparse, None
        self._widen(max((int(kind.max(initial=0)) + 1 for _, kind in listed), default=1))
        if sparse is not None:
            one = sparse.tocoo()
            self._add_numbers(one.row, one.col, one.data, sparse.shape[1])
        for row, kind in listed:
            self._tabulate(row, kind)

    def _tabulate(self, row: Codes, kind: Codes) -> None:
        from adjudge.data.votes.kernels import TOGETHER, count

        self._widen(int(kind.max(initial=0)) + 1)
        if self._waiting is None:
            lines = self._rows // int(TOGETHER) + 1
            self._waiting = np.empty((lines, _WAITING), np.uint32)
            self._number = np.zeros(lines, np.int64)
        while True:
            done = count(self._table, self._most, self._waiting, self._number, row, kind)
            row, kind = row[done:], kind[done:]
            if not len(row):
                return
            self._enlarge()

    def _add_row(self, row: Any, kinds: Any, numbers: NDArray[Any]) -> None:
        """Add numbers of these kinds to those of a row, larger ones than before if need be."""
        total = self._table[row, kinds] + numbers.astype(np.int32)
        while total.max(initial=0) > self._most:
            self._enlarge()
        self._table[row, kinds] = total

    @property
    def _most(self) -> int:
        """What a number of the table can be."""
        return int(np.iinfo(self._table.dtype).max)

    def _enlarge(self) -> None:
        self._table = self._table.astype(_large_enough(self._most + 1))

    def _widen(self, kinds: int) -> None:
        """Make the table wide enough; rows that nobody has written to take no memory."""
        known = 0 if self._table is None else self._table.shape[1]
        if kinds <= known:
            return
        self._count_waiting()
        number = NUMBERS[0] if self._table is None else self._table.dtype
        wider = np.zeros((self._rows, max(kinds, known * 5 // 4)), number)
        if self._table is not None:
            held = np.flatnonzero(self._table.any(axis=1))
            wider[held, :known] = self._table[held]
        self._table = wider

    def _count_waiting(self) -> None:
        from adjudge.data.votes.kernels import count_rest

        while self._waiting is not None and not count_rest(
            self._table, self._most, self._waiting, self._number
        ):
            self._enlarge()

    def __getstate__(self) -> dict[str, Any]:
        """For another process: of the table, most of which may be empty, what is not."""
        self._count_waiting()
        state = self.__dict__ | {"_waiting": None, "_number": None}
        if self._table is not None:
            held = np.flatnonzero(self._table)
            state["_table"] = (self._table.shape, held, self._table.ravel()[held])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._table is not None:
            shape, held, numbers = state["_table"]
            self._table = np.zeros(shape, numbers.dtype)
            self._table.ravel()[held] = numbers


def _csr(row: Codes, kind: Codes, times: Codes, shape: tuple[int, int]) -> Any:
    from scipy import sparse

    table = sparse.csr_array((times, (row, kind)), shape=shape)
    table.sum_duplicates()
    return table
