"""Few distinct things among very many, told apart by 64-bit hashes of their names.

A hash stands for a name; among the few thousand that are ever kept two alike are as good as
impossible. All work is on arrays of hashes.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]

SLOTS = 1 << 20
COUNTED = 1 << 14  # distinct hashes that are counted one by one
SMALLEST = 1 << 10  # hashes kept to know how many more there are
_ODD = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64
)


def mixed(*hashes: Hashes) -> Hashes:
    """One hash of several, in their order."""
    result = np.zeros_like(hashes[0])
    for place, part in enumerate(hashes):
        result ^= part
        result *= _ODD[place % len(_ODD)]
        result ^= result >> np.uint64(32)
    return result


class Lookup:
    """Codes of hashes, counted from 0 in the order in which they were first met."""

    def __init__(self) -> None:
        self._code: dict[int, int] = {}
        self._slots = np.zeros(SLOTS, np.int32)  # 1 + the code of the hash that came here first
        self._keys: Hashes = np.zeros(1, np.uint64)  # the hash of each code, after a place for none

    def __len__(self) -> int:
        return len(self._code)

    def codes(
        self, hashes: Hashes, most: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]] | None:
        """The code of each, and where the new ones stand; None where more than `most` are known.

        Nothing is changed where it is None.
        """
        place = (hashes & np.uint64(SLOTS - 1)).astype(np.int32)
        code = self._slots[place]
        other = np.flatnonzero((self._keys[code] != hashes) | (code == 0))
        if not len(other):
            return code - np.int32(1), other
        distinct, first, inverse = np.unique(hashes[other], return_index=True, return_inverse=True)
        known = [self._code.get(int(key), -1) for key in distinct[: most + 1]]
        new = [i for i, found in enumerate(known) if found < 0]
        if len(self) + len(new) > most or len(distinct) > most:
            return None
        for i in sorted(new, key=lambda i: first[i]):
            known[i] = len(self._code)
            self._code[int(distinct[i])] = known[i]
        self._keys = np.append(self._keys, np.zeros(len(new), np.uint64))
        for i in new:
            self._keys[known[i] + 1] = distinct[i]
            slot = int(distinct[i]) & (SLOTS - 1)
            self._slots[slot] = self._slots[slot] or known[i] + 1
        code[other] = np.array(known, np.int32)[inverse] + 1
        return code - np.int32(1), np.sort(other[first[new]])


@dataclass
class Distinct:
    """How many distinct hashes there were: exactly up to `COUNTED`, then to three percent.

    Of more, the `SMALLEST` smallest are kept. With k of them up to h of 2⁶⁴ there are about
    (k − 1) · 2⁶⁴ / h in all (Bar-Yossef et al. 2002), to one part in √k.
    """

    kept: Hashes = field(default_factory=lambda: np.zeros(0, np.uint64))
    many: bool = False

    def add(self, hashes: Hashes, many: bool = False) -> None:
        """Count these, too; `many`: they are the smallest of more than `COUNTED`."""
        if self.many:
            hashes = hashes[hashes < self.kept[-1]]
        if len(hashes):
            self.kept = np.union1d(self.kept, hashes)
        self.many |= many or len(self.kept) > COUNTED
        if self.many:
            self.kept = self.kept[:SMALLEST]

    @property
    def number(self) -> int:
        """How many."""
        if not self.many:
            return len(self.kept)
        return max(round((SMALLEST - 1) * 2.0**64 / float(self.kept[-1])), COUNTED + 1)
