"""Evaluation of metrics on one language pair, ranked by agreement with people.

The first statistic orders the metrics. Intervals are of that statistic and depend on the resampling
unit; p-values are of all pairs of metrics, and clusters (`clusters`) come from them, adjusted for
their number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.metaeval.correlations import CorrelationGaps
from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.missing_scores import undefined_notes
from adjudge.metaeval.permutation import metric_clusters
from adjudge.metaeval.submission import Submission
from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import Floats, Resampling
from adjudge.stats.tests import Correction, adjusted

TIES_EVERYTHING = "(ties everything)"


@dataclass(frozen=True, eq=False)
class MetaEvaluation:
    """Metrics of one language pair, best first, those without a value last.

    Attributes
    ----------
    metrics : tuple of str
        The metrics in the order of the first of `statistics`.
    values : array (metrics × statistics)
        How far each agrees with people; NaN where that is not defined.
    lows, highs : array (metrics × statistics)
        The intervals, for what was drawn (`resampling`): of the first statistic, `low` and `high`,
        and of all variants of τ; NaN elsewhere.
    p : array (metrics × metrics)
        One-sided, that the row's metric is better than the column's; `p_adjusted` is adjusted
        over all pairs. NaN if untested.
    cluster : array (metrics,)
        Metrics that no test separates, from 1; 0 without a value.
    gaps : CorrelationGaps or None
        Of two r of systems: Zou's interval of their difference, and p of Williams's test.
    ties_everything : array (statistics,) or None
        What a metric that ties all outputs would get at the level of segments.
    human_scores, metric_scores : array
        Of the systems, whose `names` are beside them; a metric's as it gives them.
    notes : tuple of str
        What does not meet, what was turned, what has no value and why.
    """

    pair: str
    level: str  # system, segment
    human: str  # the scale or the ranking method
    statistics: tuple[str, ...]
    average_by: str | None
    resampling: Resampling  # with the unit that was taken
    correction: Correction
    metrics: tuple[str, ...]
    turned: tuple[bool, ...]  # lower scores are better, so they were turned
    values: Floats  # (metrics × statistics), NaN where not defined
    lows: Floats  # (metrics × statistics)
    highs: Floats
    epsilon: Floats  # (metrics,), of calibrated accuracy
    p: Floats  # [i, j]: one-sided, that i is better than j; NaN if untested
    cluster: Ranks  # 0: no value
    systems: int
    items: int  # what was counted: systems, segments or comparisons
    notes: tuple[str, ...]
    names: tuple[str, ...]  # of the systems
    human_scores: Floats  # (systems,)
    metric_scores: Floats  # (metrics × systems), as the metric gives them; NaN where it does not
    gaps: CorrelationGaps | None = None
    ties_everything: Floats | None = None

    @property
    def low(self) -> Floats:
        """Lower confidence limits of the first statistic."""
        return np.asarray(self.lows[:, 0])

    @property
    def high(self) -> Floats:
        """Upper confidence limits of the first statistic."""
        return np.asarray(self.highs[:, 0])

    @property
    def p_adjusted(self) -> Floats:
        """p-values adjusted over all pairs of metrics; NaN for untested pairs."""
        return np.where(np.isfinite(self.p), _adjusted(self.p, self.correction), np.nan)

    def pair_rows(self) -> list[dict[str, Any]]:
        """Return one row per tested pair of metrics, the better one first."""
        p_adjusted = self.p_adjusted
        main = self.values[:, 0]
        nothing = np.full_like(self.p, np.nan)
        gaps = self.gaps or CorrelationGaps(nothing, nothing, nothing)
        return [
            {
                "pair": self.pair or None,
                "level": self.level,
                "human": self.human,
                "metric": self.metrics[i],
                "other_metric": self.metrics[j],
                "statistic": self.statistics[0],
                "average_by": self.average_by,
                "difference": main[i] - main[j],
                "difference_low": gaps.low[i, j],
                "difference_high": gaps.high[i, j],
                "p": self.p[i, j],
                "p_adjusted": p_adjusted[i, j],
                "p_williams": gaps.p[i, j],
            }
            for i, j in np.argwhere(np.isfinite(self.p))
        ]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per metric and statistic; last, a metric that ties everything."""
        rows = []
        for m, metric in enumerate(self.metrics):
            for s, statistic in enumerate(self.statistics):
                rows.append(
                    self._row(metric, statistic, self.values[m, s])
                    | {"low": self.lows[m, s], "high": self.highs[m, s]}
                    | ({"cluster": int(self.cluster[m]) or None} if s == 0 else {})
                    | {"epsilon": self.epsilon[m] if "calibrated" in statistic else None}
                    | {"turned": self.turned[m]}
                )
        if self.ties_everything is not None:
            tied = zip(self.statistics, self.ties_everything, strict=True)
            rows += [
                self._row(TIES_EVERYTHING, statistic, value) | {"is_metric": False}
                for statistic, value in tied
            ]
        return rows

    def _row(self, metric: str, statistic: str, value: float) -> dict[str, Any]:
        return {
            "pair": self.pair or None,
            "level": self.level,
            "human": self.human,
            "metric": metric,
            "is_metric": True,
            "statistic": statistic,
            "average_by": self.average_by,
            "value": value,
            "low": None,
            "high": None,
            "cluster": None,
            "epsilon": None,
            "turned": False,
            "systems": self.systems,
            "items": self.items,
            "unit": self.resampling.unit,
            "replicates": self.resampling.replicates,
            "seed": self.resampling.seed,
        }


