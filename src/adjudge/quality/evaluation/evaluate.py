"""Evaluation of predictions, with inference of the task."""

from collections.abc import Sequence

import polars as pl

from adjudge.core.errors import BadParameter, one_of
from adjudge.quality.evaluation.editing_time import evaluate_time
from adjudge.quality.evaluation.match_predictions import refuse_same_names
from adjudge.quality.evaluation.scoring import evaluate_scoring
from adjudge.quality.evaluation.selection import evaluate_selection
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.evaluation.system_ranking import QualityEvaluation
from adjudge.quality.evaluation.words import evaluate_words
from adjudge.quality.tasks.editing_time import editing_time_task
from adjudge.quality.tasks.infer_task import chosen_task
from adjudge.quality.tasks.scoring import scoring_task
from adjudge.quality.tasks.selection import selection_task
from adjudge.quality.tasks.words import word_task
from adjudge.stats.resampling import Resampling

TASKS = ("scoring", "selection", "time", "words")


def evaluate(
    table: pl.DataFrame,
    submissions: Sequence[Submission],
    resampling: Resampling,
    *,
    task: str | None = None,
    predict: str | None = None,
    higher_is_better: bool | None = None,
    labels: str = "binary",
    baseline: str | None = None,
    oracles: bool = True,
) -> list[QualityEvaluation]:
    """Evaluate submissions to a task; without a name, the task is inferred from data and
    predictions.
    """
    if not submissions:
        raise BadParameter("there are no predictions; name at least one file of them")
    refuse_same_names(submissions)
    chosen = task_of(table, submissions, predict) if task is None else one_of(task, TASKS, "task")
    if chosen == "words":
        of_words = word_task(table, labels)
        return evaluate_words(of_words, submissions, table, resampling, baseline=baseline)
    if chosen == "selection":
        ranked = selection_task(table)
        return evaluate_selection(
            ranked, submissions, resampling, baseline=baseline, oracles=oracles
        )
    if chosen == "time":
        timed = editing_time_task(table)
        return evaluate_time(timed, submissions, table, resampling, baseline=baseline)
    scored = scoring_task(table, predict, higher_is_better)
    return evaluate_scoring(
        scored, submissions, table, resampling, baseline=baseline, oracles=oracles
    )


def task_of(table: pl.DataFrame, submissions: Sequence[Submission], predict: str | None) -> str:
    """Infer the task: labels of words in predictions, or else the content of the data."""
    if any(submission.tags is not None for submission in submissions):
        return "words"
    return chosen_task(table, predict)
