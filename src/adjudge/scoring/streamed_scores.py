"""System scores from scores that come piece by piece (`pieces`), in memory that does not grow.

Three times through the pieces: how judges score (`normalisation`), how large units are (`groups`),
and what every piece adds. Pieces have whole segments, so the means of cells are known in a piece,
and where units are drawn they add up as in memory (`cells`). By default nothing is drawn:
numbers and sums of scores by judge, text and system are all that the mixed model needs
(`adjusted_scores`).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import NotEnoughData, one_of
from adjudge.core.files.memory import require_memory
from adjudge.scoring.assessment import KNOWN, Tally, refuse_single_scores
from adjudge.scoring.cells import SCORE_UNITS
from adjudge.scoring.gathered_scores import Piece, Stratum
from adjudge.scoring.normalisation import NORMALISATIONS, Fitted, Unplaced, default_normalisation
from adjudge.scoring.score_matrix import Values
from adjudge.scoring.streamed_sums import (
    Adjusted,
    Drawn,
    Nothing,
    Shared,
    Sizes,
    SystemSums,
    WholeSegments,
)
from adjudge.scoring.system_scores import SystemScores, in_order, lost_note
from adjudge.stats.population import auto_unit_of, population_of
from adjudge.stats.resampling import MOST_UNITS, Codes, Resampling, Unit

SHARED = ("item", "hit", "judge")  # units of which there is a table of what was drawn
BYTES_A_SCORE = 300  # of the piece that is looked at
BYTES_OF_TABLES = 1 << 28


def streamed_scores(
    stratum: Stratum, normalise: str | None, resampling: Resampling
) -> SystemScores:
    """Score the systems of one language pair on one scale, as `system_scores` does in memory."""
    if normalise is not None:
        one_of(normalise, NORMALISATIONS, "normalise")
    known = any((piece.judge >= 0).any() for piece in stratum.pieces())
    by_model = resampling.unit == "auto"
    name = normalise or ("raw" if by_model else default_normalisation(stratum.scale, known))
    drawn = 4 * resampling.replicates * MOST_UNITS if resampling.unit in SHARED else 0
    require_memory(
        stratum.largest * BYTES_A_SCORE + drawn + BYTES_OF_TABLES,
        f'{stratum.about}: `unit="{resampling.unit}"` needs',
        "free some",
    )
    counted = Counted(stratum, name, resampling)
    tally = counted.tally()
    lost = [
        system
        for system, given, left in zip(
            stratum.gathered.systems, counted.given, counted.number, strict=True
        )
        if given and not left
    ]
    notes = (*counted.notes, *lost_note(lost))
    return in_order(stratum.pair, stratum.scale, name, tally, notes)


class Counted:
    """The scores of a stratum on a scale common to all judges, counted by system and unit."""

    def __init__(self, stratum: Stratum, normalisation: str, resampling: Resampling) -> None:
        self.stratum, self.resampling = stratum, resampling
        fit = NORMALISATIONS[normalisation]
        self._fitted: Fitted | None = None if fit is None else fit(_judged(stratum))
        units = {*KNOWN, *({resampling.unit} & {*SCORE_UNITS} - {"none"})}
        self.sizes = {unit: Sizes(unit, stratum.gathered) for unit in units}
        systems = len(stratum.gathered.systems)
        self.given, self.number = np.zeros((2, systems), np.int64)
        unknown, lost = 0, np.zeros(len(stratum.gathered.names["judge"]), np.int64)
        for piece in stratum.pieces():
            kept = self._kept(piece)
            self.given += np.bincount(piece.system, minlength=systems)
            self.number += np.bincount(kept.system, minlength=systems)
            for sizes in self.sizes.values():
                sizes.add(kept)
            if len(kept) < len(piece):
                judge = piece.judge[piece.judge >= 0]
                unknown += len(piece) - len(judge)
                lost += np.bincount(judge, minlength=len(lost))
                lost -= np.bincount(kept.judge[kept.judge >= 0], minlength=len(lost))
        by = stratum.gathered.names["judge"].gather(np.flatnonzero(lost > 0)).to_list()
        if not self.given.any():
            raise NotEnoughData(f"{stratum.about}: no score is left; ask for less")
        unplaced = Unplaced(unknown, int(lost.sum()), by)
        self.notes = unplaced.notes(stratum.about, int(self.given.sum()))

    def _kept(self, piece: Piece) -> Piece:
        """The scores that have a place on the common scale."""
        if self._fitted is None:
            return piece
        value = np.full(len(piece), np.nan)
        known = piece.judge >= 0
        value[known] = self._fitted(piece.value[known], piece.judge[known])
        has = np.isfinite(value)
        return piece.where(has, value[has])

    def tally(self) -> Tally:
        """What the scores say of the systems that have any."""
        present = np.flatnonzero(self.number)
        systems = tuple(self.stratum.gathered.systems[i] for i in present)
        resampling = self.resampling
        if resampling.unit == "auto":
            unit = auto_unit_of(lambda unit: self._worth(unit), otherwise="item")
            resampling = replace(resampling, unit=unit)
        drawn = self._drawn(resampling, len(systems))
        sums = SystemSums(len(systems), len(self.stratum.gathered.names["judge"]))
        code = np.full(len(self.number), -1, np.int32)
        code[present] = np.arange(len(present), dtype=np.int32)
        for piece in self.stratum.pieces():
            given = _among(piece, code)
            kept = self._kept(given)
            if len(kept):
                drawn.add(kept, sums.add(kept, given))
        one_each = sums.segments.sum() == sums.number.sum() == len(systems)
        refuse_single_scores(one_each, resampling, self.stratum.about, len(systems))
        means, times = sums.means.samples()
        numbers: dict[Unit, int] = {unit: self.sizes[unit].number for unit in KNOWN}
        numbers["segment"] = sums.all_segments
        return Tally(
            systems=systems,
            raw=sums.raw,
            number=sums.number.astype(np.int64),
            segments=sums.segments.astype(np.int64),
            effective=1 / sums.inverse,
            means=means,
            times=times,
            in_segments=sums.in_segments,
            by_judges=sums.by_judges,
            resampling=resampling,
            holds_for=population_of(numbers, resampling.unit),
            units=drawn.worth,
            found=drawn.found(sums),
        )

    def _worth(self, unit: Unit) -> float:
        return self.sizes[unit].worth if unit in self.sizes else 0.0

    def _drawn(self, resampling: Resampling, systems: int) -> Drawn:
        """Where the scores of units are to be counted."""
        about = self.stratum.about
        if resampling.unit == "none":
            return Nothing(resampling.level)
        names = [cast(Unit, name) for name in resampling.unit.split("+")]
        sizes = [self.sizes[name] for name in names]
        for own in sizes:
            own.require(about)
        if self.resampling.unit == "auto":
            return Adjusted(tuple(sizes), resampling, systems)
        if resampling.unit in ("segment", "document"):
            return WholeSegments(sizes[0], resampling, systems, about)
        return Shared(sizes[0], resampling, systems, about)


def _judged(stratum: Stratum) -> Iterator[tuple[Values, Codes]]:
    """The scores by judges who are known."""
    for piece in stratum.pieces():
        known = piece.judge >= 0
        yield piece.value[known], piece.judge[known]


def _among(piece: Piece, code: NDArray[np.int32]) -> Piece:
    """The scores of the systems that have a code, by that."""
    has = code[piece.system] >= 0
    kept = piece if has.all() else piece.where(has, piece.value[has])
    return replace(kept, system=code[kept.system])
