"""Pairwise accuracy with ties, and the threshold ε that is best for a metric (Deutsch 2023).

A metric with fine scores never ties, and people often do. So two scores of a metric that differ by
no more than ε count as tied, and accuracy is the share of pairs of which people and the metric say
the same, a tie too. ε is chosen for each metric where its accuracy is highest.

Nothing is tried out. When ε passes the |Δ metric| of a pair that people tied, the pair becomes
right; when it passes that of a pair that was right before, this becomes wrong; others stay wrong.
So both kinds are sorted by |Δ metric|, and the accuracy at every ε is a difference of two places.
It can rise only where a tied pair is passed: the smallest best ε is 0 or one of their |Δ metric|.
Several ε may be equally good: the accuracy is unique, ε is not. The smallest is reported.

Pairs are of outputs of one segment (`item`), of one system (`system`) or of any two (`none`); rows
weigh the same, however many pairs they have.
"""

from dataclasses import dataclass

import numpy as np

from adjudge.stats.units import Floats

_CLOSE = 1e-12  # accuracies closer than this are equal: weights of rows may not be exact


@dataclass(frozen=True)
class Calibration:
    """The best threshold of one metric."""

    accuracy: float  # NaN where there is no pair
    epsilon: float  # the smallest of the best
    accuracy_without: float  # with ε = 0
    pairs: int


@dataclass(frozen=True, eq=False)
class _Rows:
    """The pairs of rows with equally many values, each of the same weight."""

    tied: Floats  # |Δ metric| of pairs that people tied, sorted
    right: Floats  # of pairs that people and the metric order alike, sorted
    pairs: int
    weight: float

    def correct(self, epsilon: Floats) -> Floats:
        """How much is right at each ε."""
        ties = np.searchsorted(self.tied, epsilon, side="right")
        lost = np.searchsorted(self.right, epsilon, side="right")
        return np.asarray(self.weight * (len(self.right) + ties - lost))


def calibrate(human: Floats, metric: Floats) -> Calibration:
    """The best ε for rows of scores (rows × values); pairs are of values of a row."""
    parts = _parts(human, metric)
    if not parts:
        return Calibration(float("nan"), float("nan"), float("nan"), 0)
    total = sum(part.weight * part.pairs for part in parts)
    candidates = np.unique(np.concatenate([[0.0], *(part.tied for part in parts)]))
    values = np.sum([part.correct(candidates) for part in parts], axis=0)
    best = int(np.flatnonzero(values >= values.max() - _CLOSE * total)[0])
    return Calibration(
        accuracy=float(values[best] / total),
        epsilon=float(candidates[best]),
        accuracy_without=float(values[0] / total),
        pairs=sum(part.pairs for part in parts),
    )


def _parts(human: Floats, metric: Floats) -> list[_Rows]:
    """Rows by how many values both sides have; where all have the same, weights are 1."""
    known = np.isfinite(human) & np.isfinite(metric)
    number = known.sum(axis=1)
    sizes = np.unique(number[number > 1])
    parts = []
    for size in sizes:
        rows = np.flatnonzero(number == size)
        mask, shape = known[rows], (len(rows), int(size))
        h, m = human[rows][mask].reshape(shape), metric[rows][mask].reshape(shape)
        first, second = np.triu_indices(int(size), 1)
        dh, dm = h[:, first] - h[:, second], m[:, first] - m[:, second]
        alike = (dh * dm > 0).ravel()
        gap = np.abs(dm, out=dm).ravel()
        parts.append(
            _Rows(
                tied=np.sort(gap[(dh == 0).ravel()]),
                right=np.sort(gap[alike]),
                pairs=dh.size,
                weight=1.0 if len(sizes) == 1 else 1 / len(first),
            )
        )
    return parts
