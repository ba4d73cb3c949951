"""Which of many scores differ, all pairs at once: rank ranges with one error rate.

With scores L, covariance Σ and df degrees of freedom, t_ab = (L_a − L_b) / se_ab. Noise z ~ N(0, Σ)
over √(χ²_df / df) is drawn many times with a fixed seed; the critical value is the `level` quantile
of the largest |z_a − z_b| / se_ab over all pairs. Pairs beyond it are told apart and left out, and
the quantile is taken again, until no more are found (step-down: Romano and Wolf 2005). The chance
that any two equal items are told apart is at most 1 − level. The rank of an item lies between 1 +
the number that are better and n − the number that are worse, for all items at once (Mogstad,
Romano, Shaikh and Wilhelm 2024).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from adjudge.statistics.ranks import Ranks
from adjudge.statistics.units import Floats

Relation = NDArray[np.bool_]  # [a, b]: a is better than b

DRAWS = 10_000
SEED = 1


def standard_errors(covariance: Floats) -> Floats:
    """Of the difference of every two scores; never nothing."""
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(np.add.outer(variance, variance) - 2 * covariance, 1e-18)))


def t_statistics(scores: Floats, covariance: Floats) -> Floats:
    """t_ab of every two scores."""
    return np.asarray(np.subtract.outer(scores, scores) / standard_errors(covariance))


def probabilities_better(scores: Floats, covariance: Floats, degrees: Floats) -> Floats:
    """[a, b]: F_t(t_ab), with the smaller degrees of freedom of the two."""
    fewer = np.minimum.outer(degrees, degrees)
    return np.asarray(stdtr(fewer, t_statistics(scores, covariance)))


def p_values(scores: Floats, covariance: Floats, degrees: Floats) -> Floats:
    """Two-sided p of every two scores being the same."""
    fewer = np.minimum.outer(degrees, degrees)
    return np.asarray(2 * stdtr(fewer, -np.abs(t_statistics(scores, covariance))))


def noise(covariance: Floats, degrees: float, number: int = DRAWS, seed: int = SEED) -> Floats:
    """Student noise (number × items) around scores with this covariance."""
    random = np.random.default_rng(seed)
    value, vector = np.linalg.eigh(covariance)
    root = (vector * np.sqrt(np.maximum(value, 0))) @ vector.T
    normal = random.standard_normal((number, len(covariance)))
    chi = np.sqrt(random.chisquare(degrees, number) / degrees)
    return np.asarray(normal @ root / chi[:, None])


def told_apart(scores: Floats, covariance: Floats, degrees: float, level: float) -> Relation:
    """Who is better than whom, with no false claim in a share `level` of campaigns."""
    order = np.argsort(-scores, kind="stable")  # so that names and their order change nothing
    arranged = covariance[np.ix_(order, order)]
    t = t_statistics(scores[order], arranged)
    drawn = noise(arranged, degrees)
    errors = standard_errors(arranged)
    undecided = np.triu(np.ones_like(t, bool), 1)
    decided = np.zeros_like(undecided)
    while undecided.any():
        critical = np.quantile(_largest(drawn, errors, undecided), level)
        new = undecided & (np.abs(t) > critical)
        if not new.any():
            break
        decided |= new
        undecided &= ~new
    better = np.zeros_like(decided)
    better[np.ix_(order, order)] = (decided & (t > 0)) | (decided & (t < 0)).T
    return better


def _largest(drawn: Floats, errors: Floats, pairs: Relation) -> Floats:
    """max |z_a − z_b| / se_ab over these pairs, in every draw."""
    largest = np.zeros(len(drawn))
    for a in np.flatnonzero(pairs.any(axis=1)):
        others = np.flatnonzero(pairs[a])
        distance = np.abs(drawn[:, [a]] - drawn[:, others]) / errors[a, others]
        np.maximum(largest, distance.max(axis=1), out=largest)
    return largest


def simultaneous_ranges(better: Relation) -> tuple[Ranks, Ranks]:
    """The best and the worst rank of every item that the pairs told apart leave open."""
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
