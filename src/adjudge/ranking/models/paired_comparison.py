"""Penalised maximum likelihood for models of paired comparisons.

All replicates are fitted at once.

A model gives the chances of better, worse and tied as a function of the difference
d = θ_a − θ_b of two systems' strengths and, where it knows ties, of one tie parameter t shared
by all pairs. What is maximised is

    Σ_pairs log L(better, worse, tied; θ_a − θ_b, t)  −  Σ_s θ_s² / (2 · PRIOR_SD²)  +  prior(t)

The prior on the strengths is weak (two systems 4 apart are nothing unusual to it, and that is
98 wins in 100) and does two jobs: a system that never lost has a finite strength, and the
strengths sum to zero. Fitted by Newton's method with step halving; replicates start from the
fit of their mean counts, so a few steps do.

The likelihood of Davidson's model, and of Bradley and Terry's, which has no ties.

    P(a > b) = π_a / Z,   P(b > a) = π_b / Z,   P(tie) = ν √(π_a π_b) / Z,
    Z = π_a + π_b + ν √(π_a π_b)

with strengths π = exp θ. The log-likelihood (better − worse)·d/2 + tied·log ν − n·log Z, where
d = θ_a − θ_b, is concave: its maximum is the only one.

How single comparisons move the strengths of a fitted model.

One comparison adds u to the gradient of what is maximised, and so (information + prior)⁻¹ u to the
parameters, to first order.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from adjudge.core.errors import AdjudgeError
from adjudge.data.votes.cells import BETTER, EQUAL, WORSE
from adjudge.data.win_counts import WinCounts
from adjudge.ranking.counting.cells import Tally
from adjudge.ranking.counting.influence import (
    Influence,
    events_of_systems,
    working_of_strengths,
)

Floats = NDArray[np.float64]
Numbers = Floats | NDArray[np.int64]

PRIOR_SD = 3.0
SMALL_STEP = 1e-5  # Newton's next step would be of the order of its square
MOST_STEPS = 60
CELLS_AT_ONCE = 1 << 14  # replicates × pairs worked on together: what a cache holds


class Outcomes(NamedTuple):
    """Counts of better, worse and tied for the first of each pair: (replicates, pairs)."""

    better: Floats
    worse: Floats
    tied: Floats


class Slopes(NamedTuple):
    """Log-likelihood, its gradient, and its curvature (negative second derivatives)."""

    value: Floats  # (replicates,)
    d: Floats  # (replicates, pairs)
    t: Floats  # (replicates,)
    dd: Floats  # (replicates, pairs)
    dt: Floats  # (replicates, pairs)
    tt: Floats  # (replicates,)


class PairedModel(Protocol):
    """Model of a single comparison."""

    @property
    def name(self) -> str:
        """Name of the method."""

    @property
    def has_tie_parameter(self) -> bool:
        """Test whether the model has a tie parameter."""

    @property
    def half_ties(self) -> bool:
        """Count a tie as half a win for each system."""

    @property
    def prior_sd(self) -> float:
        """Standard deviation of the prior on the strengths."""

    @property
    def first_tie(self) -> float:
        """Initial value of the tie parameter."""

    def slopes(self, outcomes: Outcomes, difference: Floats, tie: Floats) -> Slopes:
        """Log-likelihood plus the prior of the tie parameter, with derivatives.

        The value is −∞ for a tie parameter outside the model's range.
        """


@dataclass(frozen=True, eq=False)
class PairedFit:
    """Strengths (mean zero) and tie parameter of every replicate."""

    strengths: Floats  # (…, systems)
    tie: Floats  # (…)
    steps: int  # Newton steps of the slowest replicate


def fit(model: PairedModel, wins: Numbers, ties: Numbers) -> PairedFit:
    """Fit strengths; the counts may have any leading replicate axes."""
    shape = wins.shape[:-1]
    wins, ties = _flat(wins), _flat(ties)
    start = np.zeros((1, shape[-1] + 1))
    start[:, -1] = model.first_tie
    if len(wins) > 1:
        middle = wins.mean(axis=0, keepdims=True), ties.mean(axis=0, keepdims=True)
        start, _ = _maximise(model, _outcomes(*middle), start)
    fitted = np.empty((len(wins), shape[-1] + 1))
    steps = 0
    for chunk in _chunks(len(wins), shape[-1]):
        outcomes = _outcomes(wins[chunk], ties[chunk])
        fitted[chunk], taken = _maximise(model, outcomes, start)
        steps = max(steps, taken)
    return PairedFit(fitted[:, :-1].reshape(shape), fitted[:, -1].reshape(shape[:-1]), steps)


def precision(model: PairedModel, wins: Numbers, ties: Numbers, fitted: PairedFit) -> Floats:
    """Negative Hessian at the fit: (…, systems, systems), one larger with a tie parameter.

    Its inverse is the covariance of the strengths if comparisons were independent.
    """
    shape = wins.shape[:-1]
    outcomes = _outcomes(_flat(wins), _flat(ties))
    parameters = np.concatenate([fitted.strengths, fitted.tie[..., None]], axis=-1)
    _, curvature = evaluate(model, outcomes, parameters.reshape(-1, shape[-1] + 1))[1:]
    return curvature.reshape(*shape[:-1], *curvature.shape[1:])


def pairs_of(systems: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """First and second system of every pair."""
    first, second = np.triu_indices(systems, 1)
    return first, second


def _flat(matrix: Numbers) -> Floats:
    return matrix.reshape(-1, *matrix.shape[-2:]).astype(np.float64)


def _chunks(replicates: int, systems: int) -> Iterator[slice]:
    size = max(1, CELLS_AT_ONCE // max(1, systems * (systems - 1) // 2))
    return (slice(begin, begin + size) for begin in range(0, replicates, size))


def _outcomes(wins: Floats, ties: Floats) -> Outcomes:
    first, second = pairs_of(wins.shape[-1])
    return Outcomes(wins[:, first, second], wins[:, second, first], ties[:, first, second])


def _maximise(model: PairedModel, outcomes: Outcomes, start: Floats) -> tuple[Floats, int]:
    """Maximise for every replicate; return the maximum and the number of steps."""
    parameters = np.repeat(start, len(outcomes.better), axis=0)
    free = slice(None) if model.has_tie_parameter else slice(-1)
    value, gradient, curvature = evaluate(model, outcomes, parameters)
    for steps in range(1, MOST_STEPS + 1):
        move = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        if np.abs(move).max(initial=0.0) < SMALL_STEP:
            parameters[:, free] += move
            return parameters, steps
        length = np.ones(len(parameters))
        while True:
            trial = parameters.copy()
            trial[:, free] += length[:, None] * move
            tried = evaluate(model, outcomes, trial)
            fell = tried[0] < value - 1e-12 * np.abs(value)
            if not fell.any() or length.min() < 1e-9:
                break
            length[fell] /= 2
        parameters = trial
        value, gradient, curvature = tried
    raise AdjudgeError(
        f"{model.name} did not converge in {MOST_STEPS} steps; look for absurd counts, "
        "or choose another method"
    )


def evaluate(
    model: PairedModel, outcomes: Outcomes, parameters: Floats
) -> tuple[Floats, Floats, Floats]:
    """Objective, gradient and curvature for every replicate."""
    systems = parameters.shape[1] - 1
    strength, tie = parameters[:, :-1], parameters[:, -1]
    first, second = pairs_of(systems)
    slopes = model.slopes(outcomes, strength[:, first] - strength[:, second], tie)
    free = systems + model.has_tie_parameter
    gradient = np.zeros((len(parameters), free))
    gradient[:, :systems] = _net(slopes.d, systems) - strength / model.prior_sd**2
    curvature = np.zeros((len(parameters), free, free))
    curvature[:, first, second] = -slopes.dd
    curvature[:, second, first] = -slopes.dd
    every = np.arange(systems)
    prior = model.prior_sd**-2.0
    curvature[:, every, every] = prior - curvature[:, :systems, :systems].sum(axis=2)
    if model.has_tie_parameter:
        gradient[:, -1] = slopes.t
        cross = _net(slopes.dt, systems)
        curvature[:, :systems, -1] = cross
        curvature[:, -1, :systems] = cross
        curvature[:, -1, -1] = slopes.tt
    value = slopes.value - (strength**2).sum(axis=1) / (2 * model.prior_sd**2)
    return value, gradient, curvature


def _net(of_pairs: Floats, systems: int) -> Floats:
    """Sum per system over pairs in which it is first minus those in which it is second."""
    return np.asarray((_signs(systems) @ of_pairs.T).T)


@lru_cache(maxsize=8)
def _signs(systems: int) -> csr_array:
    """Incidence matrix (systems, pairs): 1 if the system is first of the pair, −1 if second.

    Sparse: a dense product would cost more by a factor of the number of systems.
    """
    first, second = pairs_of(systems)
    pair = np.arange(len(first))
    return csr_array(
        (np.repeat([1.0, -1.0], len(pair)), (np.append(first, second), np.append(pair, pair))),
        shape=(systems, len(pair)),
    )


def chances(difference: Floats, tie: Floats) -> tuple[Floats, Floats, Floats]:
    """Probabilities of better, worse and tied for θ_a − θ_b = `difference` and log ν = `tie`."""
    higher, lower, tied, _ = _chances(np.abs(difference), np.exp(tie))
    ahead = difference >= 0
    return np.where(ahead, higher, lower), np.where(ahead, lower, higher), tied


def _chances(apart: Floats, nu: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Probabilities that the stronger wins, the weaker wins, and of a tie, and −log of the
    first.
    """
    shrunk = np.exp(-apart / 2)
    tied = nu * shrunk
    lower = shrunk * shrunk
    rest = lower + tied
    higher = 1 / (1 + rest)
    return higher, lower * higher, tied * higher, np.log1p(rest)


