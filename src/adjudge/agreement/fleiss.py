"""Fleiss's κ: agreement among many judges (Fleiss 1971; Bojar 2011 §2.5.2, WMT13 Table 8).

    P_i = Σ_c n_ic (n_ic − 1) / (n_i (n_i − 1)),   P(A) = mean P_i,   P(E) = Σ_c p_c²

over items with at least two labels, p_c being the share of label c among their labels. Items
may have different numbers of labels; each weighs the same.
"""

import numpy as np

from adjudge.agreement.chance import Floats, Mirror, both_ways, corrected, from_shares, ratio


def fleiss_kappa(counts: Floats) -> Floats:
    """κ from how often each item got each label (…, items, labels)."""
    return fleiss_from_sums(fleiss_sums(np.asarray(counts, float)).sum(-2))


def fleiss_sums(counts: Floats, same: Floats | None = None, mirror: Mirror | None = None) -> Floats:
    """Per item, what adds up: P_i, 1, and the label counts (…, items, 2 + labels).

    `same` is how many of the n² ordered pairs of labels pair a judge with itself: n where
    every label has its own judge, more where a bootstrap drew a judge twice. Labels
    with a `mirror` (`labels.Labels`) count half in either direction for P(E).
    """
    ones = np.ones(counts.shape[-1])
    n = counts @ ones  # far faster than summing over a short last axis
    alone = n if same is None else same
    pairs = n**2 - alone
    used = (pairs > 0)[..., None]
    # Pairs of a judge with itself always agree, so they come off both counts.
    p = ratio(counts**2 @ ones - alone, pairs)
    shares = both_ways(counts, mirror)
    sums = np.concatenate([np.stack([p, np.ones_like(p)], -1), shares], -1)
    return np.where(used, sums, 0.0)


def fleiss_from_sums(sums: Floats) -> Floats:
    """κ from summed `fleiss_sums`."""
    p_a = ratio(sums[..., 0], sums[..., 1])
    return corrected(p_a, from_shares(sums[..., 2:]))
