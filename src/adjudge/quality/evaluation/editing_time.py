"""Evaluation of Task 1.3: errors in seconds, and correlations (Table 18)."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from adjudge.core.errors import InputError
from adjudge.quality.evaluation.match_predictions import predicted_numbers
from adjudge.quality.evaluation.scoring import error_measures, error_values
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.evaluation.system_ranking import (
    Contest,
    Measure,
    QualityEvaluation,
    contestants_of,
    observation_units,
    standing,
)
from adjudge.quality.measures.correlation import spearman
from adjudge.quality.tasks.editing_time import EditingTimeTask
from adjudge.stats.resampling import Floats, Resampling

MEASURES = (*error_measures(1), Measure("spearman", "Spearman"))


def evaluate_time(
    task: EditingTimeTask,
    submissions: Sequence[Submission],
    table: pl.DataFrame,
    resampling: Resampling,
    *,
    baseline: str | None = None,
) -> list[QualityEvaluation]:
    """Evaluate predictions of time; `table` has all rows of the data."""
    known = np.flatnonzero(table["seconds"].is_not_null().to_numpy())
    scores = []
    for each in submissions:
        score, _ = predicted_numbers(each, task.quantity, table, known)
        if score is None:
            raise InputError("predicts ranks; give seconds", file=each.file, line=1)
        scores.append(score)
    predicted = np.stack(scores)
    errors = error_values(task.quantity, task.gold, predicted)

    def measured(weights: Floats) -> Floats:
        ranks = spearman(weights, task.gold, predicted)
        return np.concatenate([errors(weights), ranks[..., None]], axis=-1)

    by = f" by {len(task.translators)} translators" if task.translators else ""
    about = f"seconds to post-edit {len(task):,} translations{by}"
    rows = tuple(contestants_of(submissions, baseline))
    units, chosen = observation_units(task.table, np.arange(len(task)), resampling)
    contest = Contest("1.3", "time", about, rows, MEASURES, measured, len(task))
    return [standing(contest, units, chosen)]
