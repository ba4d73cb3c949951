"""Compiled: very many hashes looked up in tables that are small, and what was found counted."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Codes = NDArray[np.int32]

TOGETHER = np.uint32(256)  # rows of a table that are counted in at once


@numba.njit(cache=True, nogil=True)
def mix(result: Hashes, part: Hashes, mask: np.uint64, odd: np.uint64) -> None:
    """Mix `part`, of which `mask` keeps some bits, into the `result`."""
    for i in range(len(result)):
        value = (result[i] ^ (part[i] & mask)) * odd
        result[i] = value ^ (value >> np.uint64(32))


@numba.njit(cache=True, nogil=True)
def find(
    keys: Hashes, codes: Codes, known: int, most: int, hashes: Hashes, found: Codes
) -> tuple[int, NDArray[np.int64]]:
    """Codes of `hashes` to `found`; those not `known` get the next codes, up to `most`.

    A hash stands in the slot that its last bits name, or in the next free one; 0 is no key, a hash
    of 0 is kept as 1. Gives how many were looked up before one had no place any more, and where
    the new ones stand.
    """
    last = np.uint64(len(keys) - 1)
    new = np.empty(most - known, np.int64)
    number = 0
    for i in range(len(hashes)):
        key = max(hashes[i], np.uint64(1))
        slot = key & last
        while keys[slot] != key and keys[slot] != 0:
            slot = (slot + np.uint64(1)) & last
        if keys[slot] == 0:
            if number == len(new):
                return i, new[:number]
            keys[slot], codes[slot] = key, known + number
            new[number] = i
            number += 1
        found[i] = codes[slot]
    return len(hashes), new[:number]


@numba.njit(cache=True, nogil=True)
def below(hashes: Hashes, limit: np.uint64) -> Hashes:
    """Those that are smaller than the limit, which are few."""
    number = 0
    for i in range(len(hashes)):
        number += hashes[i] < limit
    kept = np.empty(number, np.uint64)
    place = 0
    for i in range(len(hashes) if number else 0):
        if hashes[i] < limit:
            kept[place] = hashes[i]
            place += 1
    return kept


@numba.njit(cache=True, nogil=True)
def count(
    table: NDArray[Any],
    most: int,
    waiting: NDArray[np.uint32],
    number: NDArray[np.int64],
    row: Codes,
    column: Codes,
) -> int:
    """Add 1 to the table at every place that is named, by and by, as long as none passes `most`.

    The table is larger than the processor's cache. So places wait until there are many in
    neighbouring rows, which are then counted at once. `waiting` has a line for every `TOGETHER`
    rows, `number` says how many wait in it. Gives how many places were taken.
    """
    width = np.uint32(table.shape[1])
    for i in range(len(row)):
        line, inside = divmod(np.uint32(row[i]), TOGETHER)
        if number[line] == waiting.shape[1]:
            number[line] = _count_line(table, most, waiting[line], int(line))
            if number[line]:
                return i
        waiting[line, number[line]] = inside * width + np.uint32(column[i])
        number[line] += 1
    return len(row)


@numba.njit(cache=True, nogil=True)
def count_rest(
    table: NDArray[Any], most: int, waiting: NDArray[np.uint32], number: NDArray[np.int64]
) -> bool:
    """Count what still waits; was it all, before a number would have passed `most`?"""
    for line in range(len(number)):
        number[line] = _count_line(table, most, waiting[line, : number[line]], line)
        if number[line]:
            return False
    return True


@numba.njit(cache=True, nogil=True)
def _count_line(table: NDArray[Any], most: int, places: NDArray[np.uint32], line: int) -> int:
    """Count from the last place on; gives how many are left."""
    begin = np.int64(line) * np.int64(TOGETHER) * table.shape[1]
    part = table.ravel()[begin:]
    for left in range(len(places), 0, -1):
        if part[places[left - 1]] == most:
            return left
        part[places[left - 1]] += 1
    return 0
