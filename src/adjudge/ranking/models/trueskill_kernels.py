"""Compiled TrueSkill runs as in WMT15 and WMT16.

A run is a chain of small updates, each of which depends on the one before, so it has no array form.
But runs are independent: several advance in lockstep on adjacent memory, which a processor can
vectorise. The two-player updates are those of Herbrich, Minka and Graepel (2007), §3, with draws.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

_SQRT2 = math.sqrt(2.0)
_SQRT2PI = math.sqrt(2.0 * math.pi)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AT_ONCE = 1024  # steps for which chances are drawn at a time
WORD = 63  # systems whose bits are in one number
ROOM = 6  # numbers of every run that a step keeps in between


@njit(cache=True)
def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / _SQRT2PI


@njit(cache=True)
def _below(x: float) -> float:
    return 0.5 * math.erfc(-x / _SQRT2)


@njit(cache=True)
def win_factors(t: float, margin: float) -> tuple[float, float]:
    """Factors v and w of a win: shift of the means and shrinkage of the variances.

    `t` is the winner's lead and `margin` the draw margin, both in units of the noise.
    """
    x = t - margin
    chance = _below(x)
    v = _density(x) / chance if chance > 0.0 else -x  # the limit where the tail underflows
    return v, v * (v + x)


@njit(cache=True)
def draw_factors(t: float, margin: float) -> tuple[float, float]:
    """Factors v and w of a draw, seen from the player whose lead is `t`."""
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


class Runs(NamedTuple):
    """Runs that advance in lockstep: their distributions and their state."""

    wins: Ints  # (runs, systems, systems)
    total: Ints  # (runs, systems, systems)
    met: Ints  # (words, systems, runs): bits of the systems that each was compared with
    steps: Ints  # (runs,)
    beta: Floats  # (runs,)
    margin: Floats  # (runs,)
    means: Floats  # (systems, runs)
    variances: Floats  # (systems, runs)
    up: Floats  # (systems, runs): e^μ
    down: Floats  # (systems, runs): e^−μ


def run(
    wins: Ints,
    ties: Ints,
    deviation: float,
    margin_in_betas: float,
    generators: Sequence[np.random.Generator],
) -> Floats:
    """Return μ of every system (runs, systems) after one step more than each run has
    comparisons.
    """
    runs = _started(wins, ties, deviation, margin_in_betas)
    most = int(runs.steps.max())
    chances = np.empty((len(generators), min(AT_ONCE, most), 2))
    for first in range(0, most, AT_ONCE):
        for generator, drawn in zip(generators, chances, strict=True):
            generator.random(out=drawn)
        _advance(runs, chances, first)
    return np.ascontiguousarray(runs.means.T)


def _started(wins: Ints, ties: Ints, deviation: float, margin_in_betas: float) -> Runs:
    number, systems, _ = wins.shape
    total = wins + np.swapaxes(wins, 1, 2) + ties
    compared = total.sum(axis=2) > 0
    number_of = total.sum(axis=(1, 2)) // 2
    steps = np.where(number_of > 0, number_of + 1, 0)
    beta = deviation * steps / 40.0
    met = np.zeros((-(-systems // WORD), systems, number), np.int64)
    for b in range(systems):
        met[b // WORD] |= (total[:, :, b].T > 0).astype(np.int64) << np.int64(b % WORD)
    return Runs(
        wins,
        total,
        met,
        steps,
        beta,
        margin_in_betas * beta,
        np.zeros((systems, number)),
        # Less than any that takes part, where nothing was compared.
        np.ascontiguousarray(np.where(compared, deviation * deviation, -1.0).T),
        np.ones((systems, number)),
        np.ones((systems, number)),
    )


@njit(cache=True, nogil=True)
def _advance(runs: Runs, chances: Floats, first: int) -> None:
    """Advance by one step per entry of `chances` (runs, steps, 2), starting at step `first`."""
    number = len(runs.steps)
    a, b = np.empty(number, np.int64), np.empty(number, np.int64)
    outcome, going = np.empty(number, np.int64), np.empty(number, np.bool_)
    met = np.empty((len(runs.met), number), np.int64)
    weights, room = np.empty(runs.means.shape), np.empty((ROOM, number))
    for step in range(min(chances.shape[1], runs.steps.max() - first)):
        _most_uncertain(runs.variances, a, room)
        for r in range(number):
            going[r] = first + step < runs.steps[r]
            for word in range(len(met)):
                met[word, r] = runs.met[word, a[r], r]
        _partners(a, met, runs.up, runs.down, weights, chances[:, step], b, room)
        for r in range(number):
            i, j = a[r], b[r]
            # Rounding can leave no partner: then the last. Runs that ended may have none at all.
            while j > 0 and (j == len(weights) or runs.total[r, i, j] == 0):
                j -= 1
            b[r] = j
            drawn = chances[r, step, 1] * runs.total[r, i, j]
            won, lost = runs.wins[r, i, j], runs.wins[r, j, i]
            outcome[r] = 1 if drawn < won else (-1 if drawn < won + lost else 0)
        update(runs.means, runs.variances, a, b, outcome, runs.beta, runs.margin, going, room)
        for r in range(number):
            i, j = a[r], b[r]
            runs.up[i, r], runs.up[j, r] = math.exp(runs.means[i, r]), math.exp(runs.means[j, r])
            runs.down[i, r], runs.down[j, r] = 1.0 / runs.up[i, r], 1.0 / runs.up[j, r]


@njit(cache=True)
def _most_uncertain(variances: Floats, first: Ints, room: Floats) -> None:
    """First system with the largest variance in every run."""
    systems, runs = variances.shape
    largest = room[0]
    for r in range(runs):
        largest[r], first[r] = variances[0, r], 0
    for i in range(1, systems):
        for r in range(runs):  # without a choice, which makes loops faster
            variance = variances[i, r]
            larger = variance > largest[r]
            largest[r] = variance if larger else largest[r]
            first[r] = i if larger else first[r]


@njit(cache=True)
def _partners(
    a: Ints,
    met: Ints,
    up: Floats,
    down: Floats,
    weights: Floats,
    chances: Floats,
    b: Ints,
    room: Floats,
) -> None:
    """Draw an opponent of a in every run, with probability proportional to exp(−|μ_a − μ_b|).

    exp(−|μ_a − μ_b|) is the smaller of e^μ_a / e^μ_b and its inverse, so that a step needs new
    exponentials, `up` = e^μ and `down` = e^−μ, of the two systems it moves and no others.
    """
    systems, runs = weights.shape
    above, below, whole = room[0], room[1], room[2]
    for r in range(runs):
        above[r], below[r], whole[r], b[r] = up[a[r], r], down[a[r], r], 0.0, 0
    for i in range(systems):
        with_it = met[i // WORD]
        bit = np.int64(1) << np.int64(i % WORD)
        for r in range(runs):
            ahead, behind = above[r] * down[i, r], up[i, r] * below[r]
            weight = ahead if ahead < behind else behind
            whole[r] += weight if with_it[r] & bit != 0 else 0.0
            weights[i, r] = whole[r]
    for r in range(runs):
        whole[r] *= chances[r, 0]
    for i in range(systems):
        for r in range(runs):
            b[r] += 1 if weights[i, r] <= whole[r] else 0


@njit(cache=True)
def update(
    means: Floats,
    variances: Floats,
    a: Ints,
    b: Ints,
    outcome: Ints,
    beta: Floats,
    margin: Floats,
    going: NDArray[np.bool_],
    room: Floats,
) -> None:
    """Update both systems after one comparison in every run that is `going`.

    The outcome is +1 if a was better, −1 if b was, 0 for a tie. Computed in stages over all runs,
    so that no run waits for its own root, quotient or exponential.
    """
    runs = len(a)
    lead, within, c, c2 = room[0], room[1], room[2], room[3]
    v, w = room[4], room[5]
    for r in range(runs):
        i, j = a[r], b[r]
        c2[r] = 2.0 * beta[r] * beta[r] + variances[i, r] + variances[j, r]
        swapped = outcome[r] < 0
        a[r], b[r] = (j if swapped else i), (i if swapped else j)
        lead[r] = means[a[r], r] - means[b[r], r]
    for r in range(runs):
        c[r] = math.sqrt(c2[r])
        lead[r] /= c[r]
        within[r] = margin[r] / c[r]
    for r in range(runs):
        if outcome[r] == 0:
            v[r], w[r] = draw_factors(lead[r], within[r])
        else:
            v[r], w[r] = win_factors(lead[r], within[r])
    for r in range(runs):
        if going[r]:
            i, j = a[r], b[r]
            means[i, r] += variances[i, r] / c[r] * v[r]
            means[j, r] -= variances[j, r] / c[r] * v[r]
            variances[i, r] *= 1.0 - w[r] * variances[i, r] / c2[r]
            variances[j, r] *= 1.0 - w[r] * variances[j, r] / c2[r]
