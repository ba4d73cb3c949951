"""How many distinct hashes there are, and how many repeat another one, in bounded memory.

All are kept as long as they are at most so many. Of more, those below 2^(64−ℓ) are, with the least
ℓ that leaves few enough: one hash in 2^ℓ, whatever the order in which they come, and all that are
alike or none of them. So many times 2^ℓ is then about the number of all, to one part in √kept.
"""

import numpy as np

from adjudge.data.votes.hashed_names import Hashes

MOST_DISTINCT = 1 << 20
MOST_REPEATED = 1 << 21


class Thinned:
    """Hashes, each once or as often as they came; `most` are kept."""

    def __init__(self, most: int, *, repeats: bool = False) -> None:
        self.level = 0  # ℓ
        self._most = most
        self._repeats = repeats
        self._kept: Hashes = np.zeros(0, np.uint64)
        self._new: list[Hashes] = []
        self._waiting = 0

    def add(self, hashes: Hashes) -> None:
        """Count these, too."""
        if self.level:
            hashes = hashes[hashes < self._limit]
        self._new.append(hashes)
        self._waiting += len(hashes)
        if self._waiting > self._most:
            self._settle()

    @property
    def exact(self) -> bool:
        """Were all kept?"""
        self._settle()
        return self.level == 0

    @property
    def number(self) -> int:
        """How many were counted, of like ones one unless they repeat."""
        self._settle()
        return len(self._kept) << self.level

    @property
    def repeated(self) -> int:
        """How many came again."""
        self._settle()
        return (len(self._kept) - len(_once(self._kept))) << self.level

    @property
    def _limit(self) -> np.uint64:
        return np.uint64(1 << (64 - self.level))

    def _settle(self) -> None:
        """Put together what was added, and keep fewer where that is too much."""
        kept = np.concatenate([self._kept, *self._new])
        self._new, self._waiting = [], 0
        if not self._repeats:
            kept = _once(kept)
        while len(kept) > self._most:
            self.level += 1
            kept = kept[kept < self._limit]
        self._kept = kept


def _once(hashes: Hashes) -> Hashes:
    """Every hash once; `np.unique` is slower where most are distinct."""
    ordered = np.sort(hashes)
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]
