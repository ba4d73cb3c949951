"""Variance components: shares of judges, documents and the residual in the variance of scores.

By the method of moments (`crossed` has the expectations), pooled over items. A variance of one
item's own has as many degrees of freedom as there are judges, less one: too few to be of use. A
judge's preferences affect all items equally up to a known factor, the working covariance C, so that
all items inform the same two variances. Where the items' own sums of squares differ by more than
chance, each is drawn to the pool only as far as they agree (moderated, as Smyth 2004 does for
genes).

    Var(score_a) = H2_J σ_J² + H2_D σ_D² + v

Degrees of freedom by Satterthwaite: df = V² / [(V_J + λ v)²/f_J + (V_D + λ v)²/f_D]. v is in it
because both components were estimated by taking v away. λ = 1/2 for intervals, as a component that
is cut off at 0 varies less than one that is not; λ = 1 for tests.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import polygamma

from adjudge.stats.crossed import Moments, UnitMoments
from adjudge.stats.resampling import Floats

MANY = 1e9  # degrees of freedom of what is known for certain
NOTHING = 1e-300
DISTINCT = 1e-6  # of its weight a unit must have apart from single cells
LEAST_OWN = 0.1  # of the pooled variance an item keeps, however little it varies itself
LEAST_REST = 0.2  # of the variance between cells is always taken to be rest
INTERVAL_NOISE, TEST_NOISE = 0.5, 1.0  # λ


@dataclass(frozen=True, eq=False)
class Component:
    """Variance of one unit's deviation from every score, and its degrees of freedom."""

    variance: Floats  # (items,)
    degrees: Floats
    estimable: bool  # is the unit distinguishable from single cells?


@dataclass(frozen=True, eq=False)
class Spread:
    """Covariance of scores over new units, and its components."""

    covariance: Floats  # (items, items)
    first: Floats  # (items,): the parts of the variance
    second: Floats
    rest: Floats
    degrees: Floats  # for intervals
    test_degrees: Floats  # for tests


def spread(moments: Moments, working: Floats, floor: Floats) -> Spread:
    """Estimate the covariance of the scores.

    `working` (items × items) is C, the effect of a unit's preferences for single items (variance 1)
    on the scores; `floor` (items) is the variance under independence, a lower bound of the
    residual, which is therefore never zero.
    """
    first, second = components(moments, working)
    rest = np.maximum(_rest(moments, first.variance, second.variance), floor)
    within = np.diag(moments.cell.product)
    scale = np.sqrt(rest / np.maximum(within, NOTHING))
    silent = within < 1e-15  # no residual at all: what is known of the item is the floor
    scale[silent] = 0.0
    covariance = moments.cell.product * np.outer(scale, scale) + np.diag(np.where(silent, rest, 0))
    parts = (
        moments.first.squares * first.variance,
        moments.second.squares * second.variance,
        rest,
    )
    own = np.diag(working)
    for part in parts[:2]:
        root = np.sqrt(np.divide(part, own, out=np.zeros_like(part), where=own > 0))
        covariance = covariance + working * np.outer(root, root)
    return Spread(
        covariance,
        *parts,
        degrees=_degrees(moments, (first, second), parts, INTERVAL_NOISE),
        test_degrees=_degrees(moments, (first, second), parts, TEST_NOISE),
    )


def components(moments: Moments, working: Floats) -> tuple[Component, Component]:
    """Variances of the deviations of first and second units, for every item."""
    own = np.diag(working)
    used = (own > NOTHING) & (moments.cell.squares > 0)
    first, second = moments.first, moments.second
    shared = [_share_left(unit, moments.cell) for unit in (first, second)]

    def pooled(values: Floats) -> float:
        return float(values[used].mean()) if used.any() else 0.0

    # Two equations in two variances, in units of C; the rest is eliminated by Q_C.
    q = [
        np.divide(np.diag(m.product), own, out=np.zeros_like(own), where=used)
        for m in (first, second, moments.cell)
    ]
    ff = pooled(first.trace - shared[0] * first.cell_overlap)
    fs = pooled(moments.leak - shared[0] * second.cell_overlap)
    sf = pooled(moments.leak - shared[1] * first.cell_overlap)
    ss = pooled(second.trace - shared[1] * second.cell_overlap)
    qf, qs = pooled(q[0] - shared[0] * q[2]), pooled(q[1] - shared[1] * q[2])
    can_first = ff > DISTINCT * pooled(first.squares)
    can_second = ss > DISTINCT * pooled(second.squares)
    determinant = ff * ss - fs * sf
    variance_first = variance_second = 0.0
    if can_first and can_second and abs(determinant) > DISTINCT * ff * ss:
        variance_first = (ss * qf - fs * qs) / determinant
        variance_second = (ff * qs - sf * qf) / determinant
        # One below nothing is nothing, and the other is then estimated alone.
        if variance_first < 0 or variance_second < 0:
            alone = (qf / ff, qs / ss)
            variance_first, variance_second = (
                max(alone[0] if variance_second < 0 else 0.0, 0.0),
                max(alone[1] if variance_first < 0 else 0.0, 0.0),
            )
    elif can_first:
        variance_first = max(qf / ff, 0.0)
    elif can_second:
        variance_second = max(qs / ss, 0.0)
    pool = (variance_first * own, variance_second * own)
    rest = _rest(moments, *pool)
    return (
        _moderated(first, working, pool[0], moments.leak * pool[1], rest, can_first),
        _moderated(second, working, pool[1], moments.leak * pool[0], rest, can_second),
    )


