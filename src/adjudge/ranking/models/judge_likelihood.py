"""Likelihood of the judge-aware model on counts by judge and pair of systems.

Counts by judge and pair of systems are the sufficient statistics of `judge-aware`.

A cell is one judge and one pair of systems: three counts. The cost of a fit depends on the number
of cells, not of judgements.

The likelihood behind `judge-aware`, on cells, with its derivatives.

Parameters: `shared` = (θ of every system, mean log ν) and, per judge, log α, the judge's
departure u from the mean log ν, and the preference β for every system. How it is maximised is in
judge_elimination.py.

How the likelihood of `judge-aware` is maximised: judges are eliminated from every step.

A judge's parameters meet other judges' only through the shared ones, so a step eliminates them
first and solves for the shared ones alone (Schur complement). Steps follow the exact second
derivatives where these are those of a maximum, and else the Fisher information, halved until the
objective rises.

The shared parameters act on a cell as the judge's own do: θ as β / α, and the mean of log ν as u.
With T (2 + S, S + 1) that takes the shared parameters to the judge's, J the curvature by the
judge's parameters and P the precision of their prior, the mixed block is C = (J − P) T + e₀ bᵀ,
where b is what log α adds by bending x; it is expected to be 0. So J⁻¹ is all that is needed:

    Tᵀ(J − P)T − CᵀJ⁻¹C = Tᵀ(P − P J⁻¹ P)T + (P J⁻¹ e₀ bᵀ + its transpose) − (J⁻¹)₀₀ b bᵀ

The exact J is the expected one and e more in its first entry, by log α twice. So one inverse does
for both: with c the column of log α in that of the expected J,

    (J + e e₀e₀ᵀ)⁻¹ = J⁻¹ − e c cᵀ / (1 + e c₀)          a maximum's where 1 + e c₀ > 0

Judges are taken some at a time, so that their blocks stay in the processor's cache.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import AdjudgeError
from adjudge.data.comparisons import Comparisons
from adjudge.ranking.models.paired_comparison import PRIOR_SD, Floats, Outcomes, derivatives

Indices = NDArray[np.int64]

AT_ONCE = 1 << 18  # numbers in the blocks of the judges taken at a time


@dataclass(frozen=True, eq=False)
class Cells:
    """Distinct cells (judge, pair of systems); outcomes are those of `first`."""

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
        """Number of parameters that the judges share."""
        return self.systems + 1

    @property
    def of_judges(self) -> Floats:
        """Total weight of each judge's comparisons."""
        counts = sum(self.outcomes, np.zeros(len(self.first)))
        return np.asarray(np.bincount(self.judge, counts, self.judges), np.float64)

    def parts(self) -> Iterator[tuple[slice, "Cells"]]:
        """Yield batches of judges with their cells, which are in the order of judges."""
        some = max(1, AT_ONCE // (2 + self.systems) ** 2)
        for begin in range(0, self.judges, some):
            judges = slice(begin, min(begin + some, self.judges))
            here = slice(*np.searchsorted(self.judge, (judges.start, judges.stop)))
            yield judges, self._of(judges, here, self.judge[here] - begin)

    def every(self, nth: int) -> "Cells":
        """Subset with every `nth` judge."""
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
        """Reweight every comparison by `weights`."""
        number = len(self.first)
        tally = np.bincount(self.of_comparison, weights, 3 * number).reshape(number, 3)
        return replace(self, outcomes=Outcomes(*(self.worth * tally.T)))


def cells(comparisons: Comparisons, judge: Indices, worth: float) -> Cells:
    """Count all comparisons by `judge`, each with weight `worth`."""
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
    """Standard deviations of the effects that vary between judges."""

    reliability: float  # τ, of log α
    tie: float  # ω, of log ν
    preference: float  # κ, of β


@dataclass(frozen=True, eq=False)
class Parameters:
    """Point in the parameter space."""

    shared: Floats
    judge: Floats  # (judges, 2 + systems): log α, u, β

    def moved(self, by: "Parameters", length: float = 1.0) -> "Parameters":
        """Take a step of this length in direction `by`."""
        return Parameters(self.shared + length * by.shared, self.judge + length * by.judge)

    @property
    def largest(self) -> float:
        """Largest absolute parameter."""
        return float(max(np.abs(self.shared).max(), np.abs(self.judge).max()))


@dataclass(frozen=True, eq=False)
class Slopes:
    """Log-likelihood with the judges' priors, its gradient, and the judges' curvature."""

    value: float
    gradient: Parameters
    judge: Floats  # (judges, K, K): J, expected
    bent: Floats  # (judges,): e, what is exact beyond it
    bend: Floats  # (judges, systems): b


def start(counted: Cells) -> Parameters:
    """Starting point: equal systems, average judges."""
    return Parameters(np.zeros(counted.shared), np.zeros((counted.judges, 2 + counted.systems)))


def precisions(counted: Cells, spreads: Spreads) -> tuple[Floats, Floats]:
    """Prior precision of every shared parameter, and of the parameters of every judge."""
    judge = np.full(2 + counted.systems, spreads.preference**-2.0)
    judge[:2] = spreads.reliability**-2.0, spreads.tie**-2.0
    return np.full(counted.shared, PRIOR_SD**-2.0), judge


def _predict(counted: Cells, parameters: Parameters) -> tuple[Floats, Floats, Floats]:
    """Predictor of each cell: x = α (θ_a − θ_b) + β_a − β_b, its part scaled by α, and log ν."""
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
    """Log-prior penalty of a normal prior with mean 0."""
    return float((precision * values**2).sum()) / 2


def objective(counted: Cells, parameters: Parameters, spreads: Spreads) -> float:
    """Penalised log-likelihood."""
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
    """Sums of derivatives over the cells of each judge, by system for directed ones."""

    counted: Cells

    def total(self, values: Floats) -> Floats:
        """Sum per judge (judges,)."""
        return np.asarray(np.bincount(self.counted.judge, values, self.counted.judges), np.float64)

    def net(self, values: Floats) -> Floats:
        """Signed sum per judge and system (judges, systems): plus if the system is first, minus if
        second.
        """
        counted = self.counted
        size = counted.judges * counted.systems
        here = np.bincount(counted.judge * counted.systems + counted.first, values, size)
        there = np.bincount(counted.judge * counted.systems + counted.second, values, size)
        return np.asarray(here - there, np.float64).reshape(counted.judges, counted.systems)

    def between(self, values: Floats) -> Floats:
        """Laplacian matrix of the values per judge (judges, systems, systems)."""
        counted = self.counted
        cell = (counted.judge * counted.systems + counted.first) * counted.systems + counted.second
        one_way = np.bincount(cell, values, counted.judges * counted.systems**2)
        one_way = one_way.reshape(counted.judges, counted.systems, counted.systems)
        laplacian = -np.asarray(one_way + np.swapaxes(one_way, 1, 2), np.float64)
        every = np.arange(counted.systems)
        laplacian[:, every, every] = -laplacian.sum(axis=2)
        return laplacian


def evaluate(counted: Cells, parameters: Parameters, spreads: Spreads) -> Slopes:
    """Compute the log-likelihood with the judges' priors, and its derivatives."""
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


SMALL_STEP = 1e-6
MOST_STEPS = 200
MANY_JUDGES = 1000  # whose inverses are compiled


@dataclass(frozen=True, eq=False)
class Inverse:
    """Inverse J⁻¹ for the batch of judges `here`, with the correction that makes it exact."""

    here: slice
    expected: Floats  # (judges, K, K)
    less: Floats  # (judges,): e / (1 + e c₀)

    def times(self, values: Floats, exact: bool) -> Floats:
        """Multiply J⁻¹ by a vector of each of these judges."""
        values = values[self.here]
        product = np.asarray((self.expected @ values[:, :, None])[:, :, 0])
        if exact:
            column = self.expected[:, :, 0]
            along = self.less * (column * values).sum(axis=1)
            product -= along[:, None] * column
        return product


@dataclass(frozen=True, eq=False)
class Elimination:
    """Objective and gradient, with exact and expected curvature after elimination of the judges."""

    value: float
    gradient: Parameters
    alpha: Floats  # (judges, 1)
    inverses: tuple[Inverse, ...]  # in the order of judges
    bend: Floats  # (judges, systems): b
    prior: Floats  # (K,): the diagonal of P
    exact: Floats | None  # (R, R): the Schur complement; None where no maximum has it
    expected: Floats

    def direction(self) -> Parameters:
        """Step to the maximum: Newton's, or Fisher scoring if Newton's is undefined."""
        schur = self.expected if self.exact is None else self.exact
        bend = self.bend if self.exact is not None else np.zeros_like(self.bend)
        by_judge = self.gradient.judge
        alone = self._solved(by_judge)
        left = by_judge - self.prior * alone
        by_theta = (self.alpha * left[:, 2:] + bend * alone[:, :1]).sum(axis=0)
        right = self.gradient.shared - np.append(by_theta, left[:, 1].sum())
        shared = np.linalg.solve(schur, right)
        passed = np.column_stack(
            [
                np.zeros(len(by_judge)),
                np.full(len(by_judge), shared[-1]),
                self.alpha * shared[:-1],
            ]
        )
        moved = by_judge + self.prior * passed
        moved[:, 0] -= bend @ shared[:-1]
        return Parameters(shared, self._solved(moved) - passed)

    def _solved(self, values: Floats) -> Floats:
        exact = self.exact is not None
        return np.concatenate([inverse.times(values, exact) for inverse in self.inverses])

    def variances(self) -> Floats:
        """Posterior variances of the judges' parameters (judges, K) from the expected
        information.
        """
        shared = np.asarray(np.linalg.inv(self.expected), np.float64)
        return np.concatenate([self._variances(inverse, shared) for inverse in self.inverses])

    def _variances(self, inverse: Inverse, shared: Floats) -> Floats:
        size = len(self.prior)
        kept = -inverse.expected * self.prior  # I − J⁻¹P, and then times T
        kept[:, range(size), range(size)] += 1
        alpha = self.alpha[inverse.here, :, None]
        folded = np.concatenate([alpha * kept[:, :, 2:], kept[:, :, 1:2]], axis=2)
        folded = folded.reshape(-1, len(shared))
        through = ((folded @ shared) * folded).sum(axis=1).reshape(-1, size)
        return np.asarray(np.diagonal(inverse.expected, axis1=1, axis2=2) + through)

    def following(self, parameters: Parameters, prior: Floats) -> Parameters:
        """Predict the maximum after a change of the judges' prior.

        To first order; if the prior dominates, for any change.
        """
        pull = self.prior * (self.prior / prior - 1) * parameters.judge
        gradient = Parameters(np.zeros_like(parameters.shared), pull)
        return parameters.moved(replace(self, gradient=gradient).direction())


def eliminate(counted: Cells, parameters: Parameters, spreads: Spreads) -> Elimination:
    """Eliminate the judges' parameters by the Schur complement."""
    shared_prior, prior = precisions(counted, spreads)
    value = -penalty(parameters.shared, shared_prior)
    by_shared = -shared_prior * parameters.shared
    by_judge = np.empty((counted.judges, len(prior)))
    bend = np.empty((counted.judges, counted.systems))
    exact, expected = np.diag(shared_prior), np.diag(shared_prior)
    alpha = np.exp(parameters.judge[:, :1])
    inverses, is_maximum = [], True
    for here, part in counted.parts():
        slopes = evaluate(part, Parameters(parameters.shared, parameters.judge[here]), spreads)
        inverse = _inverses(slopes.judge, counted.judges)
        by_judge[here], bend[here] = slopes.gradient.judge, slopes.bend
        value += slopes.value
        by_shared = by_shared + slopes.gradient.shared
        held = 1 + slopes.bent * inverse[:, 0, 0]
        is_maximum = is_maximum and bool((held > 0).all())
        inverses.append(Inverse(here, inverse, slopes.bent / held))
        both = _schur(inverses[-1], alpha[here, 0], slopes.bend, prior)
        expected, exact = expected + both[0], exact + both[1]
    return Elimination(
        value,
        Parameters(by_shared, by_judge),
        alpha,
        tuple(inverses),
        bend,
        prior,
        exact if is_maximum and _is_positive(exact) else None,
        expected,
    )


def _inverses(blocks: Floats, judges: int) -> Floats:
    """Invert the blocks; the compiled kernel is loaded only for many judges."""
    if judges < MANY_JUDGES:
        return np.asarray(np.linalg.inv(blocks), np.float64)
    from adjudge.ranking.models.inverse_kernels import symmetric_inverses

    return np.asarray(symmetric_inverses(blocks))


def _is_positive(matrix: Floats) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


def _schur(inverse: Inverse, alpha: Floats, bend: Floats, prior: Floats) -> tuple[Floats, Floats]:
    """Contribution of a batch of judges to the Schur complement, expected and exact (formula
    above).
    """
    own = np.tensordot(alpha**2, inverse.expected[:, 2:, 2:], 1)
    column, tie = inverse.expected[:, :, 0], inverse.expected[:, 1]
    expected = _schur_of(own, column, tie, alpha, np.zeros_like(bend), prior)
    less = inverse.less[:, None] * column
    own = own - (alpha[:, None] ** 2 * less[:, 2:]).T @ column[:, 2:]
    tie = tie - less * column[:, 1:2]
    column = column - less * column[:, :1]
    return expected, _schur_of(own, column, tie, alpha, bend, prior)


def _schur_of(
    own: Floats, column: Floats, tie: Floats, alpha: Floats, bend: Floats, prior: Floats
) -> Floats:
    """Schur complement from Σ α² J⁻¹ of the preferences, and the columns of J⁻¹ of log α and of
    u.
    """
    systems = np.arange(len(own))
    of_tie, preference = prior[1:3]
    schur = np.zeros((len(own) + 1, len(own) + 1))
    pulled = alpha[:, None] * preference * column[:, 2:]  # Tᵀ P J⁻¹ e₀
    one_way = pulled.T @ bend
    schur[:-1, :-1] = one_way + one_way.T - (column[:, :1] * bend).T @ bend - preference**2 * own
    schur[systems, systems] += preference * (alpha**2).sum()
    schur[-1, :-1] = of_tie * (
        column[:, 1] @ bend - preference * (alpha[:, None] * tie[:, 2:]).sum(axis=0)
    )
    schur[:-1, -1] = schur[-1, :-1]
    schur[-1, -1] = (of_tie - of_tie**2 * tie[:, 1]).sum()
    return schur


def maximise(
    counted: Cells, parameters: Parameters, spreads: Spreads, small: float = SMALL_STEP
) -> tuple[Parameters, Elimination]:
    """Maximise from these parameters; return the maximum and the last elimination before it.

    The last step is `small`, so the remaining error is about its square.
    """
    for _ in range(MOST_STEPS):
        found = eliminate(counted, parameters, spreads)
        move = found.direction()
        if move.largest < small:
            return parameters.moved(move), found
        length = min(1.0, 3.0 / move.largest)  # e³ times the reliability is far enough for a step
        lowest = found.value - 1e-12 * abs(found.value)
        while objective(counted, parameters.moved(move, length), spreads) < lowest:
            length /= 2
            if length < 1e-9:
                break
        parameters = parameters.moved(move, length)
    raise AdjudgeError(
        f"judge-aware did not converge in {MOST_STEPS} steps; choose davidson instead"
    )
