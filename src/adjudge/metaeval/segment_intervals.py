"""Intervals of what metrics agree on with people's scores of segments: what is drawn.

* `segment`, `document` (`auto`): of both sides.
* `judge`, `item`: judges or single judgements; the metric's scores stay as they are.
* `system`: systems, for what other systems would give (`drawn_systems`).

ε of calibrated accuracy is held as all segments give it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from adjudge.core.errors import BadParameter
from adjudge.core.parallel import progress
from adjudge.metaeval.human_tables import require_segments
from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.ratings import RATING_UNITS
from adjudge.metaeval.segment_statistics import (
    Grouping,
    Undefined,
    group_values,
    segment_value,
)
from adjudge.metaeval.segment_tests import right_pairs
from adjudge.metaeval.system_resampling import drawn_values, system_weights
from adjudge.stats.bootstrap import Bootstrapped, bootstrap
from adjudge.stats.resampling import Resampling
from adjudge.stats.units import FEW_UNITS, Codes, Floats, Units, units_of


@dataclass(frozen=True)
class Question:
    """What is worked out of scores of segments."""

    statistic: str
    by: Grouping
    undefined: Undefined

    @property
    def counts_undefined(self) -> bool:
        """Do segments without a value count as 0? Accuracies always have one."""
        return self.undefined == "zero" and "accuracy" not in self.statistic


def drawn_unit(task: MetricsTask, resampling: Resampling) -> Resampling:
    """With the unit that is drawn: `auto` is documents, or segments where few are known."""
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
    """Low and high end for every metric; NaN where no way is known."""
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
    """The replicates of every metric that has a value."""
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
            yield m, bootstrap(_sums(human, scores[m]), _pearson, (units,), resampling)
            continue
        values = _of_segments(question, human, scores[m], epsilon[m])
        if values is None:
            return
        there = np.isfinite(values)
        counted = np.isfinite(human).any(axis=0) if question.counts_undefined else there
        sums = np.stack([np.where(there, values, 0), 1.0 * counted], axis=1)
        yield m, bootstrap(sums, _mean, (units,), resampling)


def _of_ratings(
    task: MetricsTask,
    question: Question,
    epsilon: Floats,
    scores: Sequence[Floats],
    metrics: Sequence[int],
    resampling: Resampling,
) -> tuple[Floats, float]:
    """The values (replicates × metrics) with judges or judgements drawn, and how many there are."""
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
    """The value of every segment; None where the value is no mean of these."""
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
    """What r of all outputs is made of, for every segment."""
    known = np.isfinite(human) & np.isfinite(metric)
    h, m = np.where(known, human, 0), np.where(known, metric, 0)
    h, m = h - h[known].mean() * known, m - m[known].mean() * known
    return np.stack([(x * known).sum(axis=0) for x in (known, h, m, h * h, m * m, h * m)], axis=1)


def _pearson(sums: Floats) -> Floats:
    n, h, m, hh, mm, hm = np.moveaxis(sums, -1, 0)
    n = np.maximum(n, 1)
    below = np.sqrt(np.maximum((hh - h * h / n) * (mm - m * m / n), 0))
    nothing = np.full(np.shape(below), np.nan)
    return np.asarray(np.divide(hm - h * m / n, below, out=nothing, where=below > 0))[..., None]


def _mean(sums: Floats) -> Floats:
    total, number = np.moveaxis(sums, -1, 0)
    nothing = np.full(np.shape(total), np.nan)
    return np.asarray(np.divide(total, number, out=nothing, where=number > 0))[..., None]
