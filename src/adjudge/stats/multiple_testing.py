"""Many tests at once: adjusted p-values, and how many significant ones are expected to be false.

Of many tests some come out by chance alone. p is adjusted over all of them: to control the false
discovery rate (Benjamini and Hochberg 1995), or the chance of any false one (Holm 1979).
"""

from typing import Literal, get_args

import numpy as np

from adjudge.core.errors import one_of
from adjudge.stats.units import Floats

Correction = Literal["bh", "holm", "none"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)


def adjusted(p: Floats, correction: Correction) -> Floats:
    """The p of many tests, adjusted for their number."""
    match one_of(correction, CORRECTIONS, "correction"):
        case "bh":
            order = np.argsort(p)[::-1]
            steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
        case "holm":
            order = np.argsort(p)
            steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
        case _:
            return p
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def share_without_difference(p: Floats) -> float:
    """Storey's π₀: what share of the tests has no difference to find.

    Where there is none, p is as likely above 1/2 as below: π₀ = (1 + #{p > 1/2}) / (m / 2), at
    most 1 (Storey 2002).
    """
    return float(min(1.0, (1 + (p > 0.5).sum()) / (0.5 * len(p))))


def expected_false(p: Floats, level: float) -> float:
    """How many of the tests with p ≤ `level` are expected to be of nothing: π₀ · level · m."""
    false = level * share_without_difference(p) * len(p)
    return float(min(false, (p <= level).sum()))
