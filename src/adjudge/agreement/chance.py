"""P(E), the agreement to expect by chance, four ways; and what is left once it is taken off.

    κ = (P(A) − P(E)) / (1 − P(E))                      (Bojar 2011 §2.2, equation 1)

where P(E) sums the squared probability of each label (equation 2). They differ in where the
probabilities come from (Bojar 2011 §2.2.2):

- `uniform`: every label is as likely: S, as WMT07 to WMT10 used it;
- `random_clicking`: what a random click on one of k rank labels makes of a pair of outputs;
- `from_ties`, `from_shares`: the labels as they were in fact used: Scott's π, WMT11 to WMT16;
- per judge (Cohen's κ): the same for each judge; see `chance_corrected.cohen_expected`.

All take and give arrays as well as numbers; what cannot be said is NaN.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Mirror = tuple[int, ...]  # see `labels.Labels`


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """`numerator / denominator`, NaN where there is nothing to divide by."""
    top, bottom = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    result: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)
    return result


def known(value: Floats | float) -> float | None:
    """A number, or None for NaN."""
    number = float(value)
    return None if np.isnan(number) else number


def corrected(p_a: ArrayLike, p_e: ArrayLike) -> Floats:
    """The agreement beyond chance, as a share of what there could be."""
    return ratio(np.subtract(p_a, p_e), np.subtract(1.0, p_e))


def both_ways(counts: Floats, mirror: Mirror | None) -> Floats:
    """Label counts (last axis), half of each as if the two outputs were named in reverse."""
    return counts if mirror is None else (counts + np.take(counts, mirror, -1)) / 2


def uniform(labels: int = 3) -> float:
    """P(E) where all labels are as likely: 1/3 for <, = and >; 1/5 for a scale of five."""
    return 1.0 / labels


def random_clicking(ranks: int = 5) -> float:
    """P(E) for <, = and > of two outputs that each get one of `ranks` ranks at random."""
    return float(from_ties(1, ranks))


def from_ties(ties: ArrayLike, total: ArrayLike) -> Floats:
    """P(E) for <, = and >, from how many comparisons are ties: < and > share the rest alike."""
    tied = ratio(ties, total)
    return tied**2 + 2 * ((1 - tied) / 2) ** 2


def from_shares(counts: ArrayLike) -> Floats:
    """P(E) from how often each label was used (last axis)."""
    used = np.asarray(counts, float)
    shares = ratio(used, used.sum(-1, keepdims=True))
    return np.asarray(np.sum(shares**2, -1))
