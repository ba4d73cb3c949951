"""The numbers behind `judge-aware`: its likelihood on cells, and how that is maximised.

A cell is what one judge said of one pair of systems: three counts. The cost of a fit depends on
the number of cells, not of judgements.

Parameters: `shared` = (θ of every system, mean log ν) and, per judge, log α, the judge's
departure u from the mean log ν, and the preference β for every system. A judge's parameters
meet other judges' only through the shared ones, so a step eliminates them first and solves for
the shared ones alone (Schur complement). Steps follow the exact second derivatives where these
are those of a maximum, and else the Fisher information, halved until the objective rises.

The shared parameters act on a cell as the judge's own do: θ as β / α, and the mean of log ν as u.
With T (2 + S, S + 1) that takes the shared parameters to the judge's, J the curvature by the
judge's parameters and P the precision of their prior, the mixed block is C = (J − P) T + e₀ bᵀ,
where b is what log α adds by bending x. So J⁻¹ is all that elimination needs:

    Tᵀ(J − P)T − CᵀJ⁻¹C = Tᵀ(P − P J⁻¹ P)T + (P J⁻¹ e₀ bᵀ + its transpose) − (J⁻¹)₀₀ b bᵀ

Judges are taken some at a time, so that their blocks stay in the processor's cache.
"""

