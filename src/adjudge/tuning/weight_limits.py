"""Limits of weights: signs that they keep, and weights that stay as they are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import BadParameter, one_of
from adjudge.tuning.candidates import Floats, Numbers


@dataclass(frozen=True, eq=False)
class Limits:
    """Between what each weight may lie, and which ones stay as they are."""

    low: Floats
    high: Floats
    frozen: NDArray[np.bool_]

    @property
    def free(self) -> Numbers:
        """The features whose weights may change."""
        return np.flatnonzero(~self.frozen)

    def on_lines(self, weights: Floats, directions: Floats) -> tuple[Floats, Floats]:
        """The lowest and the highest γ of every line at which no weight leaves its limits."""
        low, high = np.full(len(directions), -np.inf), np.full(len(directions), np.inf)
        for k in np.flatnonzero(np.isfinite(self.low) | np.isfinite(self.high)):
            step = directions[:, k]
            moved = step != 0
            to_low = (self.low[k] - weights[k]) / np.where(moved, step, 1.0)
            to_high = (self.high[k] - weights[k]) / np.where(moved, step, 1.0)
            low = np.where(moved, np.maximum(low, np.minimum(to_low, to_high)), low)
            high = np.where(moved, np.minimum(high, np.maximum(to_low, to_high)), high)
        return low, high


def unlimited(features: int) -> Limits:
    """Any weights."""
    return Limits(
        np.full(features, -np.inf), np.full(features, np.inf), np.zeros(features, np.bool_)
    )


def limits_of(
    features: Sequence[str], positive: list[str], negative: list[str], frozen: list[str]
) -> Limits:
    """Limits by the names of features, or by their labels: `tm` for tm_0, tm_1, …"""
    limits = unlimited(len(features))
    limits.low[_places(features, positive, "positive")] = 0.0
    limits.high[_places(features, negative, "negative")] = 0.0
    limits.frozen[_places(features, frozen, "frozen")] = True
    both = np.flatnonzero((limits.low == 0) & (limits.high == 0))
    if len(both):
        raise BadParameter(
            f"{features[both[0]]} cannot be both `positive` and `negative`; choose one"
        )
    if limits.frozen.all():
        raise BadParameter("all weights are `frozen`; leave one to be tuned")
    return limits


def _places(features: Sequence[str], names: list[str], parameter: str) -> list[int]:
    """Where the features of these names, or of these labels, are."""
    labels = [feature.rpartition("_")[0] for feature in features]
    for name in names:
        one_of(name, dict.fromkeys([*features, *filter(None, labels)]), parameter)
    return [
        place
        for place, (feature, label) in enumerate(zip(features, labels, strict=True))
        if feature in names or label in names
    ]
