"""Chance-corrected coefficients: S, Scott's π, Cohen's κ, Fleiss's κ, Krippendorff's α.

S, random clicking, Scott's π and Cohen's κ: one P(A), four ways to expect agreement.

P(A) is the share of comparable pairs of labels that are equal. P(E) is uniform (S, Bennett
1954), that of random clicks on rank labels, from the labels in use (π, Scott 1955), or from
each judge's own use of the labels (Cohen 1960; for many judges the mean over the pairs of
labels compared, each with its two judges' shares). Bojar 2011 §2.2.2.

Fleiss's κ: agreement among many judges (Fleiss 1971; Bojar 2011 §2.5.2, WMT13 Table 8).

    P_i = Σ_c n_ic (n_ic − 1) / (n_i (n_i − 1)),   P(A) = mean P_i,   P(E) = Σ_c p_c²

over items with at least two labels, p_c being the share of label c among their labels. Items
may have different numbers of labels; each weighs the same.

Krippendorff's α: any number of judges, missing labels, nominal, ordinal or interval labels.

    α = 1 − D_o / D_e

D_o is the mean squared distance between two labels of one unit, D_e between any two labels
(Krippendorff 2004, chapter 11). With squared distances neither needs the table of coincidences:

- nominal: a unit of n labels, n_c of them c, has Σ_c n_c (n − n_c) unequal ordered pairs;
- interval: its ordered pairs sum to 2 (n Σv² − (Σv)²);
- ordinal: interval, each label at its mean rank among all labels (held fixed in a bootstrap).

Each unit weighs 1 / (n − 1), so that each of its labels weighs the same; units with one label
say nothing and are left out.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.chance import Floats, Mirror, both_ways, corrected, from_shares, ratio
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.labels import Ints, Labels

SHARES_AT_ONCE = 1 << 18  # numbers that fit into the processor's cache


def label_counts(labels: Labels, part: Ints, size: int, weights: Floats | None = None) -> Floats:
    """How often each label was given per `part` (size × categories).

    Labels with a mirror count half for either direction: which output comes first says nothing.
    """
    k = len(labels.categories)
    counts = np.bincount(part * k + labels.label, weights, size * k).reshape(size, k)
    return both_ways(counts.astype(float), labels.mirror)


def judge_shares(evidence: Evidence) -> Floats:
    """How each judge used the labels (judges × categories)."""
    labels = evidence.labels
    counts = label_counts(labels, labels.judge, len(labels.judges), evidence.counted.astype(float))
    return np.nan_to_num(ratio(counts, counts.sum(1, keepdims=True)))


def cohen_expected(evidence: Evidence, shares: Floats | None = None) -> Floats:
    """For every label, the matches to expect by chance from each judge's own shares.

    Σ p_j·p_k over the labels it is compared with: its judge's shares times the summed shares
    of those who gave the others. `shares` are those of more labels than these.
    """
    labels = evidence.labels
    shares = judge_shares(evidence) if shares is None else shares
    own = labels.intra.comparable  # this judge's other labels of the item
    itself = np.einsum("ij,ij->i", shares, shares)[labels.judge]
    expected = np.zeros(len(labels))
    if evidence.across:
        expected += _with_all(labels, shares) - (own + 1) * itself
    if evidence.within:
        expected += own * itself
    return expected


def _with_all(labels: Labels, shares: Floats) -> Floats:
    """Its judge's shares times the summed shares of all labels of the item, for every label.

    Some items at a time: a table of all labels by all categories may not fit into memory.
    """
    order = np.argsort(labels.item, kind="stable")
    item, judge = labels.item[order], labels.judge[order]
    sums = np.empty(len(item))
    starts = np.flatnonzero(np.diff(item, prepend=-1))
    at_once = max(1, SHARES_AT_ONCE // shares.shape[1])
    first = 0
    while first < len(starts):
        last = int(np.searchsorted(starts, starts[first] + at_once, "right"))
        last = max(last - 1, first + 1) if last < len(starts) else last
        begin, end = starts[first], starts[last] if last < len(starts) else len(item)
        share = shares[judge[begin:end]]
        bounds = starts[first:last] - begin
        summed = np.add.reduceat(share, bounds, axis=0)
        times = np.diff(bounds, append=end - begin)
        sums[begin:end] = np.einsum("ij,ij->i", share, np.repeat(summed, times, axis=0))
        first = last
    back = np.empty(len(item))
    back[order] = sums
    return back


def cohen_kappa(table: Floats) -> Floats:
    """κ of two judges from their confusion table (…, labels, labels); Bojar 2011 Table 7."""
    total = table.sum((-2, -1))
    p_a = ratio(np.trace(table, axis1=-2, axis2=-1), total)
    p_e = ratio((table.sum(-1) * table.sum(-2)).sum(-1), total**2)
    return corrected(p_a, p_e)


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


Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


def alpha(
    unit: NDArray[np.integer],
    label: NDArray[np.integer],
    level: Level = "nominal",
    values: Floats | None = None,
) -> float:
    """α of labels (codes 0, 1, …, in their order) given to units (codes 0, 1, …).

    `values` are what the codes stand for, where the level is `interval`; else 0, 1, ….
    """
    counts = unit_counts(unit, label)
    places = places_of(counts, level, values)
    observed, paired = _disagreement(counts, places)
    sums = np.append(observed.sum(), _expectation(paired @ counts, places))
    return float(alpha_from_sums(sums, level))


def unit_counts(
    unit: NDArray[np.integer], label: NDArray[np.integer], labels: int | None = None
) -> Floats:
    """How often each unit got each label (units × labels)."""
    units = int(unit.max(initial=-1)) + 1
    k = int(label.max(initial=0)) + 1 if labels is None else labels
    return np.bincount(unit * k + label, minlength=units * k).reshape(units, k).astype(float)


def places_of(
    counts: Floats, level: Level, values: Floats | None = None, mirror: Mirror | None = None
) -> Floats | None:
    """Where each label lies on a line, from its value or its mean rank; None for nominal."""
    if level == "nominal":
        return None
    used = (counts @ np.ones(counts.shape[-1]) > 1) @ counts
    return places_among(used, level, values, mirror)


def places_among(
    used: Floats, level: Level, values: Floats | None = None, mirror: Mirror | None = None
) -> Floats:
    """The same from how often each label was used in units with at least two."""
    used = both_ways(used, mirror)
    if level == "ordinal":
        values = np.cumsum(used) - used / 2
    elif values is None:
        values = np.arange(len(used), dtype=float)
    # Distances do not depend on where zero is; near the middle the sums below lose no digits.
    return values - np.nan_to_num(ratio(used @ values, used.sum()))


def alpha_sums(
    counts: Floats,
    places: Floats | None,
    same: Floats | None = None,
    mirror: Mirror | None = None,
) -> Floats:
    """Per unit (…, units, labels), what adds up to α: D_o, n and what D_e needs.

    `same` as in `fleiss.fleiss_sums`. With a `mirror`, labels count half in either direction for
    D_e.
    """
    observed, paired = _disagreement(counts, places, same)
    used = np.where(paired[..., None], counts, 0.0)
    margin = _expectation(both_ways(used, mirror), places)
    return np.concatenate([observed[..., None], margin], -1)


def _disagreement(
    counts: Floats, places: Floats | None, same: Floats | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """D_o of every unit, and which units have labels to compare."""
    ones = np.ones(counts.shape[-1])
    n = counts @ ones  # far faster than summing over a short last axis
    pairs = n**2 - (n if same is None else same)
    if places is None:
        unequal = n**2 - counts**2 @ ones
    else:
        unequal = 2 * (n * (counts @ places**2) - (counts @ places) ** 2)
    # n/pairs is 1/(n−1) where every label has its own judge.
    return np.nan_to_num(ratio(unequal * n, pairs)), pairs > 0


def _expectation(margin: Floats, places: Floats | None) -> Floats:
    """What D_e needs: n, and the label counts or Σv and Σv²."""
    n = margin @ np.ones(margin.shape[-1])
    if places is None:
        return np.concatenate([n[..., None], margin], -1)
    return np.stack([n, margin @ places, margin @ places**2], -1)


def alpha_from_sums(sums: Floats, level: Level) -> Floats:
    """α from summed `alpha_sums`."""
    observed, n = sums[..., 0], sums[..., 1]
    if level == "nominal":
        expected = n**2 - (sums[..., 2:] ** 2).sum(-1)
    else:
        expected = 2 * (n * sums[..., 3] - sums[..., 2] ** 2)
    return 1 - ratio(observed * (n - 1), expected)
