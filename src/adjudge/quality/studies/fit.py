"""Predicted against true numbers: points, and the mean truth where about the same is predicted.

A model that means what it says has its bins on the diagonal. Learners shrink what they are not
sure of to the middle, so that a steeper line of bins is usual; a flat one says that nothing was
learned.
"""

from dataclasses import dataclass

import numpy as np

from adjudge.quality.quantities import Quantity
from adjudge.quality.studies.held_out import Estimate
from adjudge.quality.studies.held_out_numbers import HeldOutNumbers
from adjudge.stats.resampling import Floats

BINS = 10
MOST_POINTS = 500


@dataclass(frozen=True)
class Bin:
    """A tenth of the translations, by prediction."""

    translations: int
    predicted: float  # mean, in the units that are printed
    true: Estimate


@dataclass(frozen=True, eq=False)
class Fit:
    """All that a figure of predictions needs."""

    quantity: Quantity
    translations: int
    predicted: Floats  # of some translations, drawn at random where they are many
    true: Floats
    bins: tuple[Bin, ...]


def fit_of(held_out: HeldOutNumbers, seed: int) -> Fit:
    """Predictions beside the truth, in the units that are printed."""
    quantity = held_out.number_model.quantity
    predicted, true = quantity.factor * held_out.said.value, quantity.factor * held_out.gold
    number = len(true)
    place = np.argsort(np.argsort(predicted, kind="stable"), kind="stable")
    own = BINS * place // number
    bins = []
    for at in np.unique(own):
        inside = own == at
        statistics = np.column_stack([inside, inside * true]).astype(np.float64)
        (mean,) = held_out.estimates(statistics, _mean)
        bins.append(Bin(int(inside.sum()), float(predicted[inside].mean()), mean))
    some = np.sort(np.random.default_rng(seed).permutation(number)[:MOST_POINTS])
    return Fit(quantity, number, predicted[some], true[some], tuple(bins))


def _mean(sums: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(sums[..., 1:] / sums[..., :1])
