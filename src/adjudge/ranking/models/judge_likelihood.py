"""The numbers behind `judge-aware`: its likelihood on cells, and how that is maximised.

A cell is what one judge said of one pair of systems: three counts. The cost of a fit depends on
the number of cells, not of judgements.

Parameters: `shared` = (θ of every system, mean log ν) and, per judge, log α, the judge's
departure u from the mean log ν, and the preference β for every system. A judge's parameters
meet other judges' only through the shared ones, so a step eliminates them first and solves for
the shared ones alone (Schur complement). Steps follow the exact second derivatives where these
are those of a maximum, and else the Fisher information, halved until the objective rises.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.comparisons.comparisons import Comparisons
from adjudge.errors import AdjudgeError
from adjudge.ranking.models.davidson_model import derivatives
from adjudge.ranking.models.paired_models import PRIOR_SD, Floats, Outcomes

Indices = NDArray[np.int64]

SMALL_STEP = 1e-6
MOST_STEPS = 200


@dataclass(frozen=True, eq=False)
class Cells:
    """Distinct (judge, pair of systems); outcomes are those of `first`."""

    systems: int
    judges: int
    first: Indices
    second: Indices
    judge: Indices
    of_comparison: Indices  # 3 × cell + outcome
    worth: float  # what one comparison counts
    outcomes: Outcomes  # (cells,) each

    @property
    def shared(self) -> int:
        """How many parameters the judges share."""
        return self.systems + 1

    @property
    def of_judges(self) -> Floats:
        """How much each judge's comparisons count."""
        counts = sum(self.outcomes, np.zeros(len(self.first)))
        return np.asarray(np.bincount(self.judge, counts, self.judges), np.float64)

    def weighted(self, weights: NDArray[np.int64]) -> "Cells":
        """The same cells when every comparison counts `weights` times."""
        number = len(self.first)
        tally = np.bincount(self.of_comparison, weights, 3 * number).reshape(number, 3)
        return replace(self, outcomes=Outcomes(*(self.worth * tally.T)))


def cells(comparisons: Comparisons, judge: Indices, worth: float) -> Cells:
    """The cells of all comparisons, by `judge`; every comparison counts `worth`."""
    n = len(comparisons.systems)
    left, right = comparisons.left.astype(np.int64), comparisons.right.astype(np.int64)
    swapped = left > right
    first, second = np.where(swapped, right, left), np.where(swapped, left, right)
    outcome = np.where(swapped, -comparisons.outcome, comparisons.outcome)
    distinct, cell = np.unique((judge * n + first) * n + second, return_inverse=True)
    of_comparison = 3 * cell + np.array([1, 2, 0])[outcome + 1]  # worse, tied, better
    empty = Cells(
        systems=n,
        judges=int(judge.max()) + 1,
        first=distinct // n % n,
        second=distinct % n,
        judge=distinct // n**2,
        of_comparison=of_comparison,
        worth=worth,
        outcomes=Outcomes(*np.zeros((3, len(distinct)))),
    )
    return empty.weighted(np.ones(len(left), np.int64))


@dataclass(frozen=True)
class Spreads:
    """Standard deviations of what varies between judges."""

    reliability: float  # τ, of log α
    tie: float  # ω, of log ν
    preference: float  # κ, of β


@dataclass(frozen=True, eq=False)
class Parameters:
    """A point of the parameter space."""

    shared: Floats
    judge: Floats  # (judges, 2 + systems): log α, u, β

    def moved(self, by: "Parameters", length: float) -> "Parameters":
        """A step in direction `by`."""
        return Parameters(self.shared + length * by.shared, self.judge + length * by.judge)


@dataclass(frozen=True, eq=False)
class Slopes:
    """The objective and its gradient; the curvature as blocks."""

    value: float
    gradient: Parameters
    shared: Floats  # (R, R)
    cross: Floats  # (judges, K, R)
    judge: Floats  # (judges, K, K)


