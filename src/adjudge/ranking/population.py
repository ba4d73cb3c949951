"""For whom a ranking holds: the unit that is taken by default, and the words for it."""

import numpy as np

from adjudge.comparisons.comparisons import Codes, Comparisons
from adjudge.statistics import population as populations
from adjudge.statistics.resampling import Unit

KNOWN: tuple[Unit, ...] = ("judge", "document", "segment")


def auto_unit(comparisons: Comparisons) -> Unit:
    """Judges and documents, or as much of that as the judgements can tell; else rankings."""
    size = np.bincount(comparisons.ranking, minlength=len(comparisons.rankings))
    return populations.auto_unit(_labels(comparisons), size, otherwise="ranking")


def population(comparisons: Comparisons, unit: Unit) -> str:
    """For whom intervals, ranges and clusters by this unit hold, to follow a heading."""
    return populations.population(_labels(comparisons), unit)


def _labels(comparisons: Comparisons) -> dict[Unit, Codes]:
    """Judge, document and segment of every ranking."""
    labels: dict[Unit, Codes] = {}
    for unit in KNOWN:
        code = np.full(len(comparisons.rankings), -1, np.int32)
        code[comparisons.ranking] = getattr(comparisons, unit)
        labels[unit] = code
    return labels
