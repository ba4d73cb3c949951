"""Statistics of segments: groups of scores, a coefficient in each, their mean (Deutsch 2023).

Scores of systems × segments are taken as one group (`none`), a group for every segment (`item`) or
for every system (`system`). In a group where people or the metric give all the same score, a
correlation is not defined. WMT left such groups out of the mean (`undefined="leave-out"`), which
favours metrics with many ties: the groups they tie are those that would count against them.
`undefined="zero"` counts them as 0, over all groups. Accuracies are always defined.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from adjudge.core.errors import one_of
from adjudge.metaeval.correlations import CORRELATIONS, accuracy
from adjudge.metaeval.tie_calibration import calibrate
from adjudge.stats.units import Floats

Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
Undefined = Literal["leave-out", "zero"]
UNDEFINED: tuple[Undefined, ...] = get_args(Undefined)

DARR = 25.0  # points of direct assessment, from which on two outputs differ (WMT17 to WMT20)


@dataclass(frozen=True)
class SegmentValue:
    """One metric by one statistic."""

    value: float  # NaN where it is not defined
    groups: int  # that entered the mean
    of_groups: int
    epsilon: float | None = None


def grouped(scores: Floats, by: Grouping) -> Floats:
    """Scores (systems × segments) as rows, one a group."""
    match one_of(by, GROUPINGS, "average_by"):
        case "item":
            return scores.T
        case "system":
            return scores
        case _:
            return scores.reshape(1, -1)


def segment_value(
    statistic: str,
    human: Floats,
    metric: Floats,
    by: Grouping = "none",
    undefined: Undefined = "leave-out",
) -> SegmentValue:
    """The statistic of scores (systems × segments) of both sides."""
    judged = np.isfinite(human).any(axis=0)
    h, m = grouped(human[:, judged], by), grouped(metric[:, judged], by)
    return SEGMENT_STATISTICS[one_of(statistic, SEGMENT_STATISTICS, "statistic")](h, m, undefined)


def group_values(statistic: str, human: Floats, metric: Floats) -> Floats:
    """The coefficient of every row."""
    return CORRELATIONS[statistic](human, metric)


Statistic = Callable[[Floats, Floats, Undefined], SegmentValue]


def _mean(statistic: str) -> Statistic:
    def value(human: Floats, metric: Floats, undefined: Undefined) -> SegmentValue:
        values = group_values(statistic, human, metric)
        defined = np.isfinite(values)
        if not defined.any():
            return SegmentValue(float("nan"), 0, len(values))
        if undefined == "zero":
            mean = float(np.where(defined, values, 0).mean())
            return SegmentValue(mean, len(values), len(values))
        return SegmentValue(float(values[defined].mean()), int(defined.sum()), len(values))

    return value


def _accuracy(human: Floats, metric: Floats, undefined: Undefined) -> SegmentValue:
    """Pairwise accuracy with ties, ε = 0."""
    return _mean("accuracy")(human, metric, "leave-out")


def _calibrated(human: Floats, metric: Floats, undefined: Undefined) -> SegmentValue:
    """Pairwise accuracy with ties at the best ε."""
    best = calibrate(human, metric)
    groups = int(np.isfinite(accuracy(human, metric)).sum())
    return SegmentValue(best.accuracy, groups, len(human), best.epsilon)


def _differences(human: Floats, metric: Floats, undefined: Undefined) -> SegmentValue:
    """Pearson's r of the differences of all pairs in all groups, pooled."""
    h, m = _centred(human, metric)
    scale = np.sqrt((h * h).sum() * (m * m).sum())
    value = float((h * m).sum() / scale) if scale > 0 else float("nan")
    return SegmentValue(value, len(human), len(human))


def _darr(human: Floats, metric: Floats, undefined: Undefined) -> SegmentValue:
    """Kendall's τ of pairs that people put at least 25 points apart; a metric's tie is wrong."""
    first, second = np.triu_indices(human.shape[1], 1)
    dh, dm = (side[:, first] - side[:, second] for side in (human, metric))
    counted = (np.abs(dh) >= DARR) & np.isfinite(dm)
    number = int(counted.sum())
    right = int((counted & (dh * dm > 0)).sum())
    value = 2 * right / number - 1 if number else float("nan")
    return SegmentValue(value, int(counted.any(axis=1).sum()), len(human))


def _centred(human: Floats, metric: Floats) -> tuple[Floats, Floats]:
    """Both sides less the means of their rows, weighed so that every pair counts once."""
    known = np.isfinite(human) & np.isfinite(metric)
    number = np.maximum(known.sum(axis=1, keepdims=True), 1)
    weight = np.sqrt(number)  # Σ over pairs of ΔhΔm = n Σ of centred products
    h, m = (np.where(known, side, 0) for side in (human, metric))
    h, m = (np.where(known, side - side.sum(axis=1, keepdims=True) / number, 0) for side in (h, m))
    return h * weight, m * weight


SEGMENT_STATISTICS: Mapping[str, Statistic] = {
    "pearson": _mean("pearson"),
    "spearman": _mean("spearman"),
    "kendall": _mean("kendall"),
    "kendall-c": _mean("kendall-c"),
    "accuracy": _accuracy,
    "accuracy-calibrated": _calibrated,
    "pearson-differences": _differences,
    "darr": _darr,
}
