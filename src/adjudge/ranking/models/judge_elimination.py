"""How the likelihood of `judge-aware` is maximised: judges are eliminated from every step.

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

from dataclasses import dataclass, replace

import numpy as np

from adjudge.core.errors import AdjudgeError
from adjudge.ranking.models.judge_cells import Cells
from adjudge.ranking.models.judge_likelihood import (
    Parameters,
    Spreads,
    evaluate,
    objective,
    penalty,
    precisions,
)
from adjudge.ranking.models.paired_comparison import Floats

SMALL_STEP = 1e-6
MOST_STEPS = 200
MANY_JUDGES = 1000  # whose inverses are compiled


@dataclass(frozen=True, eq=False)
class Inverse:
    """J⁻¹ of some judges, whose part of the numbers `here` says, and what makes it exact."""

    here: slice
    expected: Floats  # (judges, K, K)
    less: Floats  # (judges,): e / (1 + e c₀)

    def times(self, values: Floats, exact: bool) -> Floats:
        """J⁻¹ times a vector of each of these judges."""
        values = values[self.here]
        product = np.asarray((self.expected @ values[:, :, None])[:, :, 0])
        if exact:
            column = self.expected[:, :, 0]
            along = self.less * (column * values).sum(axis=1)
            product -= along[:, None] * column
        return product


@dataclass(frozen=True, eq=False)
class Elimination:
    """The objective and its gradient; its curvature, exact and expected, without the judges."""

    value: float
    gradient: Parameters
    alpha: Floats  # (judges, 1)
    inverses: tuple[Inverse, ...]  # in the order of judges
    bend: Floats  # (judges, systems): b
    prior: Floats  # (K,): the diagonal of P
    exact: Floats | None  # (R, R): the Schur complement; None where no maximum has it
    expected: Floats

    def direction(self) -> Parameters:
        """The step to the maximum: Newton's, or by scoring where there is no Newton's."""
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
        """(judges, K): posterior variances of the judges' parameters, as expected."""
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
        """About where the maximum goes from these parameters when the judges' prior changes.

        To first order; where the prior says nearly all, to any.
        """
        pull = self.prior * (self.prior / prior - 1) * parameters.judge
        gradient = Parameters(np.zeros_like(parameters.shared), pull)
        return parameters.moved(replace(self, gradient=gradient).direction())


def eliminate(counted: Cells, parameters: Parameters, spreads: Spreads) -> Elimination:
    """The judges' parameters eliminated."""
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
    """Compiled, and loaded, only where there are so many judges that it pays."""
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
    """What some judges add to the Schur complement, expected and exact: the formula at the top."""
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
    """From Σ α² J⁻¹ of the preferences, and the columns of J⁻¹ of log α and of u."""
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
    """The most likely parameters from these on, and the elimination before the last step.

    That step is `small`, and what is left after it about its square.
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
