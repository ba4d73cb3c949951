"""Gaussian process regression whose parameters maximise the marginal likelihood.

    k(x, x′) = σ² exp(−½ Σ_d (x_d − x′_d)² / ℓ_d²)  and noise τ² on each translation

One length scale ℓ for all features, or one for each (automatic relevance determination): a feature
with a long one hardly matters, so features can be selected by it (SHEF, WMT13 §6.7; Shah, Cohn and
Specia 2013). With labels, such as translators, each of them has a function of its own beside the
common one (Cohn and Specia 2013, the "combined" coregionalisation), a level and a noise:

    k((x, t), (x′, u)) = k(x, x′) (1 + α_t [t = u]) + β [t = u]  and noise τ_t²

scikit-learn's process keeps a matrix of rows × rows for every parameter; here gradients are sums
over one such matrix, ½ Σ_ij (aaᵀ − K⁻¹)_ij ∂K_ij/∂θ with a = K⁻¹ y (Rasmussen and Williams 2006,
§5.4.1), and length scales share it:

    Σ_ij W_ij (x_id − x_jd)² = 2 (Σ_i x_id² Σ_j W_ij − x_dᵀ W x_d),   W symmetric
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular
from scipy.linalg.lapack import dpotri
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, RegressorMixin

from adjudge.core.errors import BadParameter
from adjudge.quality.learners.cross_validation import Numbers
from adjudge.stats.resampling import Floats

_STEPS = 60  # of L-BFGS
BOUNDS = (-7.0, 7.0)  # of logarithms of parameters


class GaussianProcess(RegressorMixin, BaseEstimator):  # type: ignore[misc]  # has no types
    """Gaussian process with feature scaling; the last `labels` columns indicate the owner of a row.

    With `keep`, only that many features are kept, those with the shortest length scales, and one
    common length scale is learned for them. Parameters are learned from at most `rows` random rows,
    and at most `most` rows are stored.
    """

    def __init__(
        self, *, ard: bool = False, keep: int = 0, labels: int = 0, rows: int = 1_000,
        most: int = 3_000, seed: int = 1,
    ) -> None:  # fmt: skip
        self.ard = ard
        self.keep = keep
        self.labels = labels
        self.rows = rows
        self.most = most
        self.seed = seed

    def fit(self, features: Floats, gold: Floats) -> Self:
        """Learn parameters from a subset of rows, and store more of them."""
        shuffled = np.random.default_rng(self.seed).permutation(len(gold))
        kept = np.sort(shuffled[: self.most])
        some = np.sort(shuffled[: self.rows])
        numbers = features.shape[1] - self.labels
        self.mean_ = features[:, :numbers].mean(axis=0)
        self.deviation_ = features[:, :numbers].std(axis=0)
        # A feature that never changes says nothing.
        self.kept_ = np.flatnonzero(self.deviation_ > 1e-9 * (1 + np.abs(self.mean_)))
        self.level_ = float(gold.mean())
        centred = gold - self.level_
        wide = _Layout(len(self.kept_), self.labels, self.ard)
        self.theta_ = wide.learned(*self._inputs(features[some]), centred[some])
        if self.ard and self.keep:
            order = np.argsort(wide.read(self.theta_).scale, kind="stable")
            self.kept_ = np.sort(self.kept_[order[: self.keep]])
            self.theta_ = self._layout.learned(*self._inputs(features[some]), centred[some])
        self.inputs_, self.owner_ = self._inputs(features[kept])
        self.weights_ = cho_solve((self._factor(), True), centred[kept])
        return self

    def predict(self, features: Floats) -> Floats:
        """Posterior mean at other rows."""
        covariance = self._layout.read(self.theta_).covariance(
            *self._inputs(features), self.inputs_, self.owner_
        )
        return np.asarray(self.level_ + covariance @ self.weights_)

    def covariance(self, features: Floats) -> Floats:
        """Posterior covariance of other rows."""
        theta, (inputs, owner) = self._layout.read(self.theta_), self._inputs(features)
        beside = theta.covariance(self.inputs_, self.owner_, inputs, owner)
        known = solve_triangular(self._factor(), beside, lower=True)
        return np.asarray(theta.covariance(inputs, owner, inputs, owner) - known.T @ known)

    def _factor(self) -> Floats:
        """Cholesky factor of the covariance of stored rows, which is too large to be saved."""
        theta = self._layout.read(self.theta_)
        covariance = theta.covariance(self.inputs_, self.owner_, self.inputs_, self.owner_)
        covariance[np.diag_indices_from(covariance)] += theta.noise_of(self.owner_)
        try:
            return np.asarray(cholesky(covariance, lower=True))
        except (ValueError, np.linalg.LinAlgError):
            raise BadParameter("the model's numbers do not fit together; train it anew") from None

    def number_of_parameters(self, features: int) -> int:
        """Number of parameters with this many features."""
        return _Layout(features, self.labels, self.ard and not self.keep).size

    def noise(self, features: Floats) -> Floats:
        """Noise variance of a translation's number."""
        return self._layout.read(self.theta_).noise_of(self._inputs(features)[1])

    @property
    def relevance_(self) -> Floats:
        """Relevance 1 / ℓ of every feature in units of its standard deviation, 0 for dropped
        ones.
        """
        scale = np.zeros(len(self.mean_))
        scale[self.kept_] = 1 / self._layout.read(self.theta_).scale
        return scale

    @property
    def _layout(self) -> "_Layout":
        return _Layout(len(self.kept_), self.labels, self.ard and not self.keep)

    def _inputs(self, features: Floats) -> tuple[Floats, Numbers]:
        numbers = (features[:, self.kept_] - self.mean_[self.kept_]) / self.deviation_[self.kept_]
        owner = features[:, features.shape[1] - self.labels :]
        return numbers, owner.argmax(axis=1) if self.labels else np.zeros(len(features), np.int64)


