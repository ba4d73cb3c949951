"""Active selection of comparisons: expected reduction of misordered pairs.

Davidson's strengths have a covariance over other judges and texts. More comparisons of a pair
lessen the rest of it (a rank-one update of the information), not what judges and texts share. The
gain is the fall in the expected number of pairs of systems in the wrong order,
Φ(−|δ|/s) − 2 T(|δ|/s, s′/√(s² − s′²)) summed over pairs, T being Owen's function.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, owens_t

from adjudge.core.parallel import Engine
from adjudge.data.votes.cells import Judged
from adjudge.data.win_counts import WinCounts, count
from adjudge.ranking.assessment import assess
from adjudge.ranking.methods.davidson import METHOD as DAVIDSON
from adjudge.ranking.models.paired_comparison import (
    DavidsonModel,
    Floats,
    chances,
    fit,
    pairs_of,
    precision,
)
from adjudge.ranking.population import auto_unit
from adjudge.stats.resampling import Resampling, Unit

MODEL = DavidsonModel()


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior of Davidson's strengths from independent comparisons."""

    systems: tuple[str, ...]
    strengths: Floats
    tie: float  # log ν
    covariance: Floats  # of strengths and log ν

    def information(self) -> Floats:
        """Information of one comparison of each pair about the difference (pairs as `pairs_of`)."""
        first, second = pairs_of(len(self.systems))
        better, worse, _ = chances(
            self.strengths[first] - self.strengths[second], np.array(self.tie)
        )
        return (better + worse - (better - worse) ** 2) / 4


def posterior(counts: WinCounts) -> Posterior:
    """Compute strengths and their covariance; without comparisons, the prior."""
    fitted = fit(MODEL, counts.wins, counts.ties)
    known = precision(MODEL, counts.wins, counts.ties, fitted)
    covariance = np.linalg.inv(known).astype(np.float64, copy=False)
    return Posterior(counts.systems, fitted.strengths, float(fitted.tie), covariance)


def suggestions(comparisons: Judged, unit: Unit = "auto") -> list[tuple[str, str, float]]:
    """Rank all pairs of systems by usefulness of a further comparison, with the gain of each."""
    if unit == "auto":
        unit = auto_unit(comparisons)
    strengths = assess(comparisons, DAVIDSON, Resampling(unit), Engine())
    shared = sum(part for name, part in strengths.covariances.items() if name != "rest")
    return next_comparisons(
        count(comparisons), rest=strengths.covariances["rest"], shared=np.asarray(shared)
    )


def next_comparisons(
    counts: WinCounts,
    batch: int | None = None,
    rest: Floats | None = None,
    shared: Floats | None = None,
) -> list[tuple[str, str, float]]:
    """Rank all pairs of systems by usefulness of a further comparison, with the gain of each.

    The gain is the reduction in the expected number of misordered pairs by `batch` comparisons of
    the pair (a twentieth of those so far, at least ten), per thousand comparisons. They reduce
    `rest`, a covariance of the strengths, and not the variance shared by judges and texts; by
    default all comparisons are independent.
    """
    batch = batch or max(10, int(np.triu(counts.comparisons).sum()) // 20)
    known = posterior(counts)
    first, second = pairs_of(len(counts.systems))
    sigma = known.covariance[:-1, :-1] if rest is None else rest
    to_pairs = sigma[first] - sigma[second]  # covariance of each difference with each strength
    between = to_pairs[:, first] - to_pairs[:, second]
    alone = np.diagonal(between)
    fixed = np.zeros_like(sigma) if shared is None else shared
    variance = alone + fixed[first, first] + fixed[second, second] - 2 * fixed[first, second]
    # Comparisons of one ranking are not independent: a comparison says so much less.
    effect = 1.0
    if rest is not None:
        simple = known.covariance[:-1, :-1]
        differences = simple[first, first] + simple[second, second] - 2 * simple[first, second]
        effect = max(float((alone / differences).mean()), 0.05)
    weight = batch * known.information() / effect
    # Row: the pair asked for. Column: the pair whose difference becomes better known.
    explained = between**2 * (weight / (1 + weight * alone))[:, None]
    # Two systems that every judge tied have no variance between them: nothing is left to learn.
    sure = np.maximum(variance, 1e-30)
    certain = np.abs(known.strengths[first] - known.strengths[second]) / np.sqrt(sure)
    left = np.sqrt(np.maximum(sure - explained, 0) / np.maximum(explained, 1e-300))
    gain = (ndtr(-certain) - 2 * owens_t(certain, left)).sum(axis=1) * 1000 / batch
    return [
        (counts.systems[first[i]], counts.systems[second[i]], float(gain[i]))
        for i in np.argsort(-gain, kind="stable")
    ]