class Derivatives(NamedTuple):
    """Derivatives of the log-likelihood of every cell, without its term tied·log ν; as in
    `Slopes`.
    """

    value: Floats
    d: Floats
    t: Floats
    dd: Floats
    dt: Floats
    tt: Floats


def derivatives(outcomes: Outcomes, difference: Floats, nu: Floats) -> Derivatives:
    """Derivatives in terms of (better − worse)/2 and tied, the sufficient statistics of this
    exponential family.

    Computed from the side of the stronger system, so that nothing cancels if it always wins.
    """
    apart = np.abs(difference)
    high, low, tied, cost = _chances(apart, nu)
    side = np.where(difference >= 0, 1.0, -1.0)
    n = outcomes.better + outcomes.worse + outcomes.tied
    half_net = side * (outcomes.better - outcomes.worse) / 2
    decided = (outcomes.better + outcomes.worse) / 2
    won, lost = decided + half_net, decided - half_net
    edge = (high - low) / 2
    slope = won * (low + tied / 2) - lost * (high + tied / 2) - outcomes.tied * edge
    n_tied = n * tied
    return Derivatives(
        -(lost + outcomes.tied / 2) * apart - n * cost,
        d=side * slope,
        t=outcomes.tied - n_tied,
        dd=n * (high * low + (high + low) * tied / 4),
        dt=-n_tied * edge * side,
        tt=n_tied * (1 - tied),
    )


