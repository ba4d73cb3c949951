"""Linear-chain conditional random field on sparse features (Lafferty, McCallum and Pereira 2001).

The forward-backward algorithm is compiled.

The model is

    p(y | x) = exp(Σ_t (x_t · W[:, y_t] + b[y_t]) + Σ_t T[y_t, y_t+1]) / Z(x)

The weights maximise C · Σ log p(y | x) − ½ (‖W‖² + ‖T‖²), by L-BFGS in units of the
curvature of each weight, without which it takes four times as many steps. It is our own since
CRFsuite takes features as text and reads models in C that trusts them; here a model is plain
arrays.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin

from adjudge.core.errors import BadParameter

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def marginals(scores: Floats, transitions: Floats, start: Numbers) -> tuple[float, Floats, Floats]:
    """Σ log Z over sentences, marginal label probabilities of every word, and expected transitions.

    The weight of a labelling is exp of the sum of its words' `scores` (words × labels) and of its
    `transitions` (label × next label). Sums are scaled to 1 at every word, so that none overflows.
    """
    words, labels = scores.shape
    step = np.exp(transitions - transitions.max())
    chance = np.empty((words, labels))
    expected = np.zeros((labels, labels))
    here = np.empty((words, labels))  # exp of scores, the largest of a word being 1
    scale = np.empty(words)
    after, before = np.empty(labels), np.empty(labels)
    log_z = 0.0
    for sentence in range(len(start) - 1):
        first, end = start[sentence], start[sentence + 1]
        if first == end:
            continue
        log_z += (end - first - 1) * transitions.max()
        for word in range(first, end):
            highest = scores[word].max()
            total = 0.0
            for label in range(labels):
                here[word, label] = np.exp(scores[word, label] - highest)
                reached = 1.0
                if word > first:
                    reached = 0.0
                    for previous in range(labels):
                        reached += chance[word - 1, previous] * step[previous, label]
                chance[word, label] = reached * here[word, label]
                total += chance[word, label]
            for label in range(labels):
                chance[word, label] /= total
            scale[word] = total
            log_z += highest + np.log(total)
        after[:] = 1.0
        for word in range(end - 2, first - 1, -1):
            for label in range(labels):
                before[label] = 0.0
                for following in range(labels):
                    onward = step[label, following] * here[word + 1, following] * after[following]
                    onward /= scale[word + 1]
                    expected[label, following] += chance[word, label] * onward
                    before[label] += onward
            for label in range(labels):
                chance[word + 1, label] *= after[label]
            after[:] = before
        for label in range(labels):
            chance[first, label] *= after[label]
    return log_z, chance, expected


class ConditionalRandomField(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # no types
    """Sequence labeller of words by a linear-chain CRF.

    `fit` and `predict_proba` take the words of all sentences, and the offset of each sentence.
    """

    def __init__(self, C: float = 1.0, max_iter: int = 200, tol: float = 1e-5) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol  # a step that gains less, relative to the loss, is the last

    def fit(self, features: Any, gold: Any, start: Numbers) -> "ConditionalRandomField":
        """Fit to words (rows) and their labels."""
        self.classes_, label = np.unique(gold, return_inverse=True)
        chain = _Chain(features, label, start, len(self.classes_), self.C)
        unit = chain.units()

        def loss(point: Floats) -> tuple[float, Floats]:
            value, gradient = chain.loss(unit * point)
            return value, unit * gradient

        found = minimize(
            loss, np.zeros(chain.size), jac=True, method="L-BFGS-B",
            options={"maxiter": self.max_iter, "ftol": self.tol, "gtol": 0.0},
        )  # fmt: skip
        self.weights_, self.bias_, self.transitions_ = chain.parts(unit * found.x)
        self.n_iter_ = int(found.nit)
        return self

    def predict_proba(self, features: Any, start: Numbers) -> Floats:
        """Marginal probability of every label of every word."""
        labels = len(self.classes_)
        if self.weights_.shape[1] != labels or self.transitions_.shape != (labels, labels):
            raise BadParameter("the model's numbers do not fit together; train it anew")
        scores = np.ascontiguousarray(features @ self.weights_ + self.bias_)
        return marginals(scores, self.transitions_, start)[1]

    def predict(self, features: Any, start: Numbers) -> Any:
        """Likeliest label of every word."""
        return self.classes_[self.predict_proba(features, start).argmax(axis=1)]


class _Chain:
    """Loss of the weights and its gradient, on given words."""

    def __init__(
        self, features: Any, label: Numbers, start: Numbers, labels: int, c: float
    ) -> None:
        self.features, self.start, self.c = features, start, c
        self.shape = (features.shape[1], labels)
        self.size = (features.shape[1] + 1 + labels) * labels
        self.observed = np.zeros((len(label), labels))
        self.observed[np.arange(len(label)), label] = 1
        inside = np.ones(max(len(label) - 1, 0), bool)
        ends = start[1:-1]
        inside[ends[(ends > 0) & (ends < len(label))] - 1] = False  # no transition to another text
        pairs = label[:-1][inside] * labels + label[1:][inside]
        self.pairs = np.bincount(pairs, minlength=labels**2).reshape(labels, labels)

    def parts(self, flat: Floats) -> tuple[Floats, Floats, Floats]:
        """Weights of features, of labels, of transitions."""
        features, labels = self.shape
        weights = flat[: features * labels].reshape(self.shape)
        rest = flat[features * labels :].reshape(labels + 1, labels)
        return weights, rest[0], np.ascontiguousarray(rest[1:])

    def units(self) -> Floats:
        """Scale of each weight: one over the root of the curvature of the loss at zero.

        A binary label has a variance of ¼.
        """
        labels = self.shape[1]
        squared = np.asarray(self.features.power(2).sum(axis=0)).ravel()
        words = len(self.observed)
        curvature = np.concatenate(
            [
                np.repeat(1 + self.c * squared / 4, labels),
                np.full(labels, self.c * words / 4),
                np.full(labels**2, 1 + self.c * words / 4),
            ]
        )
        return np.asarray(1 / np.sqrt(curvature))

    def loss(self, flat: Floats) -> tuple[float, Floats]:
        """Compute ½ (‖W‖² + ‖T‖²) − C · log likelihood, and its gradient."""
        weights, bias, transitions = self.parts(flat)
        scores = np.ascontiguousarray(self.features @ weights + bias)
        log_z, chance, expected = marginals(scores, transitions, self.start)
        likelihood = (
            float((scores * self.observed).sum() + (transitions * self.pairs).sum()) - log_z
        )
        wrong = chance - self.observed
        gradient = np.concatenate(
            [
                (weights + self.c * (self.features.T @ wrong)).ravel(),
                self.c * wrong.sum(axis=0),
                (transitions + self.c * (expected - self.pairs)).ravel(),
            ]
        )
        penalty = ((weights**2).sum() + (transitions**2).sum()) / 2
        return float(penalty - self.c * likelihood), gradient
