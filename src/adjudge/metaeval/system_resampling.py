"""Values of segments for what other systems would give: systems are drawn, with replacement.

A system that is drawn twice counts twice, but is never compared with itself: a pair of outputs
counts w₁ w₂ times, w being how often their systems were drawn. So accuracies and Kendall's τ are
sums over pairs with these weights, and r has weighted means.
"""

import numpy as np

from adjudge.metaeval.segment_statistics import Grouping, Undefined, group_values
from adjudge.stats.resampling import Resampling
from adjudge.stats.resampling_weights import drawing
from adjudge.stats.units import Floats, Units

_STILL = 1e-12  # of the squares: a variance this small is rounding


def system_weights(systems: int, resampling: Resampling) -> Floats:
    """How often each system is drawn (replicates × systems)."""
    units = Units("system", np.arange(systems), np.ones(systems))
    return drawing((units,), resampling.seed).weights(range(resampling.replicates))


def drawn_values(
    statistic: str,
    by: Grouping,
    undefined: Undefined,
    human: Floats,
    metric: Floats,
    epsilon: float,
    weights: Floats,
) -> Floats | None:
    """A statistic of scores (systems × segments) in every replicate; None where it has no way."""
    if by == "system":
        if statistic not in ("pearson", "spearman", "kendall", "kendall-c", "accuracy"):
            return None
        values = group_values(statistic, human, metric)
        return _mean(np.broadcast_to(values, weights.shape), undefined, weights)
    if statistic == "pearson":
        return _pearson(human, metric, weights, by, undefined)
    if by != "item" or statistic not in ("accuracy", "accuracy-calibrated", "kendall"):
        return None
    first, second = np.triu_indices(len(human), 1)
    pairs = weights[:, first] * weights[:, second]
    dh, dm = (side[first] - side[second] for side in (human, metric))  # (pairs × segments)
    known = np.isfinite(dh) & np.isfinite(dm)
    if statistic == "kendall":
        agreed = np.where(known, np.sign(dh) * np.sign(dm), 0)
        untied = [pairs @ (known & (side != 0)) for side in (dh, dm)]
        return _mean(_ratio(pairs @ agreed, np.sqrt(untied[0] * untied[1])), undefined)
    near = epsilon if statistic == "accuracy-calibrated" else 0.0
    said = np.where(np.abs(dm) <= near, 0, np.sign(dm))
    return _mean(_ratio(pairs @ (known & (said == np.sign(dh))), pairs @ known), "leave-out")


def _pearson(
    human: Floats, metric: Floats, weights: Floats, by: Grouping, undefined: Undefined
) -> Floats:
    """r with weights of systems, of every segment or of all outputs."""
    known = np.isfinite(human) & np.isfinite(metric)
    h, m = (np.where(known, side - side[known].mean(), 0) for side in (human, metric))
    sums = [weights @ part for part in (known, h, m, h * h, m * m, h * m)]
    if by == "none":
        sums = [part.sum(axis=1, keepdims=True) for part in sums]
    number, sum_h, sum_m, hh, mm, hm = sums
    number = np.maximum(number, 1)
    variances = [square - part**2 / number for square, part in ((hh, sum_h), (mm, sum_m))]
    # Rounding must not make a constant group vary.
    varies = (variances[0] > _STILL * hh) & (variances[1] > _STILL * mm)
    scale = np.sqrt(np.where(varies, variances[0] * variances[1], 0))
    return _mean(_ratio(hm - sum_h * sum_m / number, scale), undefined)


def _ratio(above: Floats, below: Floats) -> Floats:
    nothing = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=nothing, where=below > 0))


def _mean(values: Floats, undefined: Undefined, weights: Floats | None = None) -> Floats:
    """The mean over groups (replicates × groups); groups without a value are left out, or 0."""
    known = np.isfinite(values)
    weight = np.ones(values.shape) if weights is None else weights
    counted = weight if undefined == "zero" else weight * known
    return _ratio((weight * np.where(known, values, 0)).sum(axis=1), counted.sum(axis=1))
