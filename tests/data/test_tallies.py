"""Numbers of votes in a table, whose numbers grow from one byte on as they must."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from adjudge.data.votes import tallies
from adjudge.data.votes.tallies import NUMBERS, Tallies

ROWS, KINDS = 600, 5
LARGEST = [np.iinfo(number).max for number in NUMBERS]


def counted(row: NDArray[np.int32], kind: NDArray[np.int32]) -> NDArray[np.int64]:
    """The same, plainly."""
    table = np.zeros((ROWS, KINDS), np.int64)
    np.add.at(table, (row, kind), 1)
    return table


def table_of(row: NDArray[np.int32], kind: NDArray[np.int32], batch: int = 7919) -> Tallies:
    """Tallies that keep a table from the first vote on."""
    tally = Tallies(ROWS)
    for first in range(0, len(row), batch):
        tally.add(row[first : first + batch], kind[first : first + batch])
    return tally


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "MOST_LISTED", 0)


def votes(on_one_place: int, others: int, seed: int) -> tuple[NDArray[np.int32], ...]:
    """Votes of which many are in the same place."""
    random = np.random.default_rng(seed)
    row = np.append(np.full(on_one_place, 300), random.integers(0, ROWS, others)).astype(np.int32)
    kind = np.append(np.full(on_one_place, 2), random.integers(0, KINDS, others)).astype(np.int32)
    order = random.permutation(len(row))
    return row[order], kind[order]


@pytest.mark.parametrize("more", [-1, 0, 1, 2000])
@pytest.mark.parametrize("most", LARGEST[:2])
def test_a_number_may_pass_what_its_type_holds(most: int, more: int) -> None:
    row, kind = votes(most + more, 5000, seed=1)
    plain = counted(row, kind)
    tally = table_of(row, kind)
    whole = tally.counts(ROWS, KINDS)
    np.testing.assert_array_equal(whole, plain)
    assert whole.dtype == next(n for n in NUMBERS if plain.max() <= np.iinfo(n).max)


@given(st.integers(0, 700), st.integers(0, 700), st.integers(1, 2000), st.integers(1, 3))
def test_what_is_put_together_is_what_was_counted(
    one: int, other: int, rest: int, seed: int
) -> None:
    first, second = votes(one, rest, seed), votes(other, rest, seed + 1)
    mine, theirs = table_of(*first), pickle.loads(pickle.dumps(table_of(*second)))
    same = np.arange(max(ROWS, KINDS), dtype=np.int32)
    mine.merge(theirs, same[:ROWS], same[:KINDS])
    plain = counted(*first) + counted(*second)
    np.testing.assert_array_equal(mine.counts(ROWS, KINDS), plain)
    fewer = (same[:ROWS] // 3).astype(np.int32)
    mine.join(fewer)
    joined = np.zeros_like(plain)
    np.add.at(joined, fewer, plain)
    np.testing.assert_array_equal(mine.counts(ROWS, KINDS), joined)
