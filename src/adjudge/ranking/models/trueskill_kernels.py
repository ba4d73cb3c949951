"""One TrueSkill run as WMT15 and WMT16 made them, compiled.

A run is a chain of small updates, each of which depends on the one before, so it has no array
form. The two-player updates are those of Herbrich, Minka and Graepel (2007), §3, with draws.
"""

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

_SQRT2 = math.sqrt(2.0)
_SQRT2PI = math.sqrt(2.0 * math.pi)

Floats = NDArray[np.float64]


@njit(cache=True)
def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / _SQRT2PI


@njit(cache=True)
def _below(x: float) -> float:
    return 0.5 * math.erfc(-x / _SQRT2)


@njit(cache=True)
def win_factors(t: float, margin: float) -> tuple[float, float]:
    """v and w of a win: how far means move and how much variances shrink.

    `t` is the winner's lead and `margin` the draw margin, both in units of the noise.
    """
    x = t - margin
    chance = _below(x)
    v = _density(x) / chance if chance > 0.0 else -x  # the limit where the tail underflows
    return v, v * (v + x)


@njit(cache=True)
def draw_factors(t: float, margin: float) -> tuple[float, float]:
    """v and w of a draw, seen from the player whose lead is `t`."""
    size = abs(t)
    near = margin - size
    far = -margin - size
    chance = _below(near) - _below(far)
    if chance > 0.0:
        v = (_density(far) - _density(near)) / chance
        w = v * v + (near * _density(near) - far * _density(far)) / chance
    else:
        v, w = near, 1.0
    return (-v if t < 0.0 else v), w


@njit(cache=True)
def update(
    means: Floats, variances: Floats, a: int, b: int, outcome: int, beta: float, margin: float
) -> None:
    """Move both systems after one comparison: +1 a was better, −1 b was, 0 a tie."""
    c2 = 2.0 * beta * beta + variances[a] + variances[b]
    c = math.sqrt(c2)
    if outcome < 0:
        a, b = b, a
    t = (means[a] - means[b]) / c
    v, w = draw_factors(t, margin / c) if outcome == 0 else win_factors(t, margin / c)
    means[a] += variances[a] / c * v
    means[b] -= variances[b] / c * v
    variances[a] *= 1.0 - w * variances[a] / c2
    variances[b] *= 1.0 - w * variances[b] / c2


@njit(cache=True)
def _most_uncertain(variances: Floats) -> int:
    """The system with the largest variance, the first such."""
    best, largest = 0, variances[0]
    for i in range(1, len(variances)):
        variance = variances[i]
        if variance > largest:
            best, largest = i, variance
    return best


@njit(cache=True)
def _partner(a: int, met: Floats, up: Floats, down: Floats, weights: Floats, chance: float) -> int:
    """A system compared with a, with probability proportional to exp(−|μ_a − μ_b|).

    exp(−|μ_a − μ_b|) is the smaller of e^μ_a / e^μ_b and its inverse, so that a step needs new
    exponentials, `up` = e^μ and `down` = e^−μ, of the two systems it moves and no others. `met` is
    1 for systems compared with a and 0 for others: loops without a choice are faster.
    """
    above, below = up[a], down[a]
    for b in range(len(met)):
        ahead, behind = above * down[b], up[b] * below
        weights[b] = met[b] * (ahead if ahead < behind else behind)
    whole = 0.0
    for b in range(len(met)):
        whole += weights[b]
        weights[b] = whole
    limit = chance * whole
    found = 0
    for b in range(len(met)):
        found += weights[b] <= limit
    while found == len(met) or met[found] == 0.0:  # rounding can leave none: then the last
        found -= 1
    return found


@njit(cache=True)
def run(
    wins: NDArray[np.int64],
    ties: NDArray[np.int64],
    deviation: float,
    margin_in_betas: float,
    rng: np.random.Generator,
) -> Floats:
    """μ of every system after one step more than there are comparisons."""
    n = len(wins)
    total = wins + wins.T + ties
    compared = np.array([total[i].sum() > 0 for i in range(n)])
    means = np.zeros(n)
    if not compared.any():
        return means
    steps = total.sum() // 2 + 1
    beta = deviation * steps / 40.0
    margin = margin_in_betas * beta
    variances = np.where(compared, deviation * deviation, -1.0)  # less than any that takes part
    met = (total > 0).astype(np.float64)
    up, down, weights = np.ones(n), np.ones(n), np.empty(n)
    for _ in range(steps):
        a = _most_uncertain(variances)
        b = _partner(a, met[a], up, down, weights, rng.random())
        drawn = rng.random() * total[a, b]
        outcome = 0
        if drawn < wins[a, b]:
            outcome = 1
        elif drawn < wins[a, b] + wins[b, a]:
            outcome = -1
        update(means, variances, a, b, outcome, beta, margin)
        for i in (a, b):
            up[i] = math.exp(means[i])
            down[i] = 1.0 / up[i]
    return means
