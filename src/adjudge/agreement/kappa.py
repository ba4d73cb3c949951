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


def cohen_expected(evidence: Evidence) -> Floats:
    """For every label, the matches to expect by chance from each judge's own shares.

    Σ p_j·p_k over the labels it is compared with: its judge's shares times the summed shares
    of those who gave the others.
    """
    labels = evidence.labels
    share = judge_shares(evidence)[labels.judge]
    own = labels.intra.comparable  # this judge's other labels of the item
    itself = np.einsum("ij,ij->i", share, share)
    expected = np.zeros(len(labels))
    if evidence.across:
        items = int(labels.item.max(initial=0)) + 1
        summed = np.stack([np.bincount(labels.item, s, items) for s in share.T], axis=1)
        expected += np.einsum("ij,ij->i", share, summed[labels.item]) - (own + 1) * itself
    if evidence.within:
        expected += own * itself
    return expected


def cohen_kappa(table: Floats) -> Floats:
    """κ of two judges from their confusion table (…, labels, labels); Bojar 2011 Table 7."""
    total = table.sum((-2, -1))
    p_a = chance.ratio(np.trace(table, axis1=-2, axis2=-1), total)
    p_e = chance.ratio((table.sum(-1) * table.sum(-2)).sum(-1), total**2)
    return chance.corrected(p_a, p_e)