def start(counted: Cells) -> Parameters:
    """Equal systems, judges all alike."""
    return Parameters(np.zeros(counted.shared), np.zeros((counted.judges, 2 + counted.systems)))


def precisions(counted: Cells, spreads: Spreads) -> tuple[Floats, Floats]:
    """The prior precision of every shared parameter, and of those of every judge."""
    judge = np.full(2 + counted.systems, spreads.preference**-2.0)
    judge[:2] = spreads.reliability**-2.0, spreads.tie**-2.0
    return np.full(counted.shared, PRIOR_SD**-2.0), judge


def _predict(counted: Cells, parameters: Parameters) -> tuple[Floats, Floats, Floats]:
    """Per cell: x = α (θ_a − θ_b) + β_a − β_b, its part that α scales, and log ν."""
    scaled = np.exp(parameters.judge[counted.judge, 0]) * (
        parameters.shared[counted.first] - parameters.shared[counted.second]
    )
    preferred = (
        parameters.judge[counted.judge, 2 + counted.first]
        - parameters.judge[counted.judge, 2 + counted.second]
    )
    return (
        scaled + preferred,
        scaled,
        parameters.shared[counted.systems] + parameters.judge[counted.judge, 1],
    )


def _penalty(counted: Cells, parameters: Parameters, spreads: Spreads) -> float:
    shared, judge = precisions(counted, spreads)
    return float((shared * parameters.shared**2).sum() + (judge * parameters.judge**2).sum()) / 2


def objective(counted: Cells, parameters: Parameters, spreads: Spreads) -> float:
    """The penalised log-likelihood."""
    x, _, tie = _predict(counted, parameters)
    likelihood = derivatives(counted.outcomes, x, np.exp(tie)).value + counted.outcomes.tied * tie
    return float(likelihood.sum()) - _penalty(counted, parameters, spreads)


@dataclass(frozen=True, eq=False)
class _Sums:
    """Derivatives summed over the cells of each judge, by system where they have a direction."""

    counted: Cells

    def total(self, values: Floats) -> Floats:
        """(judges,)"""
        return np.asarray(np.bincount(self.counted.judge, values, self.counted.judges), np.float64)

    def net(self, values: Floats) -> Floats:
        """(judges, systems): plus where the system is first, minus where it is second."""
        counted = self.counted
        size = counted.judges * counted.systems
        here = np.bincount(counted.judge * counted.systems + counted.first, values, size)
        there = np.bincount(counted.judge * counted.systems + counted.second, values, size)
        return np.asarray(here - there, np.float64).reshape(counted.judges, counted.systems)

    def between(self, values: Floats) -> Floats:
        """(judges, systems, systems): the Laplacian matrix of the values."""
        counted = self.counted
        cell = (counted.judge * counted.systems + counted.first) * counted.systems + counted.second
        one_way = np.bincount(cell, values, counted.judges * counted.systems**2)
        one_way = one_way.reshape(counted.judges, counted.systems, counted.systems)
        laplacian = -np.asarray(one_way + np.swapaxes(one_way, 1, 2), np.float64)
        every = np.arange(counted.systems)
        laplacian[:, every, every] = -laplacian.sum(axis=2)
        return laplacian


