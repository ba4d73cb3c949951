"""Few distinct things among very many, told apart by 64-bit hashes of their names.

A hash stands for a name; among the few thousand that are ever kept two alike are as good as
impossible. All work is on arrays of hashes.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Codes = NDArray[np.int32]

ALL = np.uint64(2**64 - 1)  # the bits of a hash
SLOTS = 1 << 16  # for hashes that are looked up, at first
FREE = 4  # slots there are for every hash; with fewer, many would not stand in their own
COUNTED = 1 << 14  # distinct hashes that are counted one by one
MANY = 1 << 30  # distinct hashes, more than can be met
SMALLEST = 1 << 10  # hashes kept to know how many more there are
_ODD = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64
)


def mixed(*hashes: Hashes, masks: Sequence[np.uint64] | None = None) -> Hashes:
    """One hash of several, in their order, of each only the bits of its mask."""
    from adjudge.data.votes.kernels import mix

    result = np.zeros(len(hashes[0]), np.uint64)
    for place, part in enumerate(hashes):
        mix(result, part, ALL if masks is None else masks[place], _ODD[place % len(_ODD)])
    return result


class Lookup:
    """Codes of hashes, counted from 0 in the order in which they were first met."""

    def __init__(self) -> None:
        self._number = 0
        self._keys: Hashes = np.zeros(SLOTS, np.uint64)
        self._codes: Codes = np.zeros(SLOTS, np.int32)

    def __len__(self) -> int:
        return self._number

    @property
    def hashes(self) -> Hashes:
        """All that were met, in that order."""
        held = np.flatnonzero(self._keys)
        return self._keys[held[np.argsort(self._codes[held])]]

    def codes(self, hashes: Hashes, most: int) -> tuple[Codes, NDArray[np.int64]] | None:
        """The code of each, and where the new ones stand; None where more than `most` are known.

        Nothing is changed where it is None.
        """
        from adjudge.data.votes.kernels import find

        known, done, new = self._number, 0, []
        found = np.empty(len(hashes), np.int32)
        while True:
            room = min(most, len(self._keys) // FREE)
            looked_up, first = find(
                self._keys, self._codes, self._number, room, hashes[done:], found[done:]
            )
            new.append(first + done)
            self._number += len(first)
            done += looked_up
            if done == len(hashes):
                return found, np.concatenate(new)
            if room == most:
                self._put(self.hashes[:known], len(self._keys))
                return None
            self._put(self.hashes, 2 * len(self._keys))

    def _put(self, hashes: Hashes, slots: int) -> None:
        """Know these alone, in so many slots."""
        from adjudge.data.votes.kernels import find

        self._number = len(hashes)
        self._keys, self._codes = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)
        codes = np.empty(len(hashes), np.int32)
        find(self._keys, self._codes, 0, len(hashes), hashes, codes)


class Distinct:
    """How many distinct hashes there were: exactly up to `COUNTED`, then to three percent.

    Of more, the `SMALLEST` smallest are kept. With k of them up to h of 2⁶⁴ there are about
    (k − 1) · 2⁶⁴ / h in all (Bar-Yossef et al. 2002), to one part in √k.
    """

    def __init__(self) -> None:
        self._met = Lookup()  # all, or such as may have been among the smallest
        self._smallest: Hashes | None = None  # in order, where there are too many

    def add(self, hashes: Hashes) -> None:
        """Count these, too."""
        from adjudge.data.votes.kernels import below

        if self._smallest is None:
            if self._met.codes(hashes, COUNTED) is not None:
                return
            self._smallest = np.union1d(self._met.hashes, hashes)[:SMALLEST]
        hashes = below(hashes, self._smallest[-1])
        found = self._met.codes(hashes, MANY)
        if found is not None and len(found[1]):
            self._smallest = np.union1d(self._smallest, hashes[found[1]])[:SMALLEST]

    def merge(self, other: "Distinct") -> None:
        """Count what `other` has counted, too."""
        if other._smallest is not None and self._smallest is None:
            self._smallest = np.union1d(self._met.hashes, other._smallest)[:SMALLEST]
        self.add(other._met.hashes if other._smallest is None else other._smallest)

    @property
    def number(self) -> int:
        """How many."""
        if self._smallest is None:
            return len(self._met)
        return max(round((SMALLEST - 1) * 2.0**64 / float(self._smallest[-1])), COUNTED + 1)
