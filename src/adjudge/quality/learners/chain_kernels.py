"""Sums over all labellings of sentences, forward and backward, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@njit(cache=True, nogil=True)
def marginals(scores: Floats, transitions: Floats, start: Numbers) -> tuple[float, Floats, Floats]:
    """Σ log Z over sentences, the chance of every label of every word, and expected transitions.

    The weight of a labelling is exp of the sum of its words' `scores` (words × labels) and of its
    `transitions` (label × next label). Sums are scaled to 1 at every word, so that none overflows.
    """
    words, labels = scores.shape
    step = np.exp(transitions - transitions.max())
    chance = np.empty((words, labels))
    expected = np.zeros((labels, labels))
    here = np.empty((words, labels))  # exp of scores, the largest of a word being 1
    scale = np.empty(words)
    after, before = np.empty(labels), np.empty(labels)
    log_z = 0.0
    for sentence in range(len(start) - 1):
        first, end = start[sentence], start[sentence + 1]
        if first == end:
            continue
        log_z += (end - first - 1) * transitions.max()
        for word in range(first, end):
            highest = scores[word].max()
            total = 0.0
            for label in range(labels):
                here[word, label] = np.exp(scores[word, label] - highest)
                reached = 1.0
                if word > first:
                    reached = 0.0
                    for previous in range(labels):
                        reached += chance[word - 1, previous] * step[previous, label]
                chance[word, label] = reached * here[word, label]
                total += chance[word, label]
            for label in range(labels):
                chance[word, label] /= total
            scale[word] = total
            log_z += highest + np.log(total)
        after[:] = 1.0
        for word in range(end - 2, first - 1, -1):
            for label in range(labels):
                before[label] = 0.0
                for following in range(labels):
                    onward = step[label, following] * here[word + 1, following] * after[following]
                    onward /= scale[word + 1]
                    expected[label, following] += chance[word, label] * onward
                    before[label] += onward
            for label in range(labels):
                chance[word + 1, label] *= after[label]
            after[:] = before
        for label in range(labels):
            chance[first, label] *= after[label]
    return log_z, chance, expected
