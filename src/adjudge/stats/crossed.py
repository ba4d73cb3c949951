"""Influence of two crossed units, such as judges and documents, and their cells on every score.

A cell is one combination of a first and a second unit that occurs (a judge and a document), or a
single observation where only one unit is known. What cell c adds to the score of item a is its
influence ψ_ca, Σ_c ψ_ca = 0, the linear term of the score in the counts of the cell; what it
weighs in the score is h_ca, Σ_c h_ca = 1. Summed over the cells of a unit they are ψ_ja and h_ja.
All that the variance components need are second moments of the ψ and power sums of the h:

    Q = Σ_j ψ_j ψ_jᵀ          H_k = Σ_j h_j^k

of first units (J), second units (D) and cells (C). If first units differ with variance σ_J²,
second units with σ_D², and v is what is left,

    E Q_J = A_J σ_J² + L σ_D² + (1 − H2_J) v       A = H2 − 2 H3 + H2²
    E Q_D = L σ_J² + A_D σ_D² + (1 − H2_D) v       L = Σ_c (h_c² − 2 h_c h_j h_d) + H2_J H2_D
    E Q_C = K_J σ_J² + K_D σ_D² + (1 − H2_C) v     K_J = Σ_c h_c² (1 − 2 h_j(c) + H2_J), K_D alike

for the ψ of unit j are h_j (x_j − Σ_k h_k x_k) in the deviations x of all units. Cameron, Gelbach
and Miller (2011) take A = H2 and L = K = 0, which is wrong by a fifth with four judges and by more
with unequal workloads.
"""

from dataclasses import dataclass

import numpy as np

from adjudge.stats.resampling import Codes, Floats

POWERS = (2, 3, 4, 5)


@dataclass(frozen=True, eq=False)
class CellInfluence:
    """Influence and weight of every cell in every score, and the units of the cell."""

    influence: Floats  # (cells, items)
    weight: Floats  # (cells, items); adds up to 1 for every item that was seen at all
    first: Codes  # (cells,): the first unit of each cell, from 0
    second: Codes

    @property
    def items(self) -> int:
        """Number of scores."""
        return int(self.influence.shape[1])


@dataclass(frozen=True, eq=False)
class UnitMoments:
    """Moments of one kind of unit: Q, the power sums of the weights, and the number of units with
    weight.
    """

    product: Floats  # (items, items): Q
    powers: Floats  # (items, 4): H2, H3, H4, H5
    cell_overlap: Floats  # (items,): K
    number: Floats  # (items,): units with any weight

    @property
    def squares(self) -> Floats:
        """H2, the reciprocal of the effective number of units behind each score."""
        return np.asarray(self.powers[:, 0])

    @property
    def trace(self) -> Floats:
        """Expected diagonal A of Q for unit variance 1 and no other variance."""
        h2, h3 = self.powers[:, 0], self.powers[:, 1]
        return np.asarray(h2 - 2 * h3 + h2**2)

    @property
    def degrees(self) -> Floats:
        """Degrees of freedom of Q_aa (Bell and McCaffrey 2002); n − 1 for n equal units.

        tr(M)² / tr(M²) of the quadratic form, in power sums:
        A² / [H4 (1 + 2 H2) − 4 H5 + H2⁴ + 2 H2 H4 − 4 H2² H3 + 2 H3²]
        """
        h2, h3, h4, h5 = self.powers.T
        square = h4 * (1 + 2 * h2) - 4 * h5 + h2**4 + 2 * h2 * h4 - 4 * h2**2 * h3 + 2 * h3**2
        several = square > 1e-14 * np.maximum(h2, 1e-14)  # a single unit leaves rounding errors
        return np.asarray(np.divide(self.trace**2, square, out=np.zeros_like(h2), where=several))


@dataclass(frozen=True, eq=False)
class Moments:
    """Input of the estimation of variance components."""

    first: UnitMoments
    second: UnitMoments
    cell: UnitMoments
    leak: Floats  # (items,): L


@dataclass(frozen=True, eq=False)
class SingleInfluence:
    """Influence of cells whose second unit is the single observation, with equal observations
    grouped.

    Votes are such observations: all votes of one kind have the same influence.
    """

    influence: Floats  # (kinds, items): of one observation
    weight: Floats  # (kinds, items)
    times: Floats  # (kinds,): how many observations there are of each kind
    # Influence, weight and squared weight of every first unit; None: that is single, too.
    of_units: tuple[Floats, Floats, Floats] | None

    @property
    def items(self) -> int:
        """Number of scores."""
        return int(self.influence.shape[1])


def moments(cells: CellInfluence | SingleInfluence) -> Moments:
    """Sum squares and products over first units, second units and cells."""
    if isinstance(cells, SingleInfluence):
        return _of_singles(cells)
    first, first_weight = _of_units(cells, cells.first)
    second, second_weight = _of_units(cells, cells.second)
    every, _ = _of_units(cells, np.arange(len(cells.weight)))
    square = cells.weight**2
    both = cells.weight * first_weight[cells.first] * second_weight[cells.second]
    leak = (square - 2 * both).sum(axis=0) + first.squares * second.squares
    return Moments(first, second, every, leak)


def _of_units(cells: CellInfluence, unit: Codes) -> tuple[UnitMoments, Floats]:
    influence, weight = (_summed(x, unit) for x in (cells.influence, cells.weight))
    powers = power_sums(weight, 1)
    overlap = (cells.weight**2 * (1 - 2 * weight[unit] + powers[:, 0])).sum(axis=0)
    number = (weight > 0).sum(axis=0).astype(np.float64)
    return UnitMoments(influence.T @ influence, powers, overlap, number), weight


def _of_singles(cells: SingleInfluence) -> Moments:
    """Moments where every observation is a cell and a second unit: with h_c = h_d all sums are over
    kinds.
    """
    times, weight = cells.times[:, None], cells.weight
    powers = power_sums(weight, times)
    squares = powers[:, 0]
    every = UnitMoments(
        (cells.influence * times).T @ cells.influence,
        powers,
        squares * (1 + squares) - 2 * powers[:, 1],
        (times * (weight > 0)).sum(axis=0),
    )
    if cells.of_units is None:
        return Moments(every, every, every, squares - 2 * powers[:, 1] + squares**2)
    influence, of_unit, square = cells.of_units
    powers = power_sums(of_unit, 1)
    shared = (of_unit * square).sum(axis=0)
    first = UnitMoments(
        influence.T @ influence,
        powers,
        squares * (1 + powers[:, 0]) - 2 * shared,
        (of_unit > 0).sum(axis=0).astype(np.float64),
    )
    return Moments(first, every, every, squares - 2 * shared + powers[:, 0] * squares)


def power_sums(weight: Floats, times: Floats | int) -> Floats:
    """Power sums of the weights (items, 4)."""
    power, sums = weight * weight * times, []
    for _ in POWERS:  # multiplying is faster than raising to a power
        sums.append(power.sum(axis=0))
        power = power * weight
    return np.stack(sums, axis=-1)


def _summed(values: Floats, unit: Codes) -> Floats:
    """Sum the rows of `values` (cells, items) within units."""
    units = int(unit.max()) + 1
    if units == len(values) and np.array_equal(unit, np.arange(units)):
        return values
    return np.stack([np.bincount(unit, column, units) for column in values.T], axis=-1)