@dataclass(frozen=True)
class DavidsonModel:
    """Davidson's likelihood; without a tie parameter it is Bradley–Terry's (ν = 0)."""

    name: str = "davidson"
    has_tie_parameter: bool = True
    half_ties: bool = False
    prior_sd: float = PRIOR_SD
    first_tie: float = 0.0

    def slopes(self, outcomes: Outcomes, difference: Floats, tie: Floats) -> Slopes:
        """Log-likelihood and prior of log ν."""
        if not self.has_tie_parameter:
            nothing = np.zeros((len(tie), 1))
            half = outcomes.tied / 2 if self.half_ties else nothing
            wins_only = Outcomes(outcomes.better + half, outcomes.worse + half, nothing)
            by = derivatives(wins_only, difference, nothing)
            return Slopes(by.value.sum(axis=1), by.d, tie, by.dd, by.dt, tie)
        by = derivatives(outcomes, difference, np.exp(tie)[:, None])
        tied = outcomes.tied.sum(axis=1)
        return Slopes(
            by.value.sum(axis=1) + tied * tie - tie**2 / (2 * PRIOR_SD**2),
            by.d,
            by.t.sum(axis=1) - tie / PRIOR_SD**2,
            by.dd,
            by.dt,
            by.tt.sum(axis=1) + PRIOR_SD**-2.0,
        )


def influence_of_model(model: PairedModel) -> Callable[[Tally[Any], WinCounts], Influence]:
    """Influence of comparisons on the strengths of `model`."""

    def influence(tally: Tally[Any], counts: WinCounts) -> Influence:
        fitted = fit(model, counts.wins, counts.ties)
        information = precision(model, counts.wins, counts.ties, fitted)
        first, second, outcome = tally.labels
        systems = len(counts.systems)
        difference = (fitted.strengths[first] - fitted.strengths[second])[:, None]
        gradient = _gradient(model, outcome, difference, np.full(len(first), fitted.tie))
        score = np.zeros((len(first), len(information)))
        row = np.arange(len(first))
        score[row, first], score[row, second] = gradient[0], -gradient[0]
        if model.has_tie_parameter:
            score[:, -1] = gradient[1]
        inverse = np.linalg.inv(information)[:, :systems]
        inverse -= inverse.mean(axis=1, keepdims=True)  # strengths have the mean zero
        counted = events_of_systems(tally, systems)
        if not (model.has_tie_parameter or model.half_ties):
            counted[outcome == EQUAL] = 0
        independent = inverse[:systems] - inverse[:systems].mean(axis=0)
        return Influence(
            score @ inverse,
            counted / np.maximum(tally.counts @ counted, 1),
            working_of_strengths(systems),
            fitted.strengths,
            np.maximum(np.diag(independent), 1e-12),
        )

    return influence


def _gradient(
    model: PairedModel, outcome: Any, difference: Floats, tie: Floats
) -> tuple[Floats, Floats]:
    """Gradient of one comparison each, by the difference of strengths and by the tie parameter."""
    nothing = np.zeros_like(difference)
    better, tied, worse = (
        (outcome == code).astype(np.float64)[:, None] for code in (BETTER, EQUAL, WORSE)
    )
    posterior = model.slopes(Outcomes(better, worse, tied), difference, tie)
    prior = model.slopes(Outcomes(nothing, nothing, nothing), difference, tie)
    return (posterior.d - prior.d)[:, 0], posterior.t - prior.t
