"""Segment-level statistics: coefficients in groups, their means and intervals.

A statistic is the mean of a coefficient over groups of scores (Deutsch 2023).

Scores of systems × segments are taken as one group (`none`), a group for every segment (`item`) or
for every system (`system`). In a group with constant human or metric scores, a correlation is
undefined. WMT left such groups out of the mean (`undefined="leave-out"`), which favours metrics
with many ties: the groups they tie are those that would count against them. `undefined="zero"`
counts them as 0, over all groups. Accuracies are always defined.

Values of segments for what other systems would give: systems are drawn, with replacement.

A system that is drawn twice counts twice, but is never compared with itself: a pair of outputs
counts w₁ w₂ times, w being how often their systems were drawn. So accuracies and Kendall's τ are
sums over pairs with these weights, and r has weighted means.

Intervals of what metrics agree on with people's scores of segments: what is drawn.

* `segment`, `document` (`auto`): of both sides.
* `judge`, `item`: judges or single judgements; the metric's scores stay as they are.
* `system`: systems, for what other systems would give (`drawn_systems`).

ε of calibrated accuracy is held as all segments give it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from adjudge.core.errors import BadParameter, one_of
from adjudge.core.parallel import progress
from adjudge.metaeval.correlations import CORRELATIONS, accuracy
from adjudge.metaeval.human_scores import RATING_UNITS, require_segments
from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.segment_coefficients import calibrate
from adjudge.metaeval.segment_tests import right_pairs
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.resampling import FEW_UNITS, Codes, Floats, Resampling, Units, drawing, units_of

Grouping = Literal["none", "item", "system"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
Undefined = Literal["leave-out", "zero"]
UNDEFINED: tuple[Undefined, ...] = get_args(Undefined)

DARR = 25.0  # points of direct assessment, from which on two outputs differ (WMT17 to WMT20)


@dataclass(frozen=True)
class SegmentValue:
    """Value of one metric by one statistic."""

    value: float  # NaN where it is not defined
    groups: int  # that entered the mean
    of_groups: int
    epsilon: float | None = None


def grouped(scores: Floats, by: Grouping) -> Floats:
    """Arrange scores (systems × segments) as rows, one per group."""
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
    """Compute the statistic from scores (systems × segments) of both sides."""
    judged = np.isfinite(human).any(axis=0)
    h, m = grouped(human[:, judged], by), grouped(metric[:, judged], by)
    return SEGMENT_STATISTICS[one_of(statistic, SEGMENT_STATISTICS, "statistic")](h, m, undefined)


def group_values(statistic: str, human: Floats, metric: Floats) -> Floats:
    """Coefficient of every row."""
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
    """Kendall's τ of pairs at least 25 points apart by people; a metric's tie is wrong."""
    first, second = np.triu_indices(human.shape[1], 1)
    dh, dm = (side[:, first] - side[:, second] for side in (human, metric))
    counted = (np.abs(dh) >= DARR) & np.isfinite(dm)
    number = int(counted.sum())
    right = int((counted & (dh * dm > 0)).sum())
    value = 2 * right / number - 1 if number else float("nan")
    return SegmentValue(value, int(counted.any(axis=1).sum()), len(human))


def _centred(human: Floats, metric: Floats) -> tuple[Floats, Floats]:
    """Center both sides within rows, weighted so that every pair counts once."""
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


_STILL = 1e-12  # of the squares: a variance this small is rounding


def system_weights(systems: int, resampling: Resampling) -> Floats:
    """Weight of each system in every replicate (replicates × systems)."""
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
    """Statistic of scores (systems × segments) in every replicate; None if not implemented."""
    if by == "system":
        if statistic not in ("pearson", "spearman", "kendall", "kendall-c", "accuracy"):
            return None
        values = group_values(statistic, human, metric)
        return _mean_over_groups(np.broadcast_to(values, weights.shape), undefined, weights)
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
        return _mean_over_groups(_ratio(pairs @ agreed, np.sqrt(untied[0] * untied[1])), undefined)
    near = epsilon if statistic == "accuracy-calibrated" else 0.0
    said = np.where(np.abs(dm) <= near, 0, np.sign(dm))
    return _mean_over_groups(
        _ratio(pairs @ (known & (said == np.sign(dh))), pairs @ known), "leave-out"
    )


def _pearson(
    human: Floats, metric: Floats, weights: Floats, by: Grouping, undefined: Undefined
) -> Floats:
    """Pearson's r with weights of systems, by segment or over all outputs."""
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
    return _mean_over_groups(_ratio(hm - sum_h * sum_m / number, scale), undefined)


