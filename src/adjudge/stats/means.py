"""Uncertainty of means and shares (scores, acceptable edits) over new judges and texts.

The score of item a is a weighted mean of its observations, s_a = Σ_i h_i y_i with Σ_i h_i = 1. An
observation has the influence ψ_i = n/(n − 1) · h_i (y_i − s_a), n = 1/Σ h² being its effective
number; summed over judges, texts and their cells these give the variance components (`crossed`,
`variance_components`), pooled over items as for rankings.

A judge who is strict is so with all items, which moves every score and no difference. So intervals
are made from the scores, and for differences judges and texts count with what they do to contrasts,
each score less the mean of all; shares are compared by their logits. Var(s) is never nothing: it is
at least what as many independent observations would have, of the variance that all items have
together, and `least` for each.
"""

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.crossed import CellInfluence, Moments, moments
from adjudge.stats.resampling import Codes, Floats, Unit, Units, drawing
from adjudge.stats.simultaneous import Relation
from adjudge.stats.uncertainty import Scale, Uncertainty
from adjudge.stats.variance_components import Spread, spread

GROUPS_SEED = 1
NOTHING = 1e-300


@dataclass(frozen=True, eq=False)
class Observed:
    """Observations of items: value, weight and units of each."""

    value: Floats
    weight: Floats  # adds up to 1 for every item
    item: Codes
    items: int
    units: tuple[Units, ...]  # one or two that are crossed

    @property
    def mean(self) -> Floats:
        """Score of every item."""
        return np.asarray(np.bincount(self.item, self.weight * self.value, self.items))

    @property
    def squares(self) -> Floats:
        """Σ h², the reciprocal of the effective number of observations of every item."""
        return np.asarray(np.bincount(self.item, self.weight**2, self.items))

    @property
    def deviations(self) -> tuple[float, int]:
        """Sum of squares Σ (y − s)² over all observations, and their number."""
        deviation = self.value - self.mean[self.item]
        return float((deviation**2).sum()), len(deviation)

    def cells(self, centre: Floats) -> CellInfluence:
        """Influence and weight of every cell of two units, or of a unit and single observations."""
        each = np.arange(len(self.value))
        single = Units("observation", each, np.ones(len(each)))
        units = self.units if len(self.units) > 1 else (*self.units, single)
        crossing = drawing(units, GROUPS_SEED)
        squares = self.squares[self.item]
        more = np.divide(1, 1 - squares, out=np.zeros_like(squares), where=squares < 1 - 1e-12)
        influence = more * self.weight * (self.value - centre[self.item])
        place = crossing.row * np.int64(self.items) + self.item
        shape = (crossing.rows, self.items)
        moves, weighs = (
            np.bincount(place, column, shape[0] * shape[1]).astype(np.float64).reshape(shape)
            for column in (influence, self.weight)
        )
        return CellInfluence(moves, weighs, crossing.units[0], crossing.units[-1])


@dataclass(frozen=True, eq=False)
class MeanUncertainty(Uncertainty):
    """Means with confidence intervals; tests of differences use the covariance of contrasts."""

    contrasts: Uncertainty
    parts: dict[str, Floats]  # of the variance of every score, by its sources

    def among(self, kept: NDArray[np.bool_]) -> "MeanUncertainty":
        """Restrict the result to the items in `kept`."""
        return replace(
            _among(self, kept),
            contrasts=_among(self.contrasts, kept),
            parts={name: part[kept] for name, part in self.parts.items()},
        )

    def better(self) -> Floats:
        """Matrix [a, b] of probabilities that a is better than b."""
        return self.contrasts.better()

    def p(self) -> Floats:
        """Matrix [a, b] of two-sided p-values of equality."""
        return self.contrasts.p()

    def told_apart(self) -> Relation:
        """Matrix [a, b]: a is significantly better than b, for all pairs simultaneously at
        `level`.
        """
        return self.contrasts.told_apart()

    def draws(self, number: int, seed: int) -> Floats:
        """Draw scores under resampling of units, on the scale of comparison."""
        return self.contrasts.draws(number, seed)


