"""Models of the labels of words, Task 2: OK or BAD, or keep, substitute and delete.

How far the chance of a class must be raised before it is named is chosen so that macro F1 is best
on translations that the model had not seen: classes are of very unequal size.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.quality.features.column import FeatureTable
from adjudge.quality.features.extraction import word_features
from adjudge.quality.features.prepared import Prepared
from adjudge.quality.learners.choosing import learn
from adjudge.quality.learners.learner import TAGGERS, Learner
from adjudge.quality.measures.classes import f1, macro_f1
from adjudge.quality.models.design import Design, design_of
from adjudge.quality.tasks.words import WordTask
from adjudge.statistics.units import Floats

LEAST = 3  # times that a word is seen before it is a feature
STEPS = np.linspace(-1.5, 1.5, 31)  # of log chances


@dataclass(frozen=True, eq=False)
class WordModel:
    """What labels words."""

    classes: tuple[str, ...]
    families: tuple[str, ...]
    design: Design
    mean: Floats
    deviation: Floats
    learner: str
    chosen: dict[str, Any]
    estimator: Any
    raised: Floats  # of each class: what is added to its log chance
    measured: Mapping[str, float]  # on words of translations that a model had not seen

    def predict(self, prepared: Prepared) -> tuple[NDArray[np.int8], Floats]:
        """The class of every word, and the chance of each class."""
        features = word_features(prepared, self.families)
        matrix = self.design.sparse_matrix(features, (self.mean, self.deviation))
        seen = np.asarray(self.estimator.classes_)
        chance = _of_all(np.asarray(self.estimator.predict_proba(matrix)), seen, len(self.classes))
        return _named(chance, self.raised), chance


def train_word_model(
    task: WordTask,
    prepared: Prepared,
    learner: str | Learner = "logistic",
    families: tuple[str, ...] = (),
    *,
    seed: int = 1,
    workers: int = 1,
) -> WordModel:
    """Learn the labels of words from their features."""
    chosen = TAGGERS.named(learner)
    features = word_features(prepared, families)
    design = design_of(features, least=LEAST)
    mean, deviation = _scale(features)
    learned = learn(
        chosen,
        design.sparse_matrix(features, (mean, deviation)),
        task.gold.astype(np.float64),
        task.groups[task.sentence],
        seed, scoring="f1_macro", predict="predict_proba", workers=workers,
    )  # fmt: skip
    seen = np.isfinite(learned.from_others[:, 0])
    number = len(task.classes)
    chance, gold = learned.from_others[seen], task.gold[seen]
    chance = _of_all(chance, np.unique(task.gold), number)
    raised = _raised(chance, gold)
    counts = _confusion(gold, _named(chance, raised), number)
    measured = {
        f"f1_{name.lower()}": float(f) for name, f in zip(task.classes, f1(counts), strict=True)
    }
    return WordModel(
        task.classes, families, design, mean, deviation, chosen.name, learned.chosen,
        learned.estimator, raised, measured | {"macro_f1": float(macro_f1(counts))},
    )  # fmt: skip


def _scale(features: FeatureTable) -> tuple[Floats, Floats]:
    numbers = features.numbers
    deviation = numbers.std(axis=0)
    return numbers.mean(axis=0), np.where(deviation > 0, deviation, 1.0)


def _raised(chance: Floats, gold: NDArray[np.int8]) -> Floats:
    """What to add to the log chance of each class but the first, one class after the other."""
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
    """The chances of all classes: none of those that no word of training has."""
    every = np.zeros((len(chance), number))
    every[:, seen.astype(np.int64)] = chance
    return every


def _confusion(gold: NDArray[np.int8], named: NDArray[np.int8], classes: int) -> Floats:
    """How many words of each class (row) are given each class."""
    cells = np.bincount(gold.astype(np.int64) * classes + named, minlength=classes**2)
    return cells.reshape(classes, classes).astype(np.float64)


def _named(chance: Floats, raised: Floats) -> NDArray[np.int8]:
    return np.asarray(np.argmax(np.log(np.maximum(chance, 1e-12)) + raised, axis=1), np.int8)
