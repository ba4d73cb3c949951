"""Held-out evaluation of models of ranks: Task 1.2, measured by τ with ties penalised."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.data.judgement_table import is_reference
from adjudge.quality.evaluation.system_ranking import Measure, observation_units
from adjudge.quality.features.extraction import Fitted
from adjudge.quality.measures.pairs import pair_counts, tau_penalised
from adjudge.quality.models.ranks import RankModel
from adjudge.quality.models.train import Trained
from adjudge.quality.reading import QualityData
from adjudge.quality.studies.held_out import (
    HeldOut,
    Rows,
    Training,
    features_by_family,
    joined,
)
from adjudge.quality.tasks.selection import SelectionTask, pairs_within
from adjudge.stats.resampling import Floats, Resampling
from adjudge.text.resources.bundle import Resources


@dataclass(frozen=True, eq=False)
class HeldOutRanks(HeldOut):
    """Scores and ranks of candidates, and human ranks."""

    score: Floats  # of every candidate: the sum of its chances to be better than each other one
    rank: Rows
    measure: Measure = field(init=False, default=Measure("tau_penalised", "τ, ties penalised"))
    affordable: int = field(init=False, default=500_000)

    @property
    def ranked(self) -> SelectionTask:
        """Human rankings."""
        assert isinstance(self.task, SelectionTask)
        return self.task

    @property
    def choosable(self) -> NDArray[np.bool_]:
        """Mask of candidates with a rank that were made by a system."""
        names = self.ranked.table["system"].to_list()
        ours = [name is None or not is_reference(name) for name in names]
        return np.asarray(np.isfinite(self.ranked.gold) & np.array(ours), np.bool_)

    def predicted(self, estimator: Any, matrix: Any) -> Floats:
        """Scores of candidates."""
        first, second = pairs_within(self.ranked.ranking)
        better = np.asarray(estimator.predict_proba(matrix[first] - matrix[second]))[:, 1]
        number = len(self.ranked.ranking)
        score = np.bincount(first, better, number) + np.bincount(second, 1 - better, number)
        return np.asarray(score, np.float64)

    def statistics(self, predicted: Floats) -> Floats:
        """Sufficient statistics C, D and T of every pair with different human ranks."""
        better, worse = self.ranked.untied
        return pair_counts(np.sign(predicted[better] - predicted[worse]))

    def value(self, sums: Floats) -> Floats:
        """Kendall's τ."""
        return tau_penalised(sums)[..., None]

    def training(self, data: QualityData, resources: Resources | None) -> Training:
        """Differences of two candidates' features, in both orders."""
        model = self.model
        task = self.trained.learned_task(data.table)
        assert isinstance(model, RankModel)
        assert isinstance(task, SelectionTask)
        prepared = self.trained.prepared(task.table, resources)
        matrix = model.design.matrix(model.features.features(prepared))
        better, worse = task.untied
        difference = matrix[better] - matrix[worse]
        return Training(
            model.estimator,
            np.concatenate([difference, -difference]),
            np.repeat([1.0, 0.0], len(difference)),
            np.tile(task.groups[task.ranking[better]], 2),
            np.bincount(task.groups).astype(np.float64),
        )


def held_out_ranks(
    trained: Trained, table: pl.DataFrame, resources: Resources | None, resampling: Resampling
) -> HeldOutRanks:
    """Rank candidates with human ranks."""
    model = trained.model
    task = trained.task_in(table)
    assert isinstance(model, RankModel)
    assert isinstance(task, SelectionTask)
    prepared = trained.prepared(task.table, resources)
    tables = {
        family.name: Fitted((family,), {}).features(prepared) for family in model.features.families
    }
    units, chosen = observation_units(task.table, task.untied[0], resampling)
    return HeldOutRanks(
        trained,
        task,
        model.design.matrix(joined(tables)),
        features_by_family(tables, model.design),
        units,
        chosen,
        *model.predict(prepared, task.ranking),
    )
