"""Population for which a ranking holds: the default unit and its description."""

import numpy as np

from adjudge.data.comparisons import Codes, Comparisons
from adjudge.data.votes.cells import Cells, Judged
from adjudge.stats import population as populations
from adjudge.stats.resampling import Unit

KNOWN: tuple[Unit, ...] = ("judge", "document", "segment")


def auto_unit(comparisons: Judged) -> Unit:
    """Choose judges and documents, as far as they are known; else rankings."""
    if isinstance(comparisons, Cells):
        cells = comparisons.widest
        return populations.auto_unit(_of_votes(comparisons), cells.size, otherwise="ranking")
    size = np.bincount(comparisons.ranking, minlength=len(comparisons.rankings))
    return populations.auto_unit(_labels(comparisons), size, otherwise="ranking")


def population(comparisons: Judged, unit: Unit) -> str:
    """Describe the population for which intervals, ranges and clusters hold, to follow a
    heading.
    """
    if isinstance(comparisons, Cells):
        known = {
            name: comparisons.numbers.get(name) or populations.number_of(codes)
            for name, codes in _of_votes(comparisons).items()
        }
        return populations.population_of({"judge": 0, **known}, unit)
    return populations.population(_labels(comparisons), unit)


def _labels(comparisons: Comparisons) -> dict[Unit, Codes]:
    """Judge, document and segment of every ranking."""
    labels: dict[Unit, Codes] = {}
    for unit in KNOWN:
        code = np.full(len(comparisons.rankings), -1, np.int32)
        code[comparisons.ranking] = getattr(comparisons, unit)
        labels[unit] = code
    return labels


def _of_votes(votes: Cells) -> dict[Unit, Codes]:
    """Known judge and segment of every cell."""
    units = votes.widest.units
    return {unit: units[unit] for unit in KNOWN if unit in units}