def assess_means(
    observed: Observed, unit: Unit, scale: Scale, level: float, least: float = 0.0
) -> MeanUncertainty:
    """Estimate means with their covariance over new units of the kind `unit`.

    `least` is the lower bound on the variance of a single observation, for means of equal
    observations.
    """
    mean = observed.mean
    centre = _centre(observed, mean) if scale == "share" else mean
    cells = observed.cells(mean)
    floor = observed.squares * _variance(observed, centre, scale, least)
    spreading = _spread(moments(cells), np.eye(observed.items), floor)
    slope = 1 / (centre * (1 - centre)) if scale == "share" else np.ones(observed.items)
    contrasts, covariance = _contrasts(cells, slope, floor)
    compared = np.log(centre / (1 - centre)) if scale == "share" else mean
    return MeanUncertainty(
        estimate=mean,
        centre=centre,
        covariance=spreading.covariance,
        degrees=spreading.degrees,
        test_degrees=spreading.test_degrees,
        scale=scale,
        level=level,
        contrasts=Uncertainty(
            compared,
            compared,
            covariance,
            contrasts.degrees,
            contrasts.test_degrees,
            "strength",
            level,
        ),
        parts=_parts(spreading, unit),
    )


U = TypeVar("U", bound=Uncertainty)


def _among(whole: U, kept: NDArray[np.bool_]) -> U:
    return replace(
        whole,
        estimate=whole.estimate[kept],
        centre=whole.centre[kept],
        covariance=whole.covariance[np.ix_(kept, kept)],
        degrees=whole.degrees[kept],
        test_degrees=whole.test_degrees[kept],
    )


def _centre(observed: Observed, share: Floats) -> Floats:
    """Shares with half a success and half a failure added, so never 0 or 1."""
    number = 1 / observed.squares
    return np.asarray((share * number + 0.5) / (number + 1))


def _variance(observed: Observed, centre: Floats, scale: Scale, least: float) -> Floats:
    """Variance of a single observation of every item: p(1 − p) for a share, else pooled over
    items.
    """
    if scale == "share":
        return np.asarray(centre * (1 - centre))
    deviations, number = observed.deviations
    degrees = max(number - observed.items, 1)
    return np.full(observed.items, max(deviations / degrees, least, 1e-12))


def _spread(found: Moments, working: Floats, floor: Floats) -> Spread:
    """Estimate variance components whose sum is at least `floor`."""
    free = spread(found, working, np.full(len(floor), NOTHING))
    lacking = np.maximum(floor - free.first - free.second - free.rest, 0)
    return spread(found, working, free.rest + lacking)


def _contrasts(cells: CellInfluence, slope: Floats, floor: Floats) -> tuple[Spread, Floats]:
    """Variance components of centred scores on the scale of comparison, and the covariance for
    differences.

    The residual of a difference does not depend on centring; it is computed without, so that one
    item with little evidence does not make all others uncertain.
    """
    several = cells.items > 1
    working = np.eye(cells.items) - 1 / cells.items if several else np.ones((1, 1))
    moved = cells.influence * slope
    centred = moved - moved.mean(axis=1, keepdims=True) if several else moved
    of_contrasts = moments(CellInfluence(centred, cells.weight, cells.first, cells.second))
    spreading = spread(of_contrasts, working, np.full(cells.items, NOTHING))
    within = np.diag(of_contrasts.cell.product)
    left = np.sqrt(
        np.divide(spreading.rest, within, out=np.ones_like(within), where=within > 1e-15)
    )
    covariance = (moved.T @ moved) * np.outer(left, left)
    covariance += np.diag(np.maximum(floor * slope**2 - np.diag(covariance), 0))
    for part in (spreading.first, spreading.second):
        root = np.sqrt(part / np.diag(working))
        covariance = covariance + working * np.outer(root, root)
    return spreading, np.asarray(covariance)


def _parts(spreading: Spread, unit: Unit) -> dict[str, Floats]:
    """Variance of every score by source."""
    first, *second = unit.split("+")
    if not second:  # the second unit is the single observation, which is the rest
        return {first: spreading.first, "rest": spreading.rest + spreading.second}
    return {first: spreading.first, second[0]: spreading.second, "rest": spreading.rest}
