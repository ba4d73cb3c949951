"""Segment-level tests of the difference between two metrics.

* Calibrated accuracy: each metric has its own ε, and decisions on pairs are swapped, not
  scores. Only pairs of outputs matter that one metric gets right and the other does not. Swapping
  them is tossing coins, so p is that of a one-sided sign test, P(Bin(a + b, ½) ≥ b), and nothing
  has to be drawn. (mt-metrics-eval draws this test, `pairs`.)
* Accuracy with ε = 0, and Pearson's r of all outputs or by segment: scores of single outputs are
  swapped at random (`permutation` says how), p = (k + 1) / (draws + 1).
"""

import numpy as np
from numpy.typing import NDArray

from adjudge.core.parallel import progress
from adjudge.metaeval.permutation import EQUAL, standardised, swapped_differences
from adjudge.stats.resampling import Codes, Floats, generator
from adjudge.stats.tests import at_least

Truths = NDArray[np.bool_]
UNKNOWN = 2  # sign of an unknown difference


def right_pairs(human: Floats, metric: Floats, epsilon: float) -> Truths:
    """Mask of the pairs of values of each row that the metric orders correctly with ties up to
    ε.
    """
    first, second = np.triu_indices(human.shape[1], 1)
    dh, dm = (side[:, first] - side[:, second] for side in (human, metric))
    said = np.where(np.abs(dm) <= epsilon, 0.0, np.sign(dm))
    return np.asarray(said == np.sign(dh))


def sign_tests(right: Truths, better: Codes, worse: Codes) -> Floats:
    """p-values of all pairs of metrics; `right` is (metrics × pairs of outputs)."""
    ones = right.astype(np.float32)
    both = ones @ ones.T  # counts below 2²⁴ are exact
    number = right.sum(axis=1)
    only_better = number[better] - both[better, worse]
    only_worse = number[worse] - both[better, worse]
    return at_least(only_better, only_better + only_worse, 0.5)


def accuracy_tests(
    human: Floats, metrics: Floats, better: Codes, worse: Codes, draws: int = 1000, seed: int = 1
) -> Floats:
    """p-values of pairwise accuracy with ε = 0; `human` and each metric are (segments ×
    systems).
    """
    scores = _standardised(human, metrics)
    dh = human[:, :, None] - human[:, None, :]
    truth = np.where(np.isnan(dh), UNKNOWN, np.sign(dh)).astype(np.int8)
    pairs = np.triu(truth != UNKNOWN, 1).sum(axis=(1, 2))
    weight = np.divide(1.0, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    random = generator(seed, 0)
    masks = random.integers(0, 1 << human.shape[1], (draws, len(human)), np.int64)
    p = np.empty(len(better))
    steps = [(f"{number:,} of {len(p):,} pairs of metrics", number) for number in range(len(p))]
    for number in progress(steps):
        pair = scores[better[number]], scores[worse[number]]
        difference = swapped_differences(truth, *pair, masks, weight)
        reached = (difference[:-1] >= difference[-1] - EQUAL * len(human)).sum()
        p[number] = (reached + 1) / (draws + 1)
    return p


def pearson_tests(
    human: Floats, metrics: Floats, better: Codes, worse: Codes, draws: int = 1000, seed: int = 1
) -> Floats:
    """p-values of Pearson's r, averaged over rows of `human` (groups × values) with both defined.

    With one row it is r over all outputs.
    """
    scores = _standardised(human, metrics)
    groups = np.zeros((draws + 1, len(better), 2))
    sums = np.zeros_like(groups)
    for row in range(len(human)):
        random = generator(seed, row)
        known = np.isfinite(human[row])
        swaps = random.integers(0, 2, (draws, int(known.sum()))).astype(np.float64)
        swaps = np.concatenate([np.zeros((1, swaps.shape[1])), swaps])
        values = _correlations(swaps, human[row, known], scores[:, row, :][:, known], better, worse)
        for side, r in enumerate(values):
            defined = np.isfinite(r)
            groups[..., side] += defined
            sums[..., side] += np.where(defined, r, 0)
    means = sums / np.maximum(groups, 1)
    difference = means[..., 0] - means[..., 1]
    seen, drawn = difference[0], difference[1:]
    return np.asarray(((drawn >= seen - EQUAL).sum(axis=0) + 1) / (draws + 1))


def _correlations(
    swaps: Floats, human: Floats, scores: Floats, better: Codes, worse: Codes
) -> list[Floats]:
    """Values of r of both metrics of every pair for every swap."""
    centred = human - human.mean()
    scale = np.sqrt((centred**2).sum())
    first, second = scores[better], scores[worse]
    moved = second - first
    parts = (moved, second**2 - first**2, moved * centred)
    sums, squares, products = (swaps @ part.T for part in parts)
    values = []
    for side, sign in ((first, 1), (second, -1)):
        variance = (side**2).sum(axis=1) + sign * squares
        variance -= (side.sum(axis=1) + sign * sums) ** 2 / len(human)
        below = np.sqrt(np.maximum(variance, 0)) * scale
        nothing = np.full(below.shape, np.nan)
        values.append(
            np.divide(side @ centred + sign * products, below, out=nothing, where=below > 1e-6)
        )
    return values


def _standardised(human: Floats, metrics: Floats) -> Floats:
    """Standardise metrics over the outputs that people scored."""
    known = np.isfinite(human)
    scores = np.zeros(metrics.shape)
    scores[:, known] = standardised(metrics[:, known])
    return scores