@dataclass(frozen=True, eq=False)
class _Parameters:
    """Learned parameters."""

    scale: Floats  # ℓ of every feature
    signal: float  # σ²
    noise: Floats  # τ² of every label, or one
    own: Floats  # α of every label; none without labels
    level: float  # β

    def noise_of(self, owner: Numbers) -> Floats:
        return self.noise[owner]

    def common(self, inputs: Floats, others: Floats) -> Floats:
        """Common covariance σ² exp(…) of all pairs of rows."""
        mine, theirs = inputs / self.scale, others / self.scale
        half = 0.5 * (mine**2).sum(axis=1)[:, None] + 0.5 * (theirs**2).sum(axis=1)
        half -= mine @ theirs.T
        return np.asarray(self.signal * np.exp(-np.maximum(half, 0, out=half), out=half))

    def covariance(self, inputs: Floats, owner: Numbers, others: Floats, owners: Numbers) -> Floats:
        """Covariance k of all pairs of rows, without noise."""
        both = self.common(inputs, others)
        if len(self.own):
            same = owner[:, None] == owners
            both = np.where(same, both * (1 + self.own[owner])[:, None] + self.level, both)
        return both


@dataclass(frozen=True)
class _Layout:
    """Positions of the parameters in the vector of their logarithms."""

    features: int
    labels: int
    ard: bool

    @property
    def size(self) -> int:
        """Number of parameters."""
        scales, noises = self.features if self.ard else 1, max(self.labels, 1)
        return scales + 1 + noises + self.labels + bool(self.labels)

    def read(self, theta: Floats) -> _Parameters:
        value = np.exp(theta)
        scales, noises = self.features if self.ard else 1, max(self.labels, 1)
        scale = np.broadcast_to(value[:scales], self.features)
        rest = value[scales:]
        own = rest[1 + noises : 1 + noises + self.labels]
        level = float(rest[-1]) if self.labels else 0.0
        return _Parameters(scale, float(rest[0]), rest[1 : 1 + noises], own, level)

    def learned(self, inputs: Floats, owner: Numbers, gold: Floats) -> Floats:
        """Log parameters that maximise the marginal likelihood."""
        scales, noises = self.features if self.ard else 1, max(self.labels, 1)
        spread = np.log(max(float(gold.var()), 1e-6))
        start = np.concatenate(
            [
                np.full(scales, 0.5 * np.log(2 * max(self.features, 1))),
                [spread - 0.7],
                np.full(noises, spread - 0.7),
                np.full(self.labels, -1.0),
                [spread - 2.0] * bool(self.labels),
            ]
        )
        found = minimize(
            self._loss, start, (inputs, owner, gold), "L-BFGS-B", jac=True,
            bounds=[BOUNDS] * len(start), options={"maxiter": _STEPS},
        )  # fmt: skip
        return np.asarray(found.x)

    def _loss(
        self, theta: Floats, inputs: Floats, owner: Numbers, gold: Floats
    ) -> tuple[float, Floats]:
        """Negative log marginal likelihood without its constant, and its gradient."""
        value = self.read(theta)
        common = value.common(inputs, inputs)
        covariance = value.covariance(inputs, owner, inputs, owner) if self.labels else common
        noisy = covariance.copy()
        noisy[np.diag_indices_from(noisy)] += value.noise_of(owner) + 1e-10
        try:
            factor = cholesky(noisy, lower=True, overwrite_a=True)
        except np.linalg.LinAlgError:
            return 1e25, np.zeros_like(theta)
        weights = cho_solve((factor, True), gold)
        loss = 0.5 * float(gold @ weights) + float(np.log(np.diag(factor)).sum())
        pull = np.outer(weights, weights) - _inverse(factor)
        shared = covariance - value.level * (owner[:, None] == owner) if self.labels else common
        return loss, -0.5 * self._slopes(value, pull, pull * shared, pull * common, inputs, owner)

    def _slopes(
        self, value: _Parameters, pull: Floats, shared: Floats, common: Floats, inputs: Floats,
        owner: Numbers,
    ) -> Floats:  # fmt: skip
        """Gradient terms Σ_ij (aaᵀ − K⁻¹)_ij ∂K_ij/∂θ for every parameter."""
        by_scale = 2 * (shared.sum(axis=1) @ inputs**2 - (inputs * (shared @ inputs)).sum(axis=0))
        by_scale /= value.scale**2
        diagonal = np.diag(pull)
        noise = value.noise * np.bincount(owner, diagonal, len(value.noise))
        slopes = [by_scale if self.ard else [by_scale.sum()], [shared.sum()], noise]
        if self.labels:
            whose = (owner == np.arange(self.labels)[:, None]).astype(np.float64)
            slopes.append(value.own * ((whose @ common) * whose).sum(axis=1))
            slopes.append([value.level * ((whose @ pull) * whose).sum()])
        return np.concatenate(slopes)


def _inverse(factor: Floats) -> Floats:
    """Inverse K⁻¹ from the lower Cholesky factor of K."""
    lower, _ = dpotri(factor, lower=True)
    return np.asarray(np.tril(lower) + np.tril(lower, -1).T)


def order_of_variance(covariance: Floats, noise: Floats, number: int) -> tuple[Numbers, Floats]:
    """Order of acquisition by posterior variance: always the row with the largest.

    Each acquired value reduces the variance of correlated rows: a pivoted Cholesky factorisation.
    Returns rows, and the standard deviation of each when it was chosen.
    """
    left = np.diag(covariance).copy()
    known = np.zeros((number, len(left)))
    rows, deviation = np.zeros(number, np.int64), np.zeros(number)
    for turn in range(number):
        row = int(np.argmax(left))
        rows[turn], deviation[turn] = row, np.sqrt(max(left[row], 0.0))
        beside: Any = covariance[row] - known[:turn, row] @ known[:turn]
        known[turn] = beside / np.sqrt(beside[row] + noise[row])
        left -= known[turn] ** 2
        left[rows[: turn + 1]] = -np.inf
    return rows, deviation
