"""Larger campaigns: what they would tell apart, if what is known now is right.

Scores are known with covariance Σ. A campaign f times as large, by further judges of further texts
like these, would have the covariance Σ/f, and its scores would lie around those of now with
covariance Σ (1 − 1/f). Each is judged as the ranking is: by the largest |t| of all pairs, step by
step (`statistics.simultaneous`).
"""

import numpy as np
from numpy.typing import NDArray

from adjudge.stats.ranks import clusters
from adjudge.stats.simultaneous import Relation, noise, simultaneous_ranges, standard_errors
from adjudge.stats.units import Floats

DRAWS = 400  # of noise, for the critical values of simulated campaigns


def critical_value(covariance: Floats, degrees: float, level: float, pairs: Relation) -> float:
    """The quantile of the largest |t| over these pairs (a mask) if none of them differ."""
    return float(np.quantile(_distances(covariance, degrees)[:, pairs].max(axis=1), level))


def cluster_numbers(
    scores: Floats,
    covariance: Floats,
    degrees: float,
    growth: float,
    level: float,
    simulations: int,
    random: np.random.Generator,
) -> NDArray[np.int64]:
    """The number of clusters in simulated campaigns `growth` times as large."""
    first, second = np.triu_indices(len(scores), 1)
    distances = _distances(covariance, degrees, DRAWS)[:, first, second]
    drawn = np.ascontiguousarray(distances.T)
    at_first = _quantile(drawn.max(axis=0), level)
    errors = standard_errors(covariance) / np.sqrt(growth)
    moves = noise(covariance * (1 - 1 / growth), 1e9, simulations, int(random.integers(2**31)))
    return np.array(
        [_clusters(scores + move, errors, drawn, at_first, level) for move in moves],
        dtype=np.int64,
    )


def _distances(covariance: Floats, degrees: float, draws: int = 5 * DRAWS) -> Floats:
    """|z_a − z_b| / se_ab of noise (draws × items × items), of the first `draws` there are."""
    drawn = noise(covariance, degrees, 5 * DRAWS)[:draws]
    errors = standard_errors(covariance)
    return np.asarray(np.abs(drawn[:, :, None] - drawn[:, None, :]) / errors)


def _clusters(scores: Floats, errors: Floats, drawn: Floats, critical: float, level: float) -> int:
    """How many there are; `drawn` has a row for every two items (as `np.triu_indices`).

    `critical` is the largest |t| of all of them at this level.
    """
    first, second = np.triu_indices(len(scores), 1)
    t = np.abs(scores[first] - scores[second]) / errors[first, second]
    undecided = np.arange(len(t))
    better = np.zeros(errors.shape, bool)
    while (new := t[undecided] > critical).any():
        decided, undecided = undecided[new], undecided[~new]
        one, other = first[decided], second[decided]
        higher = scores[one] > scores[other]
        better[np.where(higher, one, other), np.where(higher, other, one)] = True
        if len(undecided):
            critical = _quantile(drawn[undecided].max(axis=0), level)
    order = np.argsort(-scores, kind="stable")
    return int(clusters(*simultaneous_ranges(better[np.ix_(order, order)]))[-1])


def _quantile(values: Floats, level: float) -> float:
    """`np.quantile` of some hundred values, which takes longer to check them than to sort them."""
    ordered = np.sort(values)
    below = int(level * (len(ordered) - 1))
    share = level * (len(ordered) - 1) - below
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    step = high - low
    return float(high - step * (1 - share) if share >= 0.5 else low + step * share)
