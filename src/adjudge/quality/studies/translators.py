"""Prediction error of time by translator (Task 1.3)."""

from dataclasses import dataclass

import numpy as np

from adjudge.quality.studies.held_out import Estimate
from adjudge.quality.studies.held_out_numbers import HeldOutNumbers
from adjudge.quality.tasks.editing_time import EditingTimeTask
from adjudge.stats.resampling import Floats


@dataclass(frozen=True)
class OfTranslator:
    """Errors of one translator's times."""

    translator: str
    translations: int
    seconds: float  # mean of the true times
    mae: Estimate
    ratio: Estimate  # Σ predicted / Σ true seconds: above 1, the model thinks them too slow


def by_translator(held_out: HeldOutNumbers) -> list[OfTranslator]:
    """Errors by translator, if translators are known."""
    task = held_out.task
    if not isinstance(task, EditingTimeTask):
        return []
    found = []
    for place in np.argsort(task.translators):
        own = task.translator == place
        statistics = np.column_stack(
            [own, own * np.abs(held_out.said.value - task.gold), own * held_out.said.value,
             own * task.gold]
        )  # fmt: skip
        mae, ratio = held_out.estimates(statistics.astype(np.float64), _errors)
        mean = float(task.gold[own].mean())
        found.append(OfTranslator(task.translators[place], int(own.sum()), mean, mae, ratio))
    return found


def _errors(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([sums[..., 1] / sums[..., 0], sums[..., 2] / sums[..., 3]], axis=-1)
