"""Soft pairwise accuracy (Thompson 2024): do a metric and people separate systems equally surely?

Of two systems, p is how likely the first would look as much better if the two outputs of each
segment were swapped at random: the share of all ways to turn the signs of the differences d of
segments with a sum of at least Σ d. Soft pairwise accuracy is 1 − the mean over pairs of systems of
|p by people − p by the metric|, so a metric loses little by swapping systems that people too can
hardly tell apart.

mt-metrics-eval draws 1,000 such ways, the same for all, and its value hangs on the generator and on
the order of the systems. Here nothing is drawn. Up to `FEW` segments all ways are counted, ties
half. With more, the sum of ± d is nearly normal with variance Σ d²; its distribution is
symmetric, so the first correction is that of the fourth cumulant κ = −2 Σ d⁴ / (Σ d²)²
(Edgeworth), z being Σ d / √Σ d²:

    p = 1 − Φ(z) + φ(z) (z³ − 3 z) κ / 24
"""

import numpy as np
from scipy.special import ndtr

from adjudge.stats.units import Floats

FEW = 12  # segments, of which all 2ⁿ ways are counted
EQUAL = 1e-12


def soft_accuracy(human: Floats, metric: Floats) -> float:
    """Of scores (systems × segments) of the same segments; those that one side lacks are left out.

    NaN where there is no segment that all systems have on both sides.
    """
    known = np.isfinite(human).all(axis=0) & np.isfinite(metric).all(axis=0)
    if not known.any() or len(human) < 2:
        return float("nan")
    p, q = (superiority(side[:, known]) for side in (human, metric))
    return float(1 - np.abs(p - q).mean())


def superiority(scores: Floats) -> Floats:
    """p of every two systems i < j of scores (systems × segments) without a gap."""
    first, second = np.triu_indices(len(scores), 1)
    difference = scores[first] - scores[second]
    if difference.shape[1] <= FEW:
        return _counted(difference)
    squares = (difference**2).sum(axis=1)
    spread = np.where(squares > 0, squares, 1.0)
    z = difference.sum(axis=1) / np.sqrt(spread)
    fourth = -2 * (difference**4).sum(axis=1) / spread**2
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    p = ndtr(-z) + density * (z**3 - 3 * z) * fourth / 24
    return np.asarray(np.clip(np.where(squares > 0, p, 0.5), 0, 1))


def _counted(difference: Floats) -> Floats:
    number = difference.shape[1]
    ways = np.arange(1 << number)[:, None] >> np.arange(number) & 1
    sums = difference @ (1 - 2 * ways).T  # (pairs × ways)
    seen = difference.sum(axis=1, keepdims=True)
    scale = EQUAL * np.maximum(np.abs(difference).sum(axis=1, keepdims=True), 1e-300)
    return np.asarray(((sums > seen + scale) + 0.5 * (np.abs(sums - seen) <= scale)).mean(axis=1))
