"""Attenuation of correlations by noise, and replicates corrected for it.

Scores of systems from few judgements and texts are true scores and noise, and noise makes two sides
agree less than they do. A replicate has the noise twice: that of the judgements and that of drawing
them. So percentiles of plain replicates lie far too low (docs/metaeval.md says how far).

Let S be the covariance of the two sides over systems (2 × 2), and T what the noise adds to it, as
the replicates show by their own covariance around the scores. On average S = A + T, A being that
of the true scores, and of a replicate S* = A + 2 T. A replicate therefore stands for true scores
with the covariance

    A* = S* − T − T n/(n − 1)

(a bootstrap of n units has the variance of n − 1 of them; eigenvalues below 0 become 0). Its scores
x* = (people's, metric's) become L x*, where L is symmetric and L S* L = A*: the least change that
gives them this covariance (the map of optimal transport between normal distributions),

    L = S*^(−1/2) (S*^(1/2) A* S*^(1/2))^(1/2) S*^(−1/2)

and any coefficient is taken of these. Pearson's r then is that of A*: r corrected for attenuation
(Spearman 1904) in every replicate. Where noise leaves nothing of one side, a replicate says
nothing; such ones stand at the two ends of the coefficient in turn, and make the interval wide.
"""

import numpy as np

from adjudge.metaeval.correlations import Coefficient
from adjudge.stats.resampling import Floats

NOTHING = 1e-9  # of the variance of the scores


def true_replicates(
    coefficient: Coefficient,
    scores: tuple[Floats, Floats],
    replicates: tuple[Floats, Floats],
    number: float,
    ends: tuple[float, float],
) -> Floats:
    """Coefficient of every replicate, corrected for noise (replicates,).

    `scores` are those of people and of the metric (systems,), `replicates` those of each
    (replicates × systems), `number` the number of units drawn, `ends` the bounds of the
    coefficient.
    """
    drawn = np.stack(np.broadcast_arrays(*replicates), axis=1)  # (replicates × 2 × systems)
    known = np.isfinite(drawn).all(axis=(1, 2))
    values = np.full(len(drawn), np.nan)
    scale = np.std(np.stack(scores), axis=1)
    if not known.any() or not (scale > 0).all():
        return values
    drawn = drawn[known] / scale[:, None]
    noise = _covariance(drawn - drawn.mean(axis=0)).mean(axis=0)
    seen = _covariance(drawn)
    true = _power(seen - noise * (1 + 1 / (1 - 1 / max(number, 1.5))), 1.0)
    root, inverse = _power(seen, 0.5), _power(seen, -0.5)
    shrink = inverse @ _power(root @ true @ root, 0.5) @ inverse
    moved = shrink @ (drawn - drawn.mean(axis=2, keepdims=True))
    cleared = coefficient(moved[:, 0], moved[:, 1])
    silent = (np.diagonal(true, axis1=1, axis2=2) < NOTHING).any(axis=1) | np.isnan(cleared)
    values[known] = np.where(silent, np.where(np.cumsum(silent) % 2 == 0, *ends), cleared)
    return values


def _covariance(sides: Floats) -> Floats:
    """Covariance of the two sides over systems (… × 2 × systems)."""
    centred = sides - sides.mean(axis=-1, keepdims=True)
    return np.asarray(centred @ np.swapaxes(centred, -1, -2) / sides.shape[-1])


def _power(matrix: Floats, exponent: float) -> Floats:
    """Power of symmetric matrices; eigenvalues that are not positive become 0 for any power."""
    value, vector = np.linalg.eigh(matrix)
    least = NOTHING * np.maximum(value[..., -1:], NOTHING)
    power = np.where(value > least, np.maximum(value, least) ** exponent, 0.0)
    return np.asarray((vector * power[..., None, :]) @ np.swapaxes(vector, -1, -2))
