"""Units of scores that come piece by piece: how large they are, and the groups they are drawn in.

Judges and documents are told apart however many they are, segments, screens and items as long as
they are at most `MOST_UNITS`; more of them are in as many groups by the hashes of their names
(`gathering`). What one unit does stays in one group, so that the spread over units stays the same
on average (`statistics.drawing`).
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from adjudge.data.votes.hashed_names import Hashes
from adjudge.scoring.gathered_scores import Gathered, Piece
from adjudge.stats.means import GROUPS_SEED
from adjudge.stats.resampling_weights import MOST_UNITS
from adjudge.stats.units import Codes, Floats, Units, effective_number, units_of


@dataclass
class Sizes:
    """How many scores the units of one kind hold."""

    unit: str
    gathered: Gathered
    known: Floats = field(default_factory=lambda: np.zeros(0))  # of every code
    unknown: int = 0  # scores that name no unit

    def add(self, piece: Piece) -> None:
        """Count these scores."""
        codes = self.codes(piece)
        named = codes[codes >= 0]
        self.unknown += len(codes) - len(named)
        counted = np.bincount(named, minlength=len(self.known)).astype(np.float64)
        counted[: len(self.known)] += self.known
        self.known = counted

    def codes(self, piece: Piece) -> Codes:
        """The code of every score, −1 where it is unknown."""
        gathering = self.gathered.gathering
        match self.unit:
            case "judge":
                return piece.judge
            case "document":
                return piece.document
            case "segment":
                return gathering.segments.codes(piece.hashes("segment"))
            case "hit" if not gathering.knows_hits:
                return np.full(len(piece), -1, np.int32)
            case "hit":
                return gathering.hits.codes(piece.hashes("hit"))
            case _:
                return gathering.items.codes(piece.hashes("item"))

    def require(self, about: str) -> None:
        """Refuse units that tell nothing apart."""
        some = [np.arange(min(self.number, 2)), np.full(min(self.unknown, 2), -1)]
        units_of(np.concatenate(some), self.unit, about=about)

    @property
    def number(self) -> int:
        """How many units are known."""
        return int(np.count_nonzero(self.known))

    @property
    def worth(self) -> float:
        """How many units of equal size would say as much; 0 where there are no two."""
        if not self.number or self.number + self.unknown < 2:
            return 0.0
        return float(effective_number(np.append(self.known, np.ones(self.unknown))))


@dataclass(frozen=True, eq=False)
class Groups:
    """What is drawn: units, or `number` groups of them."""

    sizes: Sizes
    number: int
    group: NDArray[np.int32]  # of every code
    size: Floats  # of every group

    def codes(self, piece: Piece) -> Codes:
        """The group of every score."""
        code = self.sizes.codes(piece)
        if not self.sizes.unknown:
            return self.group[code]
        # Unknown judges are one each; a segment whose document is unknown is drawn as a whole.
        alone = piece.hashes("segment" if self.sizes.unit == "document" else "row")
        return np.where(code < 0, in_groups(alone, self.number), self.group[code])

    def units(self, code: Codes) -> Units:
        """As units of observations that are of these groups."""
        return Units(self.sizes.unit, code, self.size)


def groups(sizes: Sizes, most: int | None = None) -> Groups:
    """The units in at most so many groups; each by itself, if they are no more and all known."""
    present = np.flatnonzero(sizes.known)
    every = len(present) + sizes.unknown
    number = min(every, most or (MOST_UNITS if sizes.unknown else every))
    place = np.arange(len(present))
    if number < every:
        place = np.random.default_rng(GROUPS_SEED).permutation(len(present)) % number
    group = np.zeros(len(sizes.known), np.int32)
    group[present] = place
    size = np.bincount(place, sizes.known[present], number) + sizes.unknown / number
    return Groups(sizes, number, group, size.astype(np.float64))


def in_groups(hashes: Hashes, number: int) -> NDArray[np.int32]:
    """The group of each by its hash."""
    return (hashes % np.uint64(number)).astype(np.int32)
