"""Logistic regression for the probability that an unseen candidate beats a ranked one.

    untied = σ(a · x),   better = σ(b · x + δ),

where x are the features of a question (`questions`), with missing values imputed by means,
standardised, and some products. `better` is conditional on no tie. Every system has the same weight
in training, however many of its candidates were misses. δ is an effect of the system itself, which
no text shows: it is 0 until judges have seen some of its candidates (`effect`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from adjudge.core.errors import NotEnoughData
from adjudge.segments.prediction.questions import CROSSED, Questions
from adjudge.stats.resampling import Floats

STRENGTH = 0.03  # scikit-learn's C: how little weights are shrunk
UNTIED = (
    "too few systems of the database have candidates of their own that were ranked above or below "
    "others, so that nothing can be learnt for unseen ones; judge more segments"
)
FAR = 5.0  # standard deviations: a feature says no more beyond


@dataclass(frozen=True, eq=False)
class Weights:
    """Single logistic regression."""

    intercept: float
    slopes: Floats

    def chance(self, inputs: Floats) -> Floats:
        """Probability for every row."""
        chance: Floats = expit(inputs @ self.slopes + self.intercept)
        return np.clip(chance, 1e-6, 1 - 1e-6)


@dataclass(frozen=True, eq=False)
class Predictor:
    """Predictor fitted on systems whose ranks are known."""

    filling: Floats  # for features with nothing to say
    scales: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]  # before and after crossing
    crossed: tuple[int, ...]
    untied: Weights
    better: Weights

    def predict(self, asked: Questions, effect: float = 0.0) -> tuple[Floats, Floats]:
        """Probability of no tie, and of being better given no tie, for every question."""
        inputs = _inputs(asked.features, self.filling, self.crossed, self.scales)
        better = self.better.chance(inputs)
        return self.untied.chance(inputs), expit(logit(better) + effect)


def fit(parts: Sequence[Questions]) -> Predictor:
    """Fit on the questions about several systems with known answers."""
    asked = [part for part in parts if len(part.outcome)]
    if not asked or not any((part.outcome != 0).any() for part in asked):
        raise NotEnoughData(UNTIED)
    features = np.vstack([part.features for part in asked])
    outcome = np.concatenate([part.outcome for part in asked])
    weight = np.concatenate([part.makers / part.makers.sum() for part in asked])
    weight /= weight.mean()
    known = ~np.isnan(features)
    filling = np.where(known, features, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    crossed = tuple(asked[0].names.index(name) for name in CROSSED)
    first = _scale(np.where(known, features, filling))
    second = _scale(_crossed(_scaled(np.where(known, features, filling), first), crossed))
    inputs = _inputs(features, filling, crossed, (first, second))
    untied = outcome != 0
    return Predictor(
        filling,
        (first, second),
        crossed,
        _regression(inputs, untied, weight),
        _regression(inputs[untied], outcome[untied] > 0, weight[untied]),
    )


def _regression(inputs: Floats, yes: Floats, weight: Floats) -> Weights:
    from sklearn.linear_model import LogisticRegression

    if yes.all() or not yes.any():  # Laplace's rule where all is the same
        chance = (yes.sum() + 1) / (len(yes) + 2)
        return Weights(float(logit(chance)), np.zeros(inputs.shape[1]))
    regression = LogisticRegression(C=STRENGTH, solver="newton-cholesky")  # many rows, few columns
    fitted = regression.fit(inputs, yes, sample_weight=weight)
    return Weights(float(fitted.intercept_[0]), fitted.coef_[0])


def _inputs(
    features: Floats,
    filling: Floats,
    crossed: Sequence[int],
    scales: tuple[tuple[Floats, Floats], tuple[Floats, Floats]],
) -> Floats:
    filled = np.where(np.isnan(features), filling, features)
    return _scaled(_crossed(_scaled(filled, scales[0]), crossed), scales[1])


def _scale(values: Floats) -> tuple[Floats, Floats]:
    return values.mean(axis=0), values.std(axis=0) + 1e-3


def _scaled(values: Floats, scale: tuple[Floats, Floats]) -> Floats:
    return np.clip((values - scale[0]) / scale[1], -FAR, FAR)


def _crossed(values: Floats, crossed: Sequence[int]) -> Floats:
    """Features, with the products of all pairs of some."""
    chosen = values[:, list(crossed)]
    products = [chosen[:, [i]] * chosen[:, i:] for i in range(chosen.shape[1])]
    return np.hstack([values, *products])
