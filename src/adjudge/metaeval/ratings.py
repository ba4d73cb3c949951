"""Single scores by people behind their means, so that judges or judgements can be drawn.

A judge who is drawn twice counts twice in the mean of every output they scored; an output whose
judges are not drawn has no score in that replicate. The metric's scores stay as they are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.stats.resampling import Resampling
from adjudge.stats.resampling_weights import drawing
from adjudge.stats.units import Codes, Floats, Units, units_of

RATING_UNITS = ("judge", "item")  # that can be drawn: judges, or single judgements


@dataclass(frozen=True, eq=False)
class Ratings:
    """One row a score; its value is normalised already."""

    value: Floats
    system: Codes
    segment: Codes
    judge: Codes  # −1: unknown
    item: Codes
    systems: int
    segments: int

    def among(self, kept: Sequence[int]) -> "Ratings":
        """Of these systems only, in this order."""
        code = np.full(self.systems, -1, np.int64)
        code[list(kept)] = np.arange(len(kept))
        there = code[self.system] >= 0
        rows = {name: getattr(self, name)[there] for name in ("value", "segment", "judge", "item")}
        return replace(self, **rows, system=code[self.system[there]], systems=len(kept))

    def units(self, resampling: Resampling, about: str) -> Units:
        """What is drawn."""
        label = self.judge if resampling.unit == "judge" else self.item
        return units_of(label, resampling.unit, about=about)

    def drawer(self, units: Units, seed: int) -> Callable[[int], Floats]:
        """Gives scores of segments (systems × segments) in the replicate of a number.

        NaN where nobody was drawn who scored it.
        """
        draws = drawing((units,), seed)
        place = self.system.astype(np.int64) * self.segments + self.segment
        size = self.systems * self.segments

        def replicate(number: int) -> Floats:
            weight = draws.weights(range(number, number + 1))[0, draws.row]
            total = np.bincount(place, weight * self.value, size)
            times = np.bincount(place, weight, size)
            nothing = np.full(size, np.nan)
            means = np.divide(total, times, out=nothing, where=times > 0)
            return np.asarray(means.reshape(self.systems, self.segments))

        return replicate


def means_of_systems(by_segment: Floats) -> Floats:
    """The mean of the segments that have a score, of every system; NaN where none has."""
    known = np.isfinite(by_segment)
    total, number = np.where(known, by_segment, 0).sum(axis=1), known.sum(axis=1)
    nothing = np.full(len(total), np.nan)
    return np.asarray(np.divide(total, number, out=nothing, where=number > 0))