from collections.abc import Iterator
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
AT_ONCE = 1 << 18  # numbers in the blocks of the judges taken at a time


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

    def parts(self) -> Iterator[tuple[slice, "Cells"]]:
        """Some judges at a time, with their cells, which are in the order of judges."""
        some = max(1, AT_ONCE // (2 + self.systems) ** 2)
        for begin in range(0, self.judges, some):
            judges = slice(begin, min(begin + some, self.judges))
            here = slice(*np.searchsorted(self.judge, (judges.start, judges.stop)))
            yield judges, self._of(judges, here, self.judge[here] - begin)

    def every(self, nth: int) -> "Cells":
        """One judge in so many."""
        here = self.judge % nth == 0
        return self._of(slice(0, -(-self.judges // nth)), here, self.judge[here] // nth)

    def _of(self, judges: slice, here: slice | NDArray[np.bool_], judge: Indices) -> "Cells":
        return replace(
            self,
            judges=judges.stop - judges.start,
            first=self.first[here],
            second=self.second[here],
            judge=judge,
            of_comparison=self.of_comparison[:0],  # comparisons are weighted before
            outcomes=Outcomes(*(counts[here] for counts in self.outcomes)),
        )

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
    """The likelihood penalised by the judges' priors, its gradient, and the judges' curvature."""

    value: float
    gradient: Parameters
    judge: Floats  # (judges, K, K): J
    bend: Floats  # (judges, systems): b


@dataclass(frozen=True, eq=False)
class Elimination:
    """The objective and its gradient; its curvature without the judges."""

    value: float
    gradient: Parameters
    alpha: Floats  # (judges, 1)
    inverse: Floats  # (judges, K, K): J⁻¹
    bend: Floats  # (judges, systems): b
    prior: Floats  # (K,): the diagonal of P
    schur: Floats  # (R, R)

    def direction(self) -> Parameters:
        """Newton's step; LinAlgError where the curvature is not that of a maximum."""
        np.linalg.cholesky(self.schur)
        by_judge = self.gradient.judge
        alone = (self.inverse @ by_judge[:, :, None])[:, :, 0]
        left = by_judge - self.prior * alone
        by_theta = (self.alpha * left[:, 2:] + self.bend * alone[:, :1]).sum(axis=0)
        right = self.gradient.shared - np.append(by_theta, left[:, 1].sum())
        shared = np.linalg.solve(self.schur, right)
        passed = np.column_stack(
            [
                np.zeros(len(by_judge)),
                np.full(len(by_judge), shared[-1]),
                self.alpha * shared[:-1],
            ]
        )
        moved = by_judge + self.prior * passed
        moved[:, 0] -= self.bend @ shared[:-1]
        return Parameters(shared, (self.inverse @ moved[:, :, None])[:, :, 0] - passed)

    def variances(self) -> Floats:
        """(judges, K): posterior variances of the judges' parameters, where b is 0."""
        alone = np.diagonal(self.inverse, axis1=1, axis2=2)
        shared = np.linalg.inv(self.schur)
        variance = np.empty(alone.shape)
        judges, size = alone.shape
        some = max(1, AT_ONCE // size**2)
        for begin in range(0, judges, some):
            here = slice(begin, begin + some)
            kept = -self.inverse[here] * self.prior  # I − J⁻¹P, and then times T
            kept[:, range(size), range(size)] += 1
            folded = np.concatenate(
                [self.alpha[here, :, None] * kept[:, :, 2:], kept[:, :, 1:2]], axis=2
            ).reshape(-1, len(shared))
            through = ((folded @ shared) * folded).sum(axis=1)
            variance[here] = alone[here] + through.reshape(-1, size)
        return variance


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


def _penalty(values: Floats, precision: Floats) -> float:
    return float((precision * values**2).sum()) / 2


def objective(counted: Cells, parameters: Parameters, spreads: Spreads) -> float:
    """The penalised log-likelihood."""
    x, _, tie = _predict(counted, parameters)
    likelihood = derivatives(counted.outcomes, x, np.exp(tie)).value + counted.outcomes.tied * tie
    shared, judge = precisions(counted, spreads)
    return (
        float(likelihood.sum())
        - _penalty(parameters.shared, shared)
        - _penalty(parameters.judge, judge)
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


def evaluate(
    counted: Cells, parameters: Parameters, spreads: Spreads, exact: bool = True
) -> Slopes:
    """The likelihood and the judges' priors with derivatives; curvature `exact`, or expected."""
    x, scaled, tie = _predict(counted, parameters)
    by = derivatives(counted.outcomes, x, np.exp(tie))
    prior = precisions(counted, spreads)[1]
    value = float((by.value + counted.outcomes.tied * tie).sum())
    sums = _Sums(counted)
    alpha = np.exp(parameters.judge[:, :1])
    slope = sums.net(by.d)
    # log α bends x itself: its second derivatives by log α (and θ), times the slope by x.
    bent = by.d * scaled if exact else np.zeros_like(by.d)

    judge = np.empty((counted.judges, 2 + counted.systems, 2 + counted.systems))
    judge[:, 0, 0] = sums.total(by.dd * scaled**2 - bent)
    judge[:, 0, 1] = judge[:, 1, 0] = sums.total(by.dt * scaled)
    judge[:, 1, 1] = sums.total(by.tt)
    judge[:, 2:, 0] = judge[:, 0, 2:] = sums.net(by.dd * scaled)
    judge[:, 2:, 1] = judge[:, 1, 2:] = sums.net(by.dt)
    judge[:, 2:, 2:] = sums.between(by.dd)
    judge[:, range(len(prior)), range(len(prior))] += prior

    by_judge = np.column_stack([sums.total(by.d * scaled), sums.total(by.t), slope])
    by_shared = np.append((alpha * slope).sum(axis=0), by.t.sum())
    return Slopes(
        value - _penalty(parameters.judge, prior),
        Parameters(by_shared, by_judge - prior * parameters.judge),
        judge,
        -alpha * slope if exact else np.zeros_like(slope),
    )


def eliminate(
    counted: Cells, parameters: Parameters, spreads: Spreads, exact: bool = True
) -> Elimination:
    """The judges' parameters eliminated; LinAlgError where theirs is no maximum's curvature."""
    shared_prior, prior = precisions(counted, spreads)
    size = len(prior)
    value = -_penalty(parameters.shared, shared_prior)
    by_shared = -shared_prior * parameters.shared
    by_judge, bend = np.empty((counted.judges, size)), np.empty((counted.judges, counted.systems))
    inverse = np.empty((counted.judges, size, size))
    schur = np.diag(shared_prior)
    alpha = np.exp(parameters.judge[:, :1])
    for judges, part in counted.parts():
        slopes = evaluate(
            part, Parameters(parameters.shared, parameters.judge[judges]), spreads, exact
        )
        if exact:
            np.linalg.cholesky(slopes.judge)
        inverse[judges] = np.linalg.inv(slopes.judge)
        by_judge[judges], bend[judges] = slopes.gradient.judge, slopes.bend
        value += slopes.value
        by_shared = by_shared + slopes.gradient.shared
        schur += _schur(inverse[judges], alpha[judges, 0], slopes.bend, prior)
    gradient = Parameters(by_shared, by_judge)
    return Elimination(value, gradient, alpha, inverse, bend, prior, schur)


def _schur(inverse: Floats, alpha: Floats, bend: Floats, prior: Floats) -> Floats:
    """What some judges add to the Schur complement: the formula at the top of this module."""
    systems = np.arange(len(prior) - 2)
    tie, preference = prior[1:3]
    schur = np.zeros((len(systems) + 1, len(systems) + 1))
    pulled = alpha[:, None] * preference * inverse[:, 2:, 0]  # Tᵀ P J⁻¹ e₀
    one_way = pulled.T @ bend
    own = -(preference**2) * np.tensordot(alpha**2, inverse[:, 2:, 2:], 1)
    own += one_way + one_way.T - (inverse[:, :1, 0] * bend).T @ bend
    own[systems, systems] += preference * (alpha**2).sum()
    schur[:-1, :-1] = own
    schur[-1, :-1] = tie * (
        inverse[:, 1, 0] @ bend - preference * (alpha[:, None] * inverse[:, 1, 2:]).sum(axis=0)
    )
    schur[:-1, -1] = schur[-1, :-1]
    schur[-1, -1] = (tie - tie**2 * inverse[:, 1, 1]).sum()
    return schur


def maximise(
    counted: Cells, parameters: Parameters, spreads: Spreads, small: float = SMALL_STEP
) -> tuple[Parameters, int]:
    """The most likely parameters from these on, and the steps it took.

    The last step is `small`, and what is left after it about its square.
    """
    for steps in range(1, MOST_STEPS + 1):
        try:
            found = eliminate(counted, parameters, spreads)
            move = found.direction()
        except np.linalg.LinAlgError:
            found = eliminate(counted, parameters, spreads, exact=False)
            move = found.direction()
        largest = max(np.abs(move.shared).max(), np.abs(move.judge).max())
        if largest < small:
            return parameters.moved(move, 1.0), steps
        length = min(1.0, 3.0 / largest)  # a factor of e³ in reliability is far enough for a step
        lowest = found.value - 1e-12 * abs(found.value)
        while objective(counted, parameters.moved(move, length), spreads) < lowest:
            length /= 2
            if length < 1e-9:
                break
        parameters = parameters.moved(move, length)
    raise AdjudgeError(
        f"judge-aware did not converge in {MOST_STEPS} steps; choose davidson instead"
    )
