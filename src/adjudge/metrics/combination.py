"""Combination of metrics, as in UPC and DiscoTK-party (Macháček 2014 §4.2.6, §4.2.9).

The segment scores of every metric are normalised over all segments and systems, oriented so that
higher is better: from 0 to 1 (`minmax`), or to mean 0 and standard deviation 1 (`z`). Then they are
averaged with equal weights, or with weights learned from human preferences.

Weights are learned by pairwise classification (§4.2.2): of two outputs of a segment the better
one's scores minus the worse one's make a positive example, the other way round a negative one, and
a logistic regression without an intercept separates the two. Scores by people serve the same way:
two outputs of a segment with different scores are a pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from adjudge.core.errors import BadParameter, NotEnoughData, one_of
from adjudge.data.comparisons import Comparisons
from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics
from adjudge.metrics.sufficient_statistics import Measured
from adjudge.stats.resampling import Codes

SCALINGS = ("minmax", "z")
PENALTY = 1.0  # on squared weights, so that metrics that say the same share them


def scaled(scores: Floats, scaling: str = "minmax") -> Floats:
    """Normalise scores (segments × metrics); a constant metric becomes 0."""
    one_of(scaling, SCALINGS, "scaling")
    if scaling == "minmax":
        low, spread = scores.min(axis=0), np.ptp(scores, axis=0)
    else:
        low, spread = scores.mean(axis=0), scores.std(axis=0)
    return np.asarray((scores - low) / np.where(spread > 0, spread, 1.0))


def combined(scores: Floats, weights: Sequence[float] | None = None) -> Floats:
    """Weighted mean of normalised scores (segments × metrics); equal weights by default."""
    if weights is None:
        return np.asarray(scores.mean(axis=1))
    if len(weights) != scores.shape[1]:
        raise BadParameter(
            f"`weights` has {len(weights)} numbers for {scores.shape[1]} metrics; give one each"
        )
    total = np.abs(weights).sum()
    if not total > 0:
        raise BadParameter("`weights` are all 0; give one that is not")
    return np.asarray(scores @ np.asarray(weights, np.float64) / total)


def learnt_weights(better: Floats, worse: Floats) -> Floats:
    """Learn weights from pairs (pairs × metrics): scores of the better output, and of the worse."""
    return separating(np.asarray(better - worse, np.float64))


def separating(difference: Floats) -> Floats:
    """Weights of a logistic regression on differences, all of which should be positive."""
    if len(difference) < 2:
        raise NotEnoughData("weights cannot be learnt from fewer than two pairs")

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = difference @ weights
        value = -log_expit(margin).sum() + 0.5 * PENALTY * weights @ weights
        return float(value), -difference.T @ expit(-margin) + PENALTY * weights

    def curvature(weights: Floats) -> Floats:
        right = expit(difference @ weights)
        bent = difference.T @ (difference * (right * (1 - right))[:, None])
        return np.asarray(bent + PENALTY * np.eye(len(weights)))

    start = np.zeros(difference.shape[1])
    optimum = minimize(loss, start, jac=True, hess=curvature, method="trust-exact")
    return np.asarray(optimum.x)


@dataclass(frozen=True)
class Combined(Metric):
    """Mean of several metrics, which needs all systems at once."""

    name: ClassVar[str] = "combined"
    title: ClassVar[str] = "combined"
    summary: ClassVar[str] = "weighted mean of scaled metrics"
    paper: ClassVar[str] = "Macháček 2014 §4.2"
    scale: ClassVar[str] = "0 to 1, or around 0"

    of: str = ""
    scaling: str = "minmax"

    def statistics(self, references: References) -> Statistics:
        """Refuse a single system, for which normalisation is undefined."""
        raise BadParameter("metrics are combined over all systems: `Texts.combined`")

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)


def features_of(measured: Sequence[Measured], scaling: str) -> Floats:
    """Normalised scores of every segment, system and metric, oriented so that higher is better."""
    scores = np.stack([each.sign * each.segment_scores() for each in measured], axis=-1)
    return scaled(scores.reshape(-1, len(measured)), scaling).reshape(scores.shape)


def combine(
    measured: Sequence[Measured], weights: Sequence[float] | None, scaling: str
) -> Measured:
    """Combine all metrics into one."""
    features = features_of(measured, scaling)
    scores = combined(features.reshape(-1, len(measured)), weights)
    statistics = scores_and_ones(scores).reshape(*features.shape[:2], 2)
    metric = Combined("+".join(each.metric.short for each in measured), scaling)
    return replace(measured[0], metric=metric, statistics=statistics)


def learnt_from(
    measured: Sequence[Measured], comparisons: Comparisons, scaling: str
) -> tuple[list[float], int]:
    """Learn weights from human preferences; return them with the number of pairs. Segments are
    lines.
    """
    features = features_of(measured, scaling)
    line, better, worse = preferred(comparisons, measured[0].systems, len(features))
    return learnt_weights(features[line, better], features[line, worse]).tolist(), len(line)


def preferred(
    comparisons: Comparisons, systems: Sequence[str], segments: int
) -> tuple[Codes, Codes, Codes]:
    """Line, better system and worse system of every preference, by number."""
    system = _places(comparisons.systems, {name: i for i, name in enumerate(systems)})
    lines = {str(number + 1): number for number in range(segments)}
    line = _places(comparisons.segments, lines)[comparisons.segment]
    left, right = system[comparisons.left], system[comparisons.right]
    known = (left >= 0) & (right >= 0) & (line >= 0) & (comparisons.outcome != 0)
    if not known.any():
        raise NotEnoughData(
            "people preferred no output of these systems; call systems the same in both, and "
            "segments by the numbers of their lines"
        )
    first = comparisons.outcome[known] > 0
    left, right = left[known], right[known]
    return line[known], np.where(first, left, right), np.where(first, right, left)


def weighing(metrics: Sequence[Metric], weights: Sequence[float]) -> str:
    """Format weights: `bleu 0.5, ter 1.2`."""
    named = zip(metrics, weights, strict=False)
    return ", ".join(f"{metric.short} {weight:.3g}" for metric, weight in named)


def _places(names: Sequence[str], known: dict[str, int]) -> Codes:
    """Index of each name, −1 for unknown names; the last entry is for missing names."""
    return np.array([*(known.get(name, -1) for name in names), -1])
