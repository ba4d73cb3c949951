"""Evaluation of Task 2: precision, recall and F1 of binary labels (Table 19), F1 of edits (20).

The majority label is added as a baseline.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from adjudge.quality.evaluation.match_predictions import predicted_labels
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.evaluation.system_ranking import (
    Contest,
    Measure,
    QualityEvaluation,
    contestants_of,
    observation_units,
    standing,
)
from adjudge.quality.measures import classes
from adjudge.quality.tasks.words import WordTask
from adjudge.quality.translations import Codes
from adjudge.stats.replicates import sums_by_row
from adjudge.stats.resampling import Floats, Resampling

ONE_CLASS = "Baseline (one class)"
_TITLES = {"OK": "OK", "BAD": "BAD", "K": "keep", "S": "substitute", "D": "delete"}


def evaluate_words(
    task: WordTask,
    submissions: Sequence[Submission],
    table: pl.DataFrame,
    resampling: Resampling,
    *,
    baseline: str | None = None,
) -> list[QualityEvaluation]:
    """Evaluate word labels; `table` has all rows of the data."""
    number = len(task.classes)
    known = _rows_of(task, table)
    predicted = [predicted_labels(each, task, table, known) for each in submissions]
    most = np.bincount(task.gold, minlength=number).argmax()
    predicted.append(np.full(len(task.gold), most, np.int8))
    cells = np.stack(  # rows × sentences × cells
        [
            sums_by_row(classes.confusion(task.gold, each, number), task.sentence, len(task))
            for each in predicted
        ]
    )

    def measured(weights: Floats) -> Floats:
        counts = np.einsum("rs,nsc->rnc", weights, cells, optimize=True)
        return _values(counts.reshape(*counts.shape[:2], number, number))

    contest = Contest(
        "2",
        task.labels,
        f"{len(task.gold):,} words of {len(task):,} translations",
        tuple(contestants_of(submissions, baseline, ONE_CLASS)),
        _measures(task.classes),
        measured,
        len(task),
    )
    units, chosen = observation_units(task.table, np.arange(len(task)), resampling)
    return [standing(contest, units, chosen)]


def _rows_of(task: WordTask, table: pl.DataFrame) -> Codes:
    """Rows of the data that belong to the task."""
    if len(task) == len(table):
        return np.arange(len(table))
    columns = ["tags"] if task.given else ["target", "post_edit"]
    known = table.select(pl.all_horizontal(pl.col(columns).is_not_null()))
    return np.flatnonzero(known.to_series().to_numpy())


def _measures(names: Sequence[str]) -> tuple[Measure, ...]:
    """Measures: precision and recall of both classes for Table 19, only F1 for Table 20."""
    binary = len(names) == 2
    together = Measure("accuracy", "accuracy") if binary else Measure("micro_f1", "micro F1")
    measures = [Measure("macro_f1", "macro F1"), together]
    for name in names:
        key, title = name.lower(), _TITLES[name]
        if binary:
            measures.append(Measure(f"precision_{key}", f"prec. {title}"))
            measures.append(Measure(f"recall_{key}", f"recall {title}"))
        measures.append(Measure(f"f1_{key}", f"F1 {title}"))
    return tuple(replace(measure, digits=3) for measure in measures)  # rare classes need three


def _values(counts: Floats) -> Floats:
    """Values of `_measures` for counts (…, true, predicted)."""
    columns = [classes.macro_f1(counts), classes.micro_f1(counts)]
    precision, recall, f1 = classes.precision(counts), classes.recall(counts), classes.f1(counts)
    for place in range(counts.shape[-1]):
        if counts.shape[-1] == 2:
            columns += [precision[..., place], recall[..., place]]
        columns.append(f1[..., place])
    return np.stack(columns, axis=-1)
