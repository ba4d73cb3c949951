"""Coverage and width of prediction intervals on held-out translations.

The 90 % intervals of a model are made from its training data. Their coverage on other data is
checked overall, and for terciles by prediction.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.quality.models.numbers import LEVEL
from adjudge.quality.studies.held_out import Estimate
from adjudge.quality.studies.held_out_numbers import HeldOutNumbers
from adjudge.stats.resampling import Floats

Chosen = NDArray[np.bool_]

PROMISED = LEVEL
THIRDS = ("lowest third", "middle third", "highest third")


@dataclass(frozen=True)
class Coverage:
    """Share of true numbers within their intervals."""

    of: str  # which translations
    translations: int
    held: Estimate
    width: float  # mean, in the units that are printed


def coverage(held_out: HeldOutNumbers) -> list[Coverage]:
    """Coverage over all translations, and over terciles by predicted number."""
    said, gold = held_out.said, held_out.gold
    inside = (said.low <= gold) & (gold <= said.high)
    width = held_out.number_model.quantity.factor * (said.high - said.low)
    order = np.argsort(np.argsort(said.value, kind="stable"), kind="stable")
    third = np.minimum(3 * order // len(order), 2)
    parts: list[tuple[str, Chosen]] = [("all", np.ones(len(gold), np.bool_))]
    parts += [(name, third == place) for place, name in enumerate(THIRDS)]
    return [
        Coverage(
            name, int(own.sum()), _share(held_out, inside & own, own), float(width[own].mean())
        )
        for name, own in parts
        if own.any()
    ]


def _share(held_out: HeldOutNumbers, inside: Chosen, own: Chosen) -> Estimate:
    def share(sums: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(sums[..., :1] / sums[..., 1:])

    counts = np.column_stack([inside, own]).astype(np.float64)
    return held_out.estimates(counts, share, "share")[0]
