"""Precision, recall and F1 of labels, by class and overall (WMT13 §6.6).

    precision_c = tp_c / (tp_c + fp_c),   recall_c = tp_c / (tp_c + fn_c),   F1 their harmonic mean

Macro F1 is the mean over classes, which gives rare classes the same weight as frequent ones. Micro
F1 pools the counts of all classes; with one label per word it equals accuracy. A ratio with a zero
denominator is 0, as in Table 19.
"""

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.resampling import Floats


def confusion(gold: NDArray[np.int8], predicted: NDArray[np.int8], classes: int) -> Floats:
    """Indicator of the cell of true (row) and predicted label for every word, flattened."""
    cells = np.zeros((len(gold), classes * classes))
    cells[np.arange(len(gold)), gold.astype(np.int64) * classes + predicted] = 1
    return cells


def precision(counts: Floats) -> Floats:
    """Precision of every class (…, classes), from counts (…, true, predicted)."""
    return _ratio(_hits(counts), counts.sum(axis=-2))


def recall(counts: Floats) -> Floats:
    """Recall of every class."""
    return _ratio(_hits(counts), counts.sum(axis=-1))


def f1(counts: Floats) -> Floats:
    """F1 of every class: 2 tp / (2 tp + fp + fn)."""
    return _ratio(2 * _hits(counts), counts.sum(axis=-1) + counts.sum(axis=-2))


def macro_f1(counts: Floats) -> Floats:
    """Mean of F1 over classes."""
    return np.asarray(f1(counts).mean(axis=-1))


def micro_f1(counts: Floats) -> Floats:
    """Pooled F1: 2 Σ tp / (2 Σ tp + Σ fp + Σ fn)."""
    hits, all_words = _hits(counts).sum(axis=-1), counts.sum(axis=(-2, -1))
    return _ratio(2 * hits, 2 * all_words)


def _hits(counts: Floats) -> Floats:
    return np.diagonal(counts, axis1=-2, axis2=-1)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.asarray(np.divide(above, below, out=np.zeros(np.shape(above)), where=below > 0))
