"""Goodness of fit: predicted against true numbers, as points and binned means.

The bins of a calibrated model are on the diagonal. Learners shrink uncertain predictions to the
mean, so that a steeper line of bins is usual; a flat one shows that nothing was learned.
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
    """Decile of the translations by prediction."""

    translations: int
    predicted: float  # mean, in the units that are printed
    true: Estimate


@dataclass(frozen=True, eq=False)
class Fit:
    """Data of a figure of predictions."""

    quantity: Quantity
    translations: int
    predicted: Floats  # of some translations, drawn at random where they are many
    true: Floats
    bins: tuple[Bin, ...]


def fit_of(held_out: HeldOutNumbers, seed: int) -> Fit:
    """Compare predictions with the truth, in printed units."""
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
