"""Selective post-editing: savings if only the worst translations are edited.

Translations are edited from the worst by prediction on. After a share k of them, what is left of
the trouble (HTER; of other numbers the distance to their best end) is that of the others:

    saved(k) = Σ trouble of the edited / Σ trouble of all

An oracle that knows the truth saves most, a random choice saves k. Between k of which a share of
one translation is edited, saved is linear.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.quality.quantities import Quantity
from adjudge.quality.studies.held_out import Estimate, HeldOut
from adjudge.quality.studies.held_out_numbers import HeldOutNumbers
from adjudge.stats.replicates import each_replicate
from adjudge.stats.resampling import Floats, Resampling, drawing
from adjudge.stats.tests import interval

SHARES = np.arange(0, 21) / 20  # of translations that are edited


@dataclass(frozen=True, eq=False)
class SelectiveEditing:
    """Savings by share of translations edited."""

    quantity: Quantity
    translations: int
    shares: Floats
    saved: tuple[Estimate, ...]  # of each share
    oracle: tuple[Estimate, ...]
    gained: Estimate  # of what an oracle saves beyond chance, on average over shares
    mean: float  # trouble of a translation, in the units that are printed
    resampling: Resampling

    def to_frame(self) -> pl.DataFrame:
        """Return one row per share."""
        rows = [
            {
                "study": "selective editing",
                "predicts": self.quantity.name,
                "edited": float(share),
                "saved": own.value,
                "saved_low": own.low,
                "saved_high": own.high,
                "oracle": best.value,
                "oracle_low": best.low,
                "oracle_high": best.high,
                "random": float(share),
                "left": self.mean * (1 - own.value),
                "translations": self.translations,
            }
            for share, own, best in zip(self.shares, self.saved, self.oracle, strict=True)
        ]
        return pl.DataFrame(rows)


def selective_editing(held_out: HeldOut) -> SelectiveEditing:
    """Compute the savings of a model of a number with a best value."""
    if not isinstance(held_out, HeldOutNumbers):
        raise NotEnoughData("only numbers say which translations to edit first")
    quantity = held_out.number_model.quantity
    best = quantity.high if quantity.higher_is_better else quantity.low
    if held_out.trained.task == "time" or not np.isfinite(best):
        raise NotEnoughData(
            f"{quantity.name} has no value of a translation that needs no editing, so nothing "
            "can be saved"
        )
    trouble = np.abs(best - held_out.gold)
    if not trouble.any():
        raise NotEnoughData("no translation needs editing, so nothing can be saved")
    sign = -quantity.sign
    orders = [
        np.argsort(-sign * number, kind="stable") for number in (held_out.said.value, held_out.gold)
    ]

    def curves(weights: Floats) -> Floats:
        saved = [_saved(weights[:, order], trouble[order]) for order in orders]
        gain = (saved[0] - SHARES).sum(axis=1) / (saved[1] - SHARES).sum(axis=1)
        return np.column_stack([*saved, gain])

    values = curves(np.ones((1, len(trouble))))[0]
    low = high = np.full(len(values), np.nan)
    units, resampling = held_out.units, held_out.resampling
    if units is not None:
        drawn = drawing((units,), resampling.seed)
        replicates = each_replicate(
            drawn,
            resampling.replicates,
            lambda weights: curves(weights[:, drawn.row]),
            4 * len(trouble),
        )
        low, high = interval(values, replicates, units.effective_number, resampling.level)
    all_of_them = [Estimate(*map(float, each)) for each in zip(values, low, high, strict=True)]
    number = len(SHARES)
    return SelectiveEditing(
        quantity,
        len(trouble),
        SHARES,
        tuple(all_of_them[:number]),
        tuple(all_of_them[number : 2 * number]),
        all_of_them[-1],
        float(quantity.factor * trouble.mean()),
        resampling,
    )


def _saved(weights: Floats, trouble: Floats) -> Floats:
    """Share saved in every replicate at each share edited, in column order."""
    done = np.cumsum(weights, axis=1)
    gone = np.cumsum(weights * trouble, axis=1)
    result = np.empty((len(weights), len(SHARES)))
    for row in range(len(weights)):
        share = np.append(0.0, done[row] / done[row, -1])
        result[row] = np.interp(SHARES, share, np.append(0.0, gone[row] / gone[row, -1]))
    return result
