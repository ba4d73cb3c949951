"""How many votes of every kind every row holds, while votes are counted."""

from typing import Any

import numpy as np

from adjudge.comparisons.hashed import Codes

MOST_LISTED = 1 << 20  # votes that are listed before they are counted in a table
_WAITING = 1 << 10  # votes that wait for others in neighbouring rows


class Tallies:
    """Numbers of votes by row and kind: a list while votes are few, then a table."""

    def __init__(self, rows: int) -> None:
        self._rows = rows  # at most
        self._listed: list[tuple[Codes, Codes]] = []  # rows and kinds of votes
        self._table: Any = None
        self._waiting: Any = None  # places in the table that are still to be counted,
        self._number: Any = None  # and how many in each line (`vote_kernels.count`)

    def add(self, row: Codes, kind: Codes) -> None:
        """Count a vote for every row and kind."""
        if self._table is not None:
            self._tabulate(row, kind)
            return
        self._listed.append((row, kind))
        if sum(len(rows) for rows, _ in self._listed) > MOST_LISTED:
            self._make_table()

    def merge(self, other: "Tallies", row: Codes, kind: Codes) -> None:
        """Count what `other` has counted; ours are the rows and kinds of its rows and kinds."""
        for rows, kinds in other._listed:
            self.add(row[rows], kind[kinds])
        if other._table is None:
            return
        other._count_waiting()
        self._make_table()
        self._widen(int(kind.max(initial=-1)) + 1)
        self._count_waiting()
        for place, counted in zip(row, other._table, strict=False):
            self._table[place, kind] += counted[: len(kind)]

    def join(self, row: Codes) -> None:
        """Put rows together: `row` is the new one of each."""
        self._listed = [(row[rows], kinds) for rows, kinds in self._listed]
        if self._table is not None:
            self._count_waiting()
            table = np.zeros_like(self._table)
            for old, new in enumerate(row):
                table[new] += self._table[old]
            self._table = table

    def counts(self, rows: int, kinds: int) -> Any:
        """(rows, kinds): how many votes; dense or sparse."""
        if self._table is not None:
            self._count_waiting()
            return self._table[:rows, :kinds]
        from scipy import sparse

        row, kind = self._all_listed()
        times = np.ones(len(row), np.int32)
        table = sparse.csr_array((times, (row, kind)), shape=(rows, kinds))
        table.sum_duplicates()
        return table

    def _all_listed(self) -> tuple[Codes, Codes]:
        nothing = np.zeros(0, np.int32)
        rows, kinds = zip((nothing, nothing), *self._listed, strict=True)
        return np.concatenate(rows), np.concatenate(kinds)

    def _make_table(self) -> None:
        """Votes are counted in a table from now on, those listed as well."""
        row, kind = self._all_listed()
        self._listed = []
        self._tabulate(row, kind)

    def _tabulate(self, row: Codes, kind: Codes) -> None:
        from adjudge.comparisons.vote_kernels import TOGETHER, count

        self._widen(int(kind.max(initial=0)) + 1)
        if self._waiting is None:
            lines = self._rows // int(TOGETHER) + 1
            self._waiting = np.empty((lines, _WAITING), np.uint32)
            self._number = np.zeros(lines, np.int64)
        count(self._table, self._waiting, self._number, row, kind)

    def _widen(self, kinds: int) -> None:
        """Make the table wide enough; rows that nobody has written to take no memory."""
        known = 0 if self._table is None else self._table.shape[1]
        if kinds <= known:
            return
        self._count_waiting()
        wider = np.zeros((self._rows, max(kinds, known * 5 // 4)), np.int32)
        if self._table is not None:
            held = np.flatnonzero(self._table.any(axis=1))
            wider[held, :known] = self._table[held]
        self._table = wider

    def _count_waiting(self) -> None:
        if self._waiting is not None:
            from adjudge.comparisons.vote_kernels import count_rest

            count_rest(self._table, self._waiting, self._number)

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
            self._table = np.zeros(shape, np.int32)
            self._table.ravel()[held] = numbers
