"""Held-out evaluation of models of word labels: Task 2, measured by macro F1."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from adjudge.quality.evaluation.system_ranking import Measure, observation_units
from adjudge.quality.features.extraction import word_features
from adjudge.quality.learners.cross_validation import Words, fitted
from adjudge.quality.learners.learner import TAGGERS, Learner
from adjudge.quality.measures.classes import confusion, macro_f1
from adjudge.quality.models.train import Trained
from adjudge.quality.models.words import WordModel
from adjudge.quality.reading import QualityData
from adjudge.quality.studies.held_out import (
    HeldOut,
    Rows,
    Training,
    features_by_family,
    joined,
)
from adjudge.quality.tasks.words import Labels, WordTask
from adjudge.stats.replicates import sums_by_row
from adjudge.stats.resampling import Floats, Resampling
from adjudge.text.resources.bundle import Resources


@dataclass(frozen=True, eq=False)
class WordTraining(Training):
    """Training data of words; groups consist of whole sentences."""

    start: Rows
    learner: Learner
    chosen: Mapping[str, Any]
    seed: int

    def fit(self, groups: Rows) -> Any:
        """Fit an estimator to these groups."""
        words = Words(self.matrix, self.start)
        sentences = np.flatnonzero(np.isin(self.group, groups))
        gold = self.gold[words.rows(sentences)].astype(np.int64)
        return fitted(self.learner, self.chosen, self.seed, words.take(sentences), gold)


@dataclass(frozen=True, eq=False)
class HeldOutWords(HeldOut):
    """Labels and probabilities of words, and the true labels."""

    labels: Labels
    chances: Floats  # words × classes
    measure: Measure = field(init=False, default=Measure("macro_f1", "macro F1", digits=3))
    affordable: int = field(init=False, default=2_000_000)

    @property
    def word_model(self) -> WordModel:
        """Model."""
        assert isinstance(self.model, WordModel)
        return self.model

    @property
    def words(self) -> WordTask:
        """Words and their labels."""
        assert isinstance(self.task, WordTask)
        return self.task

    @property
    def changed(self) -> Floats:
        """Probability of change of every word."""
        return np.asarray(1 - self.chances[:, 0])

    def predicted(self, estimator: Any, matrix: Any) -> Labels:
        """Labels predicted by an estimator."""
        return self.word_model.labelled(estimator, Words(matrix, self.words.start))[0]

    def statistics(self, predicted: Labels) -> Floats:
        """Sufficient statistics: the cells of the confusion matrix per sentence."""
        task = self.words
        cells = confusion(task.gold, predicted, len(task.classes))
        return np.asarray(sums_by_row(cells, task.sentence, len(task)))

    def value(self, sums: Floats) -> Floats:
        """Macro F1."""
        number = len(self.words.classes)
        return macro_f1(sums.reshape(*sums.shape[:-1], number, number))[..., None]

    def training(self, data: QualityData, resources: Resources | None) -> Training:
        """Features of words and their labels."""
        model = self.word_model
        task = self.trained.learned_task(data.table)
        assert isinstance(task, WordTask)
        features = word_features(self.trained.prepared(task.table, resources), model.families)
        return WordTraining(
            model.estimator,
            model.design.sparse_matrix(features, (model.mean, model.deviation)),
            task.gold.astype(np.float64),
            task.groups,
            np.bincount(task.groups).astype(np.float64),
            task.start,
            TAGGERS.named(model.learner),
            model.chosen,
            self.trained.card.seed,
        )


def held_out_words(
    trained: Trained, table: pl.DataFrame, resources: Resources | None, resampling: Resampling
) -> HeldOutWords:
    """Label words with known labels."""
    model = trained.model
    task = trained.task_in(table)
    assert isinstance(model, WordModel)
    assert isinstance(task, WordTask)
    prepared = trained.prepared(task.table, resources)
    tables = {family: word_features(prepared, (family,)) for family in model.families}
    units, chosen = observation_units(task.table, np.arange(len(task)), resampling)
    return HeldOutWords(
        trained,
        task,
        model.design.sparse_matrix(joined(tables), (model.mean, model.deviation)),
        features_by_family(tables, model.design),
        units,
        chosen,
        *model.predict(prepared),
    )