@dataclass(frozen=True, eq=False)
class Values:
    """Results of a level, metrics in the order of the task."""

    statistics: tuple[str, ...]
    values: Floats  # (metrics × statistics)
    low: Floats  # (metrics,) of the first statistic, or (metrics × statistics)
    high: Floats
    p: Floats  # (metrics × metrics), [i, j]: i is better than j
    items: int
    epsilon: Floats | None = None
    average_by: str | None = None
    notes: tuple[str, ...] = ()
    gaps: CorrelationGaps | None = None
    ties_everything: Floats | None = None


def evaluation(
    task: MetricsTask,
    level: str,
    found: Values,
    resampling: Resampling,
    correction: Correction,
) -> MetaEvaluation:
    """Rank the metrics, with clusters and notes."""
    main = found.values[:, 0]
    order = np.argsort(-np.where(np.isnan(main), -np.inf, np.round(main, 12)), kind="stable")
    defined = np.isfinite(main[order])
    p = found.p[np.ix_(order, order)]
    cluster = np.zeros(len(order), np.int64)
    number = int(defined.sum())
    if number:
        cluster[:number] = metric_clusters(_adjusted(p[:number, :number], correction))
    names = [each.metric for each in task.submissions]
    epsilon = found.epsilon if found.epsilon is not None else np.full(len(names), np.nan)
    return MetaEvaluation(
        pair=task.pair,
        level=level,
        human=task.human.name,
        statistics=found.statistics,
        average_by=found.average_by,
        resampling=resampling,
        correction=correction,
        metrics=tuple(names[i] for i in order),
        turned=tuple(task.submissions[i].turned for i in order),
        values=found.values[order],
        lows=_of_statistics(found.low, found.values)[order],
        highs=_of_statistics(found.high, found.values)[order],
        epsilon=epsilon[order],
        p=p,
        cluster=cluster,
        systems=len(task.systems),
        items=found.items,
        notes=(
            *task.notes,
            *turned_note(task),
            *undefined_notes(task, level, main),
            *_negative_note(names, found.statistics[0], main),
            *found.notes,
        ),
        names=task.systems,
        human_scores=task.human.system_scores,
        metric_scores=np.array([_as_given(task.submissions[i]) for i in order]),
        gaps=None if found.gaps is None else found.gaps.in_order(order),
        ties_everything=found.ties_everything,
    )


def _of_statistics(ends: Floats, values: Floats) -> Floats:
    """Limits of all statistics; NaN for all but the first if only that has intervals."""
    if ends.ndim == 2:
        return ends
    return np.concatenate([ends[:, None], np.full((len(values), values.shape[1] - 1), np.nan)], 1)


def _as_given(submission: Submission) -> Floats:
    """System scores in their original orientation."""
    scores = submission.system_scores
    if scores is None:
        return np.full(len(submission.systems), np.nan)
    return -scores if submission.turned else scores


def _adjusted(p: Floats, correction: Correction) -> Floats:
    """Adjust the p-values of pairs i < j over all of them; the others are 1."""
    upper = np.triu_indices(len(p), 1)
    out = np.ones_like(p)
    known = np.isfinite(p[upper])
    if known.any():
        values = p[upper]
        values[known] = adjusted(values[known], correction)
        out[upper] = np.where(known, values, 1.0)
    return out


def turned_note(task: MetricsTask) -> list[str]:
    """Note on metrics whose orientation was reversed."""
    names = [each.metric for each in task.submissions if each.turned]
    if not names:
        return []
    return [f"Lower scores are better by {', '.join(names)} (↓): turned before comparing."]


def _negative_note(names: Sequence[str], statistic: str, main: Floats) -> list[str]:
    if "accuracy" in statistic:
        return []
    negative = [name for name, value in zip(names, main, strict=True) if value < 0]
    if not negative:
        return []
    return [
        f"Negative: {', '.join(negative)}. If lower scores are better by one of them, name it "
        "with `lower`."
    ]


def pairs_in_order(main: Floats) -> tuple[Ranks, Ranks]:
    """All pairs of metrics with a value, the better one first."""
    order = [i for i in np.argsort(-main, kind="stable") if np.isfinite(main[i])]
    first, second = np.triu_indices(len(order), 1)
    places = np.array(order, np.int64)
    return places[first], places[second]