def _ratio(above: Floats, below: Floats) -> Floats:
    nothing = np.full(np.shape(above), np.nan)
    return np.asarray(np.divide(above, below, out=nothing, where=below > 0))


def _mean_over_groups(
    values: Floats, undefined: Undefined, weights: Floats | None = None
) -> Floats:
    """Mean over groups (replicates × groups); groups without a value are left out, or count 0."""
    known = np.isfinite(values)
    weight = np.ones(values.shape) if weights is None else weights
    counted = weight if undefined == "zero" else weight * known
    return _ratio((weight * np.where(known, values, 0)).sum(axis=1), counted.sum(axis=1))


@dataclass(frozen=True)
class Question:
    """Statistic and options of a segment-level evaluation."""

    statistic: str
    by: Grouping
    undefined: Undefined

    @property
    def counts_undefined(self) -> bool:
        """Test whether undefined groups count as 0; accuracies are never undefined."""
        return self.undefined == "zero" and "accuracy" not in self.statistic


def drawn_unit(task: MetricsTask, resampling: Resampling) -> Resampling:
    """Replace the unit `auto` by documents, or by segments if few documents are known."""
    if resampling.unit != "auto":
        return resampling.among(("segment", "document", "judge", "item", "system", "none"))
    if len(task.human.segments) < 2:
        return replace(resampling, unit="none")
    document = task.human.document
    known = document is not None and len(np.unique(document)) >= FEW_UNITS
    return replace(resampling, unit="document" if known else "segment")


def segment_intervals(
    task: MetricsTask,
    question: Question,
    main: Floats,
    epsilon: Floats,
    scores: Sequence[Floats],
    resampling: Resampling,
) -> tuple[Floats, Floats]:
    """Confidence limits for every metric; NaN if no method is known."""
    low, high = np.full((2, len(main)), np.nan)
    if resampling.unit == "none":
        return low, high
    for m, drawn in _drawn(task, question, main, epsilon, scores, resampling):
        low[m], high[m] = (end[0] for end in drawn.interval())
    return low, high


def _drawn(
    task: MetricsTask,
    question: Question,
    main: Floats,
    epsilon: Floats,
    scores: Sequence[Floats],
    resampling: Resampling,
) -> Iterator[tuple[int, Bootstrapped]]:
    """Yield the replicates of every metric that has a value."""
    human = require_segments(task.human)
    metrics = [int(m) for m in np.flatnonzero(np.isfinite(main))]
    if resampling.unit in RATING_UNITS:
        drawn, number = _of_ratings(task, question, epsilon, scores, metrics, resampling)
        for place, m in enumerate(metrics):
            yield m, Bootstrapped(main[m : m + 1], drawn[:, [place]], number, resampling.level)
        return
    if resampling.unit == "system":
        weights = system_weights(len(human), resampling)
        for m in metrics:
            weighted = drawn_values(
                question.statistic,
                question.by,
                question.undefined,
                human,
                scores[m],
                epsilon[m],
                weights,
            )
            if weighted is None:
                return
            yield m, Bootstrapped(main[m : m + 1], weighted[:, None], len(human), resampling.level)
        return
    units = _units(task, resampling)
    for m in metrics:
        if (question.statistic, question.by) == ("pearson", "none"):
            yield m, bootstrap(_sums(human, scores[m]), _pearson_of_sums, (units,), resampling)
            continue
        values = _of_segments(question, human, scores[m], epsilon[m])
        if values is None:
            return
        there = np.isfinite(values)
        counted = np.isfinite(human).any(axis=0) if question.counts_undefined else there
        sums = np.stack([np.where(there, values, 0), 1.0 * counted], axis=1)
        yield m, bootstrap(sums, _mean_of_sums, (units,), resampling)


