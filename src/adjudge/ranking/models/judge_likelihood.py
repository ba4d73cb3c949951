"""The likelihood behind `judge-aware`, on cells, with its derivatives.

Parameters: `shared` = (θ of every system, mean log ν) and, per judge, log α, the judge's
departure u from the mean log ν, and the preference β for every system. How it is maximised is in
judge_elimination.py.
"""

from dataclasses import dataclass

import numpy as np

from adjudge.ranking.models.davidson_model import derivatives
from adjudge.ranking.models.judge_cells import Cells
from adjudge.ranking.models.paired_comparison import PRIOR_SD, Floats


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

    def moved(self, by: "Parameters", length: float = 1.0) -> "Parameters":
        """A step in direction `by`."""
        return Parameters(self.shared + length * by.shared, self.judge + length * by.judge)

    @property
    def largest(self) -> float:
        """The farthest that any parameter is from 0."""
        return float(max(np.abs(self.shared).max(), np.abs(self.judge).max()))


@dataclass(frozen=True, eq=False)
class Slopes:
    """The likelihood penalised by the judges' priors, its gradient, and the judges' curvature."""

    value: float
    gradient: Parameters
    judge: Floats  # (judges, K, K): J, expected
    bent: Floats  # (judges,): e, what is exact beyond it
    bend: Floats  # (judges, systems): b


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


def penalty(values: Floats, precision: Floats) -> float:
    """What a prior of mean 0 takes from the log-likelihood."""
    return float((precision * values**2).sum()) / 2


def objective(counted: Cells, parameters: Parameters, spreads: Spreads) -> float:
    """The penalised log-likelihood."""
    x, _, tie = _predict(counted, parameters)
    likelihood = derivatives(counted.outcomes, x, np.exp(tie)).value + counted.outcomes.tied * tie
    shared, judge = precisions(counted, spreads)
    return (
        float(likelihood.sum())
        - penalty(parameters.shared, shared)
        - penalty(parameters.judge, judge)
    )


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


def evaluate(counted: Cells, parameters: Parameters, spreads: Spreads) -> Slopes:
    """The likelihood and the judges' priors with derivatives."""
    x, scaled, tie = _predict(counted, parameters)
    by = derivatives(counted.outcomes, x, np.exp(tie))
    prior = precisions(counted, spreads)[1]
    value = float((by.value + counted.outcomes.tied * tie).sum())
    sums = _Sums(counted)
    alpha = np.exp(parameters.judge[:, :1])
    slope = sums.net(by.d)

    judge = np.empty((counted.judges, 2 + counted.systems, 2 + counted.systems))
    judge[:, 0, 0] = sums.total(by.dd * scaled**2)
    judge[:, 0, 1] = judge[:, 1, 0] = sums.total(by.dt * scaled)
    judge[:, 1, 1] = sums.total(by.tt)
    judge[:, 2:, 0] = judge[:, 0, 2:] = sums.net(by.dd * scaled)
    judge[:, 2:, 1] = judge[:, 1, 2:] = sums.net(by.dt)
    judge[:, 2:, 2:] = sums.between(by.dd)
    judge[:, range(len(prior)), range(len(prior))] += prior

    by_alpha = sums.total(by.d * scaled)
    by_judge = np.column_stack([by_alpha, sums.total(by.t), slope])
    by_shared = np.append((alpha * slope).sum(axis=0), by.t.sum())
    return Slopes(
        value - penalty(parameters.judge, prior),
        Parameters(by_shared, by_judge - prior * parameters.judge),
        judge,
        # log α bends x itself: its second derivatives by log α (and θ), times the slope by x.
        -by_alpha,
        -alpha * slope,
    )
