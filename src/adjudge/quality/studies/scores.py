"""Evaluation of a model as a submission to the task, compared with a baseline."""

from collections.abc import Sequence

import numpy as np

from adjudge.quality.evaluation.editing_time import evaluate_time
from adjudge.quality.evaluation.scoring import evaluate_scoring
from adjudge.quality.evaluation.selection import evaluate_selection
from adjudge.quality.evaluation.submissions import Submission
from adjudge.quality.evaluation.system_ranking import QualityEvaluation
from adjudge.quality.evaluation.words import evaluate_words
from adjudge.quality.studies.held_out import HeldOut
from adjudge.quality.studies.held_out_numbers import HeldOutNumbers
from adjudge.quality.studies.held_out_ranks import HeldOutRanks
from adjudge.quality.studies.held_out_words import HeldOutWords
from adjudge.quality.tasks.editing_time import EditingTimeTask

MODEL = "the model"
USUAL = "always the training mean"


def scores(held_out: HeldOut, others: Sequence[Submission] = ()) -> list[QualityEvaluation]:
    """Tables of the task; the baseline is the first of the others, if any."""
    table, resampling = held_out.task.table, held_out.resampling
    baseline = others[0].name if others else None
    match held_out:
        case HeldOutNumbers(task=task, said=said):
            same = np.full(len(said.value), held_out.usual)
            usual = Submission(USUAL, USUAL, score=same)
            submissions = [Submission(MODEL, MODEL, score=said.value), *others, usual]
            named = baseline or USUAL
            if isinstance(task, EditingTimeTask):
                return evaluate_time(task, submissions, table, resampling, baseline=named)
            return evaluate_scoring(task, submissions, table, resampling, baseline=named)  # type: ignore[arg-type]
        case HeldOutRanks(rank=rank):
            own = Submission(MODEL, MODEL, rank=rank.astype(np.float64))
            return evaluate_selection(
                held_out.ranked, [own, *others], resampling, baseline=baseline
            )
        case HeldOutWords(words=words, labels=labels):
            named_labels = np.array(words.classes)[labels]
            parts = np.split(named_labels, words.start[1:-1])
            own = Submission(MODEL, MODEL, tags=tuple(tuple(part) for part in parts))
            return evaluate_words(words, [own, *others], table, resampling, baseline=baseline)
    raise AssertionError(held_out)