def _of_ratings(
    task: MetricsTask,
    question: Question,
    epsilon: Floats,
    scores: Sequence[Floats],
    metrics: Sequence[int],
    resampling: Resampling,
) -> tuple[Floats, float]:
    """Values (replicates × metrics) under resampling of judges or judgements, and the number of
    units.
    """
    ratings = task.human.ratings
    if ratings is None:
        raise BadParameter(
            f'`unit="{resampling.unit}"` is not known of these scores; draw "segment", "document" '
            'or "system"'
        )
    units = ratings.units(resampling, task.pair)
    draw = ratings.drawer(units, resampling.seed)
    steps = [("Replicates", number) for number in range(resampling.replicates)]
    values = [
        [_value(question, human, scores[m], epsilon[m]) for m in metrics]
        for human in map(draw, progress(steps))
    ]
    return np.array(values), units.effective_number


def _value(question: Question, human: Floats, metric: Floats, epsilon: float) -> float:
    values = _of_segments(question, human, metric, epsilon)
    if values is None or question.counts_undefined:
        asked = (question.statistic, human, metric, question.by, question.undefined)
        return segment_value(*asked).value
    known = np.isfinite(values)
    return float(values[known].mean()) if known.any() else float("nan")


def _of_segments(
    question: Question, human: Floats, metric: Floats, epsilon: float
) -> Floats | None:
    """Value of every segment; None if the statistic is not a mean over segments."""
    statistic = question.statistic
    if question.by != "item":
        return None
    if statistic == "accuracy-calibrated":
        right = right_pairs(human.T, metric.T, epsilon)
        first, second = np.triu_indices(len(human), 1)
        known = np.isfinite(human.T[:, first] - human.T[:, second])
        number = known.sum(axis=1)
        total = (right & known).sum(axis=1)
        nothing = np.full(len(number), np.nan)
        return np.asarray(np.divide(total, number, out=nothing, where=number > 0))
    if statistic in ("pearson", "spearman", "kendall", "kendall-c", "accuracy"):
        return group_values(statistic, human.T, metric.T)
    return None


def _units(task: MetricsTask, resampling: Resampling) -> Units:
    segments = len(task.human.segments)
    label: Codes = np.arange(segments)
    if resampling.unit == "document":
        label = task.human.document if task.human.document is not None else np.full(segments, -1)
    return units_of(label, resampling.unit, alone=np.arange(segments), about=task.pair)


def _sums(human: Floats, metric: Floats) -> Floats:
    """Sufficient statistics of r over all outputs, for every segment."""
    known = np.isfinite(human) & np.isfinite(metric)
    h, m = np.where(known, human, 0), np.where(known, metric, 0)
    h, m = h - h[known].mean() * known, m - m[known].mean() * known
    return np.stack([(x * known).sum(axis=0) for x in (known, h, m, h * h, m * m, h * m)], axis=1)


def _pearson_of_sums(sums: Floats) -> Floats:
    n, h, m, hh, mm, hm = np.moveaxis(sums, -1, 0)
    n = np.maximum(n, 1)
    below = np.sqrt(np.maximum((hh - h * h / n) * (mm - m * m / n), 0))
    nothing = np.full(np.shape(below), np.nan)
    return np.asarray(np.divide(hm - h * m / n, below, out=nothing, where=below > 0))[..., None]


def _mean_of_sums(sums: Floats) -> Floats:
    total, number = np.moveaxis(sums, -1, 0)
    nothing = np.full(np.shape(total), np.nan)
    return np.asarray(np.divide(total, number, out=nothing, where=number > 0))[..., None]