def evaluate(
    counted: Cells, parameters: Parameters, spreads: Spreads, exact: bool = True
) -> Slopes:
    """The penalised log-likelihood with derivatives; the curvature `exact`, or expected."""
    x, scaled, tie = _predict(counted, parameters)
    by = derivatives(counted.outcomes, x, np.exp(tie))
    value = float((by.value + counted.outcomes.tied * tie).sum()) - _penalty(
        counted, parameters, spreads
    )
    sums, systems = _Sums(counted), slice(None, counted.systems)
    alpha = np.exp(parameters.judge[:, :1])
    # log α bends x itself: its second derivatives by log α (and θ), times the slope by x.
    bend = by.d if exact else np.zeros_like(by.d)
    slope, lean = sums.net(by.d), sums.net(by.dt)
    pull, pulled = sums.net(by.dd * scaled), sums.net(by.dd * scaled - bend)
    mixed, flat = sums.total(by.dt * scaled), sums.total(by.tt)
    between = sums.between(by.dd)

    judge = np.empty((counted.judges, 2 + counted.systems, 2 + counted.systems))
    judge[:, 0, 0] = sums.total(by.dd * scaled**2 - bend * scaled)
    judge[:, 0, 1] = judge[:, 1, 0] = mixed
    judge[:, 1, 1] = flat
    judge[:, 2:, 0] = judge[:, 0, 2:] = pull
    judge[:, 2:, 1] = judge[:, 1, 2:] = lean
    judge[:, 2:, 2:] = between
    cross = np.empty((counted.judges, 2 + counted.systems, counted.shared))
    cross[:, 0, systems] = alpha * pulled
    cross[:, 1, systems] = alpha * lean
    cross[:, 2:, systems] = alpha[:, :, None] * between
    cross[:, :, -1] = judge[:, 1]
    shared = np.empty((counted.shared, counted.shared))
    shared[systems, systems] = np.einsum("j,jst->st", alpha[:, 0] ** 2, between)
    shared[systems, -1] = shared[-1, systems] = (alpha * lean).sum(axis=0)
    shared[-1, -1] = flat.sum()

    shared_prior, judge_prior = precisions(counted, spreads)
    by_judge = np.column_stack([sums.total(by.d * scaled), sums.total(by.t), slope])
    by_shared = np.append((alpha * slope).sum(axis=0), by.t.sum())
    return Slopes(
        value,
        Parameters(
            by_shared - shared_prior * parameters.shared, by_judge - judge_prior * parameters.judge
        ),
        shared + np.diag(shared_prior),
        cross,
        judge + np.diag(judge_prior),
    )


def eliminate(slopes: Slopes) -> tuple[Floats, Floats, Floats]:
    """Inverse judge blocks, those times the cross block, and the Schur complement."""
    inverse = np.linalg.inv(slopes.judge).astype(np.float64, copy=False)
    folded = inverse @ slopes.cross
    size = slopes.cross.shape[2]
    through = slopes.cross.reshape(-1, size).T @ folded.reshape(-1, size)
    return inverse, folded, slopes.shared - through


def _direction(slopes: Slopes) -> Parameters:
    """Newton's step; LinAlgError where the curvature is not that of a maximum."""
    inverse, folded, schur = eliminate(slopes)
    np.linalg.cholesky(slopes.judge)
    np.linalg.cholesky(schur)
    by_judge = slopes.gradient.judge
    right = slopes.gradient.shared - np.einsum("jkr,jk->r", folded, by_judge)
    shared = np.linalg.solve(schur, right)
    return Parameters(shared, np.einsum("jkl,jl->jk", inverse, by_judge) - folded @ shared)


def maximise(counted: Cells, parameters: Parameters, spreads: Spreads) -> tuple[Parameters, int]:
    """The most likely parameters from these on, and the steps it took."""
    for steps in range(1, MOST_STEPS + 1):
        slopes = evaluate(counted, parameters, spreads)
        try:
            move = _direction(slopes)
        except np.linalg.LinAlgError:
            move = _direction(evaluate(counted, parameters, spreads, exact=False))
        largest = max(np.abs(move.shared).max(), np.abs(move.judge).max())
        if largest < SMALL_STEP:
            return parameters.moved(move, 1.0), steps
        length = min(1.0, 3.0 / largest)  # a factor of e³ in reliability is far enough for a step
        lowest = slopes.value - 1e-12 * abs(slopes.value)
        while objective(counted, parameters.moved(move, length), spreads) < lowest:
            length /= 2
            if length < 1e-9:
                break
        parameters = parameters.moved(move, length)
    raise AdjudgeError(
        f"judge-aware did not converge in {MOST_STEPS} steps; choose davidson instead"
    )
