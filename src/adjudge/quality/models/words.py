"""Models of the labels of words, Task 2: OK or BAD, or keep, substitute and delete.

Probabilities are calibrated (`calibration`). Decision offsets of the classes maximise out-of-fold
macro F1, since classes are of very unequal size.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.quality.features.column import FeatureTable
from adjudge.quality.features.extraction import word_features
from adjudge.quality.features.inputs import Prepared
from adjudge.quality.learners.cross_validation import FOLDS, Words, chances, folds_of, learn_tags
from adjudge.quality.learners.learner import TAGGERS, Learner
from adjudge.quality.measures.calibration import brier, calibration_error, in_bins
from adjudge.quality.measures.classes import f1, macro_f1
from adjudge.quality.models.calibration import Calibration, calibration_of
from adjudge.quality.models.design import Design, design_of
from adjudge.quality.tasks.words import WordTask
from adjudge.stats.resampling import Floats

LEAST = 3  # times that a word is seen before it is a feature
STEPS = np.linspace(-1.5, 1.5, 31)  # of log chances


@dataclass(frozen=True, eq=False)
class WordModel:
    """Fitted model of word labels."""

    classes: tuple[str, ...]
    families: tuple[str, ...]
    design: Design
    mean: Floats
    deviation: Floats
    learner: str
    chosen: dict[str, Any]
    estimator: Any
    calibration: Calibration
    raised: Floats  # of each class: what is added to its log chance
    measured: Mapping[str, float]  # on words of translations that a model had not seen

    def predict(self, prepared: Prepared) -> tuple[NDArray[np.int8], Floats]:
        """Predict the class of every word, and the probability of each class."""
        features = word_features(prepared, self.families)
        matrix = self.design.sparse_matrix(features, (self.mean, self.deviation))
        return self.labelled(self.estimator, Words(matrix, prepared.target_start))

    def labelled(self, estimator: Any, words: Words) -> tuple[NDArray[np.int8], Floats]:
        """Predictions of an estimator of the same kind, with this model's calibration and
        offsets.
        """
        chance = chances(TAGGERS.named(self.learner), estimator, words)
        seen = np.asarray(estimator.classes_)
        chance = self.calibration(_of_all(chance, seen, len(self.classes)))
        return _named(chance, self.raised), chance


def train_word_model(
    task: WordTask,
    prepared: Prepared,
    learner: str | Learner = "crf",
    families: tuple[str, ...] = (),
    *,
    seed: int = 1,
    workers: int = 1,
) -> WordModel:
    """Fit a model of word labels to their features."""
    chosen = TAGGERS.named(learner)
    features = word_features(prepared, families)
    design = design_of(features, least=LEAST)
    scale = _scale(features)
    words = Words(design.sparse_matrix(features, scale), task.start)
    learned = learn_tags(
        chosen, words, task.gold.astype(np.int64), task.groups, seed,
        score=_best_macro_f1, workers=workers,
    )  # fmt: skip
    seen = np.arange(learned.from_others.shape[1])
    said = _of_all(learned.from_others, seen, len(task.classes))
    honest = _calibrated_by_others(said, task, seed)
    raised = _raised(honest, task.gold)
    return WordModel(
        task.classes, families, design, *scale, chosen.name, learned.chosen, learned.estimator,
        calibration_of(said, task.gold), raised, _measured(task, honest, raised),
    )  # fmt: skip


def _calibrated_by_others(said: Floats, task: WordTask, seed: int) -> Floats:
    """Calibrate the probabilities of words on other documents."""
    fold = folds_of(task.groups, FOLDS, seed)[task.sentence]
    honest = np.empty_like(said)
    for each in np.unique(fold):
        others = fold != each
        honest[~others] = calibration_of(said[others], task.gold[others])(said[~others])
    return honest


def _measured(task: WordTask, chance: Floats, raised: Floats) -> dict[str, float]:
    """F1 of every class and its mean; Brier score and calibration error of the probability of
    change.
    """
    counts = _confusion(task.gold, _named(chance, raised), len(task.classes))
    cells = in_bins(1 - chance[:, 0], task.gold != 0).sum(axis=0)
    return {
        **{f"f1_{name.lower()}": float(value)
           for name, value in zip(task.classes, f1(counts), strict=True)},
        "macro_f1": float(macro_f1(counts)),
        "brier": float(brier(cells)),
        "calibration_error": float(calibration_error(cells)),
    }  # fmt: skip


def _best_macro_f1(chance: Floats, gold: NDArray[np.int64]) -> float:
    """Best macro F1 of calibrated probabilities over decision offsets."""
    chance = calibration_of(chance, gold)(chance)
    return float(macro_f1(_confusion(gold, _named(chance, _raised(chance, gold)), chance.shape[1])))


def _scale(features: FeatureTable) -> tuple[Floats, Floats]:
    numbers = features.numbers
    deviation = numbers.std(axis=0)
    return numbers.mean(axis=0), np.where(deviation > 0, deviation, 1.0)


def _raised(chance: Floats, gold: NDArray[np.integer]) -> Floats:
    """Offsets to the log probability of each class but the first, optimised one after the other."""
    raised = np.zeros(chance.shape[1])
    for _ in range(2):
        for place in range(1, chance.shape[1]):
            tried = np.tile(raised, (len(STEPS), 1))
            tried[:, place] = STEPS
            counts = np.stack(
                [_confusion(gold, _named(chance, step), chance.shape[1]) for step in tried]
            )
            raised = tried[int(np.argmax(macro_f1(counts)))]
    return raised


def _of_all(chance: Floats, seen: NDArray[Any], number: int) -> Floats:
    """Probabilities of all classes; 0 for classes absent from training."""
    every = np.zeros((len(chance), number))
    every[:, seen.astype(np.int64)] = chance
    return every


def _confusion(gold: NDArray[np.integer], named: NDArray[np.integer], classes: int) -> Floats:
    """Confusion matrix: words of each class (row) by assigned class."""
    cells = np.bincount(gold.astype(np.int64) * classes + named, minlength=classes**2)
    return cells.reshape(classes, classes).astype(np.float64)


def _named(chance: Floats, raised: Floats) -> NDArray[np.int8]:
    return np.asarray(np.argmax(np.log(np.maximum(chance, 1e-12)) + raised, axis=1), np.int8)
