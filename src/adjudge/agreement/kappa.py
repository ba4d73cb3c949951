"""S, random clicking, Scott's π and Cohen's κ: one P(A), four ways to expect agreement.

P(A) is the share of comparable pairs of labels that are equal. P(E) is uniform (S, Bennett
1954), that of random clicks on rank labels, from the labels in use (π, Scott 1955), or from
each judge's own use of the labels (Cohen 1960; for many judges the mean over the pairs of
labels compared, each with its two judges' shares). Bojar 2011 §2.2.2.
"""

import numpy as np

from adjudge.agreement import chance
from adjudge.agreement.chance import Floats
from adjudge.agreement.conventions import Evidence
from adjudge.agreement.labels import Ints, Labels

SHARES_AT_ONCE = 1 << 18  # numbers that fit into the processor's cache


def label_counts(labels: Labels, part: Ints, size: int, weights: Floats | None = None) -> Floats:
    """How often each label was given per `part` (size × categories).

    Labels with a mirror count half for either direction: which output comes first says nothing.
    """
    k = len(labels.categories)
    counts = np.bincount(part * k + labels.label, weights, size * k).reshape(size, k)
    return chance.both_ways(counts.astype(float), labels.mirror)


def judge_shares(evidence: Evidence) -> Floats:
    """How each judge used the labels (judges × categories)."""
    labels = evidence.labels
    counts = label_counts(labels, labels.judge, len(labels.judges), evidence.counted.astype(float))
    return np.nan_to_num(chance.ratio(counts, counts.sum(1, keepdims=True)))


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
    p_a = chance.ratio(np.trace(table, axis1=-2, axis2=-1), total)
    p_e = chance.ratio((table.sum(-1) * table.sum(-2)).sum(-1), total**2)
    return chance.corrected(p_a, p_e)
