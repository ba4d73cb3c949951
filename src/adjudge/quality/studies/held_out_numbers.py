"""Held-out evaluation of models of numbers: Tasks 1.1 and 1.3, measured by MAE."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from adjudge.quality.evaluation.system_ranking import Measure, observation_units
from adjudge.quality.features.extraction import Fitted, fit
from adjudge.quality.models.numbers import NumberModel, Predicted
from adjudge.quality.models.train import Trained
from adjudge.quality.reading import QualityData
from adjudge.quality.studies.held_out import (
    HeldOut,
    Training,
    features_by_family,
    joined,
)
from adjudge.quality.tasks.editing_time import EditingTimeTask
from adjudge.quality.tasks.scoring import ScoringTask
from adjudge.stats.resampling import Floats, Resampling
from adjudge.text.resources.bundle import Resources


@dataclass(frozen=True, eq=False)
class HeldOutNumbers(HeldOut):
    """Predicted numbers with their intervals, and the true ones."""

    said: Predicted
    measure: Measure = field(init=False, default=Measure("mae", "MAE", False))
    affordable: int = field(init=False, default=60_000)

    @property
    def number_model(self) -> NumberModel:
        """Model."""
        assert isinstance(self.model, NumberModel)
        return self.model

    @property
    def gold(self) -> Floats:
        """True numbers."""
        assert isinstance(self.task, ScoringTask | EditingTimeTask)
        return self.task.gold

    @property
    def usual(self) -> float:
        """Baseline prediction: the mean of the training data (for time, of its logarithm)."""
        return float(self.number_model.on_scale(np.zeros(1))[0])

    def predicted(self, estimator: Any, matrix: Any) -> Floats:
        """Numbers predicted by an estimator."""
        guess = np.asarray(estimator.predict(matrix), np.float64).ravel()
        return self.number_model.on_scale(guess)

    def statistics(self, predicted: Floats) -> Floats:
        """Sufficient statistics: the error in printed units, and 1."""
        error = self.number_model.quantity.factor * np.abs(predicted - self.gold)
        return np.column_stack([error, np.ones(len(error))])

    def value(self, sums: Floats) -> Floats:
        """Mean absolute error."""
        return np.asarray(sums[..., :1] / sums[..., 1:2])

    def training(self, data: QualityData, resources: Resources | None) -> Training:
        """Cross-fitted features and standardised numbers."""
        model = self.number_model
        task = self.trained.learned_task(data.table)
        assert isinstance(task, ScoringTask | EditingTimeTask)
        prepared = self.trained.prepared(task.table, resources)
        _, features = fit(prepared, task.gold, task.groups, model.features.families)
        return Training(
            model.estimator,
            model.design.matrix(features),
            model.standardised(task.gold),
            task.groups,
            np.bincount(task.groups).astype(np.float64),
        )


def held_out_numbers(
    trained: Trained, table: pl.DataFrame, resources: Resources | None, resampling: Resampling
) -> HeldOutNumbers:
    """Predict numbers with known truth."""
    model = trained.model
    assert isinstance(model, NumberModel)
    task = trained.task_in(table)
    prepared = trained.prepared(task.table, resources)
    tables = {
        family.name: Fitted((family,), model.features.states).features(prepared)
        for family in model.features.families
    }
    units, chosen = observation_units(task.table, np.arange(len(task.table)), resampling)
    return HeldOutNumbers(
        trained,
        task,
        model.design.matrix(joined(tables)),
        features_by_family(tables, model.design),
        units,
        chosen,
        model.predict(prepared),
    )
