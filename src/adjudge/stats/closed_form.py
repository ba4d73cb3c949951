"""Intervals in closed form, where nothing has to be drawn: of a ratio, a share, a correlation."""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from adjudge.core.errors import NotEnoughData
from adjudge.stats.units import Floats

FEWEST = 4  # points of a correlation

_Z95 = float(ndtri(0.975))


@dataclass(frozen=True)
class Interval:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Is it told apart from nothing?"""
        return self.low > 0 or self.high < 0


def correlation(x: Floats, y: Floats, called: str) -> Interval:
    """Pearson's r of `x`, which is `called` so, with scores `y`.

    Fisher's z interval: tanh(artanh r ± 1.96 / √(n − 3)).
    """
    if len(x) < FEWEST:
        raise NotEnoughData(f"a correlation over {len(x)} points says nothing; it takes {FEWEST}")
    if np.ptp(x) < 1e-12:
        raise NotEnoughData(f"{called} is the same throughout, so nothing can go with it")
    if np.ptp(y) < 1e-12:
        raise NotEnoughData("all scores are the same, so nothing can go with them")
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    if abs(r) > 1 - 1e-12:  # the points lie on a line, and Fisher's z is infinite
        return Interval(r, r, r)
    reach = _Z95 / np.sqrt(len(x) - 3)
    return Interval(r, *(float(np.tanh(np.arctanh(r) + side * reach)) for side in (-1, 1)))


def ratio(part: Floats, whole: Floats) -> Interval:
    """Σ part / Σ whole over independent clusters (blocks, sessions), linearised variance.

    Student's t with the degrees of freedom of as many equal clusters as would weigh as much,
    (Σ whole)² / Σ whole² − 1, since a few large clusters know little of their own spread.
    """
    total = float(whole.sum())
    if not total:
        raise NotEnoughData("nothing to count")
    clusters = total**2 / float((whole**2).sum())
    if clusters < 2:
        raise NotEnoughData("too few independent cases to know how sure the number is")
    value = float(part.sum()) / total
    error = float(np.sqrt(((part - value * whole) ** 2).sum() * clusters / (clusters - 1))) / total
    reach = float(stdtrit(clusters - 1, 0.975)) * error
    return Interval(value, value - reach, value + reach)


def share(part: Floats, whole: Floats) -> Interval:
    """A `ratio` that is a share, and so stays within 0 and 1."""
    interval = ratio(part, whole)
    return Interval(interval.value, max(interval.low, 0.0), min(interval.high, 1.0))
