"""The bootstrap of system scores: test sets, or judges, as they might have been.

A system's score is the mean over segments of the mean of its scores in a segment. Where segments
or documents are drawn, a segment counts as often as it was drawn; where judges, hits or items
are drawn, a score does within its segment, and a segment of which no score was drawn is absent.
Normalisation is held as all scores give it. Replicates in which some system has no score say
nothing about an order and are left out.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from adjudge.comparisons.comparisons import Codes
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.ranking.resampling import MOST_ENTRIES, generator
from adjudge.scoring.scored import Scored, Values

ScoreUnit = Literal["none", "item", "hit", "segment", "document", "judge"]


@dataclass(frozen=True)
class ScoreResampling:
    """What is drawn with replacement, how often, and from which seed."""

    unit: ScoreUnit = "segment"
    replicates: int = 1000
    seed: int = 1

    def __post_init__(self) -> None:
        if self.replicates < 1 or self.seed < 0:
            raise AdjudgeError("ask for at least one replicate and a seed that is not negative")


@dataclass(frozen=True, eq=False)
class Cells:
    """The scores of one system in one segment, each such cell once."""

    of_score: Codes  # the cell of each score
    system: Codes  # of each cell
    segment: Codes
    mean: Values
    systems: int

    def scores(self) -> Values:
        """The score of every system: the mean of its cells."""
        total = np.bincount(self.system, self.mean, self.systems)
        return np.asarray(total / np.bincount(self.system, minlength=self.systems))


def cells(scored: Scored) -> Cells:
    """Scores averaged by system and segment."""
    key = scored.segment.astype(np.int64) * len(scored.systems) + scored.system
    keys, of_score = np.unique(key, return_inverse=True)
    segment, system = np.divmod(keys, len(scored.systems))
    mean = np.bincount(of_score, scored.value) / np.bincount(of_score)
    return Cells(of_score, system, segment, mean, len(scored.systems))


def units_of(scored: Scored, unit: ScoreUnit) -> Codes:
    """The unit of every score, from 0; an unknown one is a unit of its own."""
    label: Codes = getattr(scored, unit)
    if (label < 0).all():
        raise NotEnoughData(
            f"{scored.pair}, {scored.scale}: no {unit} is known; choose another --unit than {unit}"
        )
    # A segment whose document is unknown is still drawn as a whole.
    alone = scored.segment if unit == "document" else np.arange(len(label))
    own = label.max() + 1 + alone.astype(np.int64)
    codes = np.unique(np.where(label < 0, own, label), return_inverse=True)[1].astype(np.int32)
    if codes.max() == 0:
        raise NotEnoughData(
            f"{scored.pair}, {scored.scale}: only one {unit}, and nothing can be learnt from "
            "drawing it again; choose another --unit, or --unit none"
        )
    return codes


def effective_number(units: Codes) -> float:
    """How many units of equal size would say as much: (Σ size)² / Σ size² (Kish)."""
    size = np.bincount(units).astype(float)
    return float(size.sum() ** 2 / (size**2).sum())


def replicated(scored: Scored, resampling: ScoreResampling) -> Values:
    """The scores of the systems in every replicate that has them all."""
    made = cells(scored)
    units = units_of(scored, resampling.unit)
    number = int(units.max()) + 1
    whole = resampling.unit in ("segment", "document")
    sums = _cell_sums(scored, made, units, number, whole)
    at_once = max(1, MOST_ENTRIES // max(number, len(made.mean)))
    found = []
    for first in range(0, resampling.replicates, at_once):
        some = range(first, min(first + at_once, resampling.replicates))
        weights = np.stack([_draw(resampling.seed, replicate, number) for replicate in some])
        found.append(_means(weights, made, sums, whole))
    scores = np.concatenate(found)
    complete = scores[np.isfinite(scores).all(axis=1)]
    if not len(complete):
        raise NotEnoughData(
            f"{scored.pair}, {scored.scale}: every replicate lacks some system, because so few "
            f"{resampling.unit}s scored it; choose another --unit"
        )
    return complete


def _draw(seed: int, replicate: int, number: int) -> NDArray[np.float64]:
    drawn = generator(seed, replicate).integers(0, number, number)
    return np.bincount(drawn, minlength=number).astype(float)


def _cell_sums(
    scored: Scored, made: Cells, units: Codes, number: int, whole: bool
) -> tuple[Any, Any]:
    """What every unit adds: to the sum of scores, and to their number.

    A whole segment adds to its systems, anything smaller to the cells it has scores in.
    """
    if whole:
        first = np.unique(made.of_score, return_index=True)[1]
        row, column, shape = units[first], made.system, (number, made.systems)
        value = made.mean
    else:
        row, column, shape = units, made.of_score, (number, len(made.mean))
        value = scored.value
    ones = np.ones(len(value))
    return tuple(sparse.csr_array((v, (row, column)), shape=shape) for v in (value, ones))


def _means(weights: Values, made: Cells, sums: tuple[Any, Any], whole: bool) -> Values:
    total, number = (weights @ part for part in sums)
    with np.errstate(invalid="ignore"):
        if whole:
            return np.asarray(total / number)
        mean = total / number
        there = number > 0
        of_system = sparse.csr_array(
            (np.ones(len(made.mean)), (np.arange(len(made.mean)), made.system)),
            shape=(len(made.mean), made.systems),
        )
        return np.asarray(
            (np.where(there, mean, 0) @ of_system) / (there.astype(float) @ of_system)
        )
