"""Simultaneous comparison of all pairs of scores, and rank ranges with one error rate.

With scores L, covariance Σ and df degrees of freedom, t_ab = (L_a − L_b) / se_ab. Noise z ~ N(0, Σ)
over √(χ²_df / df) is drawn many times with a fixed seed; the critical value is the `level` quantile
of the largest |z_a − z_b| / se_ab over all pairs. Pairs beyond it differ significantly and are left
out, and the quantile is computed again, until no more are found (step-down: Romano and Wolf 2005).
Any two equal items are separated with probability 1 − level at most. The rank of an item lies
between 1 + the number that are better and n − the number that are worse, for all items at once
(Mogstad, Romano, Shaikh and Wilhelm 2024).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import Codes, Floats

Singles = NDArray[np.float32]
Relation = NDArray[np.bool_]  # [a, b]: a is better than b

DRAWS = 10_000
SEED = 1
STEP = 16  # pairs between two maxima that are kept


def standard_errors(covariance: Floats) -> Floats:
    """Standard errors of the differences of all pairs of scores, bounded above zero."""
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(np.add.outer(variance, variance) - 2 * covariance, 1e-18)))


def t_statistics(scores: Floats, covariance: Floats) -> Floats:
    """Test statistics t_ab of all pairs of scores."""
    return np.asarray(np.subtract.outer(scores, scores) / standard_errors(covariance))


def probabilities_better(scores: Floats, covariance: Floats, degrees: Floats) -> Floats:
    """Matrix [a, b] of F_t(t_ab), with the smaller degrees of freedom of the two."""
    fewer = np.minimum.outer(degrees, degrees)
    return np.asarray(stdtr(fewer, t_statistics(scores, covariance)))


def p_values(scores: Floats, covariance: Floats, degrees: Floats) -> Floats:
    """Two-sided p-values of equality for all pairs of scores."""
    fewer = np.minimum.outer(degrees, degrees)
    return np.asarray(2 * stdtr(fewer, -np.abs(t_statistics(scores, covariance))))


def noise(covariance: Floats, degrees: float, number: int = DRAWS, seed: int = SEED) -> Floats:
    """Draw Student noise (number × items) with this covariance."""
    normal, state = _normal(number, len(covariance), seed)
    random = np.random.Generator(np.random.PCG64(seed))
    random.bit_generator.state = state
    value, vector = np.linalg.eigh(covariance)
    drawn = (vector * np.sqrt(np.maximum(value, 0))) @ vector.T @ normal
    drawn /= np.sqrt(random.chisquare(degrees, number) / degrees)
    return np.asarray(drawn.T)


@lru_cache(maxsize=4)  # many rankings of as many systems follow each other in simulations
def _normal(number: int, items: int, seed: int) -> tuple[Floats, Mapping[str, Any]]:
    """Standard normal draws (items × number), and the state of their generator afterwards."""
    random = np.random.Generator(np.random.PCG64(seed))
    normal = np.ascontiguousarray(random.standard_normal((number, items)).T)
    normal.flags.writeable = False
    return normal, random.bit_generator.state


def told_apart(scores: Floats, covariance: Floats, degrees: float, level: float) -> Relation:
    """Significant pairs, with familywise error rate 1 − `level`."""
    order = np.argsort(-scores, kind="stable")  # so that names and their order change nothing
    arranged = covariance[np.ix_(order, order)]
    first, second = np.triu_indices(len(scores), 1)
    size = np.abs(t_statistics(scores[order], arranged)[first, second])
    ascending = np.argsort(size, kind="stable")
    size, first, second = size[ascending], first[ascending], second[ascending]
    largest = _Largest(noise(arranged, degrees).T, standard_errors(arranged), first, second)
    # The pairs not yet significant are always those with the smallest |t|.
    undecided, before = len(size), -1
    while undecided not in (0, before):
        before = undecided
        undecided = int(np.searchsorted(size, np.quantile(largest(undecided), level), "right"))
        undecided = min(undecided, before)
    better = np.zeros((len(scores), len(scores)), bool)
    better[order[first[undecided:]], order[second[undecided:]]] = True  # t > 0: sorted by score
    return better


class _Largest:
    """Maximum of |z_a − z_b| / se_ab over a prefix of a list of pairs, in every draw.

    The prefixes shrink: the maximum is stored for every `STEP`th pair, so that each pair is visited
    hardly more than once.
    """

    def __init__(self, drawn: Floats, errors: Floats, first: Codes, second: Codes) -> None:
        self._drawn = drawn.astype(np.float32)  # (items, draws); to seven digits is enough
        # Multiplying is faster than dividing.
        scale = (1 / errors[first, second]).astype(np.float32)
        self._pairs = list(zip(first, second, scale, strict=True))
        self._kept = [np.zeros(self._drawn.shape[1], np.float32)]
        for begin in range(0, len(self._pairs), STEP):
            self._kept.append(self._over(self._kept[-1], begin, begin + STEP))

    def __call__(self, pairs: int) -> Singles:
        whole = pairs // STEP
        return self._over(self._kept[whole], whole * STEP, pairs)

    def _over(self, largest: Singles, begin: int, end: int) -> Singles:
        largest, distance = largest.copy(), np.empty_like(largest)
        for a, b, scale in self._pairs[begin:end]:
            np.subtract(self._drawn[a], self._drawn[b], out=distance)
            np.abs(distance, out=distance)
            distance *= scale
            np.maximum(largest, distance, out=largest)
        return largest


def simultaneous_ranges(better: Relation) -> tuple[Ranks, Ranks]:
    """Best and worst rank of every item compatible with the significant pairs."""
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
