"""Reliability diagram of the probability of change (Task 2; `measures/calibration`)."""

from dataclasses import dataclass

import numpy as np

from adjudge.quality.measures.calibration import (
    BINS,
    brier,
    calibration_error,
    in_bins,
    reliability,
)
from adjudge.quality.studies.held_out import Estimate
from adjudge.quality.studies.held_out_words import HeldOutWords
from adjudge.stats.replicates import sums_by_row
from adjudge.stats.resampling import Floats


@dataclass(frozen=True)
class Bin:
    """Words whose probability of change is in one of ten bins."""

    words: int
    chance: float  # mean
    changed: Estimate  # share that was changed


@dataclass(frozen=True)
class Reliability:
    """Non-empty bins, and two overall measures."""

    bins: tuple[Bin, ...]
    brier: Estimate
    calibration_error: Estimate


def reliability_of(held_out: HeldOutWords) -> Reliability:
    """Compute the reliability of word probabilities."""
    task = held_out.words
    cells = in_bins(held_out.changed, task.gold != 0).reshape(len(task.gold), -1)
    sums = np.asarray(sums_by_row(cells, task.sentence, len(task)))
    total = reliability(sums.sum(axis=0).reshape(BINS, 4))
    shares = held_out.estimates(sums, _shares, "share")
    bins = [
        Bin(int(number), float(chance), share)
        for (number, chance, _), share in zip(total, shares, strict=True)
        if number
    ]
    first, second = held_out.estimates(sums, _measures)
    return Reliability(tuple(bins), first, second)


def _shares(sums: Floats) -> Floats:
    return reliability(sums.reshape(*sums.shape[:-1], BINS, 4))[..., 2]


def _measures(sums: Floats) -> Floats:
    cells = sums.reshape(*sums.shape[:-1], BINS, 4)
    return np.stack([brier(cells), calibration_error(cells)], axis=-1)