def _share_left(unit: UnitMoments, cell: UnitMoments) -> Floats:
    """Share (1 − H2) / (1 − H2_C) of the residual in Q_C that enters the unit's Q."""
    left = 1 - cell.squares
    return np.asarray(
        np.divide(1 - unit.squares, left, out=np.zeros_like(left), where=left > 1e-12)
    )


def _rest(moments: Moments, first: Floats, second: Floats) -> Floats:
    """Residual variance of a score, shared by neither first nor second units."""
    within = np.diag(moments.cell.product)
    overlap = moments.first.cell_overlap * first + moments.second.cell_overlap * second
    left = 1 - moments.cell.squares
    rest = np.divide(within - overlap, left, out=np.zeros_like(left), where=left > 1e-12)
    return np.asarray(np.maximum(rest, LEAST_REST * within))


def _moderated(
    unit: UnitMoments,
    working: Floats,
    pooled: Floats,
    leaked: Floats,
    rest: Floats,
    estimable: bool,
) -> Component:
    """Shrink each item's variance towards the pooled one; compute its degrees of freedom.

    The log ratios of the items' own sums of squares to what the pool expects vary by trigamma(f/2)
    if all have the same variance. Excess variance reduces the prior degrees of freedom of the pool
    to d₀ (Smyth 2004): own = pool · (d₀ + f · ratio) / (d₀ + f).
    """
    trace, degrees = unit.trace, unit.degrees
    seen = (np.diag(working) > NOTHING) & (trace > 1e-9)
    items = int(seen.sum())
    if items == 0:
        return Component(pooled, np.zeros_like(pooled), estimable)
    mean = float(degrees[seen].mean())
    worth = MANY
    variance = pooled
    if items >= 3:
        expected = trace * pooled + leaked + (1 - unit.squares) * rest
        sums = np.diag(unit.product)
        ratio = np.divide(sums, expected, out=np.ones_like(sums), where=expected > NOTHING)
        ratio = np.maximum(ratio, 1e-6)
        excess = float(np.log(ratio[seen]).var(ddof=1) - polygamma(1, max(mean, 0.5) / 2))
        if excess > 1e-3:
            worth = 2 * _trigamma_inverse(excess)
        drawn = (worth + degrees * ratio) / (worth + degrees)
        per_trace = np.divide(expected, trace, out=np.zeros_like(trace), where=seen)
        variance = np.maximum(pooled + (drawn - 1) * per_trace, LEAST_OWN * pooled)
        variance = np.where(seen, variance, pooled)
    pool = degrees * _effective_items(unit.product, working, seen, mean)
    return Component(variance, np.minimum(pool, degrees + worth), estimable)


def _trigamma_inverse(value: float) -> float:
    """Inverse of the trigamma function by Newton's method on 1/trigamma, which is nearly linear."""
    x = 0.5 + 1 / value
    for _ in range(12):
        here = float(polygamma(1, x))
        x += here * (1 - here / value) / float(polygamma(2, x))
    return x


def _effective_items(
    product: Floats, working: Floats, seen: NDArray[np.bool_], degrees: float
) -> float:
    """Effective number of independent items, (tr R)² / tr(R²), at most items − 1.

    R is Q scaled by C; the expected excess of tr(R²) with few units is subtracted (Bai and
    Saranadasa 1996). It is 1 if all units differ along one axis.
    """
    among = np.ix_(seen, seen)
    root = 1 / np.sqrt(np.diag(working)[seen])
    r = product[among] * np.outer(root, root)
    trace = float(np.trace(r))
    f = max(degrees, 1.01)
    square = f * f / ((f - 1) * (f + 2)) * (float((r**2).sum()) - trace**2 / f)
    ahead = max(trace**2 - 2 * square / f, 0.1 * trace**2)
    return float(np.clip(ahead / max(square, NOTHING), 1, max(int(seen.sum()) - 1, 1)))


def _degrees(
    moments: Moments,
    pair: tuple[Component, Component],
    parts: tuple[Floats, Floats, Floats],
    noise: float,
) -> Floats:
    """Satterthwaite's degrees of freedom of V = first + second + rest, at least 1."""
    total = parts[0] + parts[1] + parts[2]
    if not (pair[0].estimable or pair[1].estimable):
        # Units equal single cells: variance and degrees of freedom are those of the cells.
        return np.asarray(np.maximum(moments.cell.degrees, 1))
    uncertain = np.zeros_like(total)
    for component, part, unit in zip(pair, parts, (moments.first, moments.second), strict=False):
        several = unit.squares < 1 - 1e-9  # of a single unit nothing is known or claimed
        error = (part + noise * parts[2]) ** 2 / np.maximum(component.degrees, 0.1)
        uncertain += np.where(several, error, 0)
    cells = np.maximum(moments.cell.degrees, 1)
    degrees = np.divide(total**2, uncertain, out=cells, where=uncertain > 0)
    return np.asarray(np.maximum(degrees, 1))
