"""Models of a number: Task 1.1 (HTER, effort, any number) and Task 1.3 (seconds).

Intervals are conformal: their half-width is the ⌈0.9 (n + 1)⌉-th smallest of n out-of-fold errors
(Vovk 2005; Lei et al. 2018). They are valid for translations like those of training, whatever the
learner. For an unbounded quantity such as seconds, errors are those of the logarithm, since long
times vary more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from adjudge.quality.features.extraction import Fitted, fit
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.learners.cross_validation import learn
from adjudge.quality.learners.learner import REGRESSORS, Learner
from adjudge.quality.measures.correlation import spearman
from adjudge.quality.models.design import Design, design_of
from adjudge.quality.quantities import Quantity
from adjudge.quality.tasks.editing_time import EditingTimeTask
from adjudge.quality.tasks.scoring import ScoringTask
from adjudge.stats.resampling import Floats

LEVEL = 0.9
DOCUMENT = ("document",)  # a label of the training documents says nothing of others


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predicted number of every translation, with its interval."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class NumberModel:
    """Fitted model of a number."""

    task: str  # scoring or time
    quantity: Quantity
    features: Fitted
    design: Design
    learner: str
    chosen: dict[str, Any]
    estimator: Any
    centre: float
    spread: float
    reach: float  # of intervals, in units of `spread`
    measured: Mapping[str, float]  # on translations whose documents a model had not seen

    def predict(self, prepared: Prepared) -> Predicted:
        """Predict the numbers of other translations."""
        matrix = self.design.matrix(self.features.features(prepared))
        guess = np.asarray(self.estimator.predict(matrix), np.float64).ravel()
        return Predicted(*(self.on_scale(guess + step) for step in (0.0, -self.reach, self.reach)))

    def standardised(self, value: Floats) -> Floats:
        """Convert to the scale of the estimator, the inverse of `on_scale`."""
        if _unbounded(self.quantity):
            value = np.log1p(value)
        return (value - self.centre) / self.spread

    def on_scale(self, standard: Floats) -> Floats:
        """Convert to the scale of the quantity, and clip to its bounds."""
        value = self.centre + self.spread * standard
        if _unbounded(self.quantity):
            value = np.expm1(value)
        return np.clip(value, self.quantity.low, self.quantity.high)


def train_number_model(
    task: ScoringTask | EditingTimeTask,
    prepared: Prepared,
    learner: str | Learner = "svr",
    families: tuple[str, ...] = (),
    *,
    seed: int = 1,
    workers: int = 1,
) -> NumberModel:
    """Fit a model of the task's number to the features of its translations."""
    chosen = REGRESSORS.named(learner)
    fitted, features = fit(prepared, task.gold, task.groups, families)
    design = design_of(features, DOCUMENT)
    value = np.log1p(task.gold) if _unbounded(task.quantity) else task.gold
    centre, spread = float(value.mean()), float(value.std()) or 1.0
    standard = (value - centre) / spread
    learned = learn(
        chosen, design.matrix(features), standard, task.groups, seed,
        scoring="neg_mean_absolute_error", workers=workers,
        labels=sum(map(len, design.labels.values())),
    )  # fmt: skip
    distance = np.abs(learned.from_others.ravel() - standard)
    model = NumberModel(
        "time" if isinstance(task, EditingTimeTask) else "scoring",
        task.quantity, fitted, design, chosen.name, learned.chosen, learned.estimator,
        centre, spread, conformal_reach(distance[np.isfinite(distance)]), {},
    )  # fmt: skip
    guess = model.on_scale(learned.from_others.ravel())
    return replace(model, measured=_measured(task.gold, guess, task.quantity))


def conformal_reach(distance: Floats, level: float = LEVEL) -> float:
    """Return the ⌈level (n + 1)⌉-th smallest distance; the largest if there are too few."""
    place = min(int(np.ceil(level * (len(distance) + 1))), len(distance))
    return float(np.sort(distance)[place - 1])


def _measured(gold: Floats, guess: Floats, quantity: Quantity) -> dict[str, float]:
    """Errors in printed units, and rank correlation."""
    known = np.isfinite(guess)
    gold, guess = gold[known], guess[known]
    error = quantity.factor * (guess - gold)
    ones = np.ones((1, len(gold)))
    return {
        "mae": float(np.abs(error).mean()),
        "rmse": float(np.sqrt((error**2).mean())),
        "spearman": float(spearman(ones, gold, guess[None]).ravel()[0]),
    }


def _unbounded(quantity: Quantity) -> bool:
    return quantity.low == 0 and quantity.high == np.inf
