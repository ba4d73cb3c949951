"""Scores that were gathered in parts, piece by piece: some segments with all their scores.

The codes of judges and documents are those of all pieces, in the order of their names; the codes of
segments are of one piece only.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.data.comparisons import Codes
from adjudge.data.outputs import systems_among
from adjudge.data.selection import Selection, kept_outputs, require_systems
from adjudge.data.validation import LONGEST_NAME, UNREADABLE
from adjudge.data.votes.hashed_names import Hashes, mixed
from adjudge.scoring.gather_scores import CODED, Gathering, NotSound, item_hashes
from adjudge.scoring.score_matrix import OutputSystems, Scored, Values, output_systems


@dataclass(frozen=True, eq=False)
class Piece:
    """Some scores, one for every system that produced the output."""

    value: Values
    system: Codes
    judge: Codes
    document: Codes
    rows: NDArray[np.void]  # that the scores come from
    row: NDArray[np.integer]  # of every score

    def __len__(self) -> int:
        return len(self.value)

    def where(self, mask: NDArray[np.bool_], value: Values) -> "Piece":
        """The scores in `mask`, with these values."""
        names = ("system", "judge", "document", "row")
        return replace(self, value=value, **{name: getattr(self, name)[mask] for name in names})

    def hashes(self, unit: str) -> Hashes:
        """Of the segments, screens or items; of the rows themselves."""
        rows = self.rows
        match unit:
            case "item":
                hashes = item_hashes(rows)
            case "row":
                hashes = mixed(rows["segment"], item_hashes(rows), rows["output"].astype(np.uint64))
            case _:
                hashes = rows[unit]
        return np.asarray(hashes[self.row])

    def scored(self, systems: tuple[str, ...]) -> Scored:
        """The same, for what needs no more than systems, segments and judges."""
        unknown = np.full(len(self), -1, np.int32)
        segment = np.unique(self.hashes("segment"), return_inverse=True)[1]
        return Scored(
            pair="",
            scale="",
            value=self.value,
            system=self.system,
            segment=segment.astype(np.int32),
            document=self.document,
            hit=unknown,
            item=unknown,
            judge=self.judge,
            systems=systems,
            judges=(),
            unattributed=0,
        )


@dataclass(frozen=True, eq=False)
class Stratum:
    """The scores of one scale of one language pair."""

    pair: str
    scale: str
    gathered: "Gathered"
    parts: list[int]

    @property
    def about(self) -> str:
        """What messages call it."""
        return f"{self.pair}, {self.scale}"

    @property
    def largest(self) -> int:
        """How many scores the largest piece has."""
        return max(map(self.gathered.gathering.spill.size, self.parts))

    def pieces(self) -> Iterator[Piece]:
        """All scores."""
        rank = self.gathered.rank
        for part in self.parts:
            rows = self.gathered.gathering.spill.read(part)
            row, system = self.gathered.of_outputs.expanded(rows["output"])
            yield Piece(
                value=rows["score"][row],
                system=system,
                judge=rank["judge"][rows["judge"][row]],
                document=rank["document"][rows["document"][row]],
                rows=rows,
                row=row,
            )


class Gathered:
    """What was gathered, with names in order, and the systems that were chosen."""

    def __init__(self, gathering: Gathering, selection: Selection) -> None:
        self.gathering = gathering
        met = {name: gathering.names[name].to_series() for name in CODED}
        if not all(map(_sound, met.values())):
            raise NotSound
        order = {name: names.arg_sort().to_numpy() for name, names in met.items()}
        self.names = {name: names.gather(order[name]) for name, names in met.items()}
        self.rank = {name: _inverse(places) for name, places in order.items()}
        outputs = met["output"].to_list()
        require_systems(selection, systems_among(outputs))
        self._kept = kept_outputs(outputs, selection)

    @cached_property
    def of_outputs(self) -> OutputSystems:
        """The systems of every output, those that were chosen."""
        return output_systems(self._kept.values())

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of their names."""
        return self.of_outputs.systems

    def named(self, column: str, codes: Codes) -> pl.Series:
        """The names of these codes, as they were gathered; outputs as far as they were chosen."""
        known = self.gathering.names[column].to_series()
        if column == "output":
            known = pl.Series(list(self._kept.values()), dtype=pl.String)
        return known.gather(pl.Series(codes).replace(-1, None))

    def strata(self) -> list[Stratum]:
        """Every scale of every language pair, in the order of their names."""
        pairs, scales = (self.gathering.names[name].to_series() for name in ("pair", "scale"))
        strata = [
            Stratum(pairs[pair], scales[scale], self, self.gathering.parts(number))
            for (pair, scale), number in self.gathering.strata.items()
        ]
        held = [stratum for stratum in strata if stratum.parts]
        return sorted(held, key=lambda stratum: (stratum.pair, stratum.scale))


def _sound(names: pl.Series) -> bool:
    """Can something be called so?"""
    return not (
        (names == "").any()
        or (names.str.len_bytes() > LONGEST_NAME).any()
        or names.str.contains(UNREADABLE).any()
    )


def _inverse(order: NDArray[np.integer]) -> Codes:
    """The place of every code; −1 for −1."""
    place = np.full(len(order) + 1, -1, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return place
