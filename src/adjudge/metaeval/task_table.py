"""Ranking of metrics over several tasks, as published by WMT23 and WMT24.

A task is a statistic at one level. The average of a metric is the mean of its tasks, of which a
correlation r counts as (r + 1) / 2 and an accuracy as it is. All tasks of one language pair weigh
the same (Freitag 2023 and 2024).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.core.errors import one_of
from adjudge.metaeval.evaluation import turned_note
from adjudge.metaeval.human_scores import require_segments
from adjudge.metaeval.metrics_task import MetricsTask
from adjudge.metaeval.segment_level import scores_of_segments
from adjudge.metaeval.segment_statistics import Grouping, segment_value
from adjudge.metaeval.system_level import system_value
from adjudge.stats.ranks import Ranks
from adjudge.stats.resampling import Floats


@dataclass(frozen=True)
class Task:
    """Statistic at one level."""

    level: str  # system, segment
    statistic: str
    average_by: Grouping | None = None  # of segments


_SEGMENTS_WITH_TIES = Task("segment", "accuracy-calibrated", "item")
TASK_TABLES: Mapping[str, tuple[Task, ...]] = {
    "wmt23": (
        Task("system", "accuracy"),
        Task("system", "pearson"),
        Task("segment", "pearson", "none"),
        _SEGMENTS_WITH_TIES,
    ),
    "wmt24": (Task("system", "soft-accuracy"), _SEGMENTS_WITH_TIES),
}


@dataclass(frozen=True, eq=False)
class TaskTable:
    """Metrics of one language pair by their average over tasks, incomplete ones last."""

    pair: str
    human: str
    table: str
    tasks: tuple[Task, ...]
    metrics: tuple[str, ...]
    turned: tuple[bool, ...]
    values: Floats  # (metrics × tasks), NaN where not defined
    average: Floats  # (metrics,)
    rank: Ranks  # equal averages share a rank; 0: no average
    systems: int
    notes: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per metric and task."""
        return [
            {
                "pair": self.pair or None,
                "human": self.human,
                "table": self.table,
                "rank": int(self.rank[m]) or None,
                "metric": metric,
                "average": self.average[m],
                "level": task.level,
                "statistic": task.statistic,
                "average_by": task.average_by,
                "value": self.values[m, t],
                "turned": self.turned[m],
                "systems": self.systems,
            }
            for m, metric in enumerate(self.metrics)
            for t, task in enumerate(self.tasks)
        ]


def task_table(task: MetricsTask, table: str = "wmt23") -> TaskTable:
    """Evaluate every metric by every task of a published table, the best average first."""
    tasks = TASK_TABLES[one_of(table, TASK_TABLES, "table")]
    values = np.stack([_values(task, each) for each in tasks], axis=1)
    shares = [
        column if "accuracy" in each.statistic else (column + 1) / 2
        for column, each in zip(values.T, tasks, strict=True)
    ]
    average = np.mean(shares, axis=0)
    compared = np.where(np.isnan(average), -np.inf, np.round(average, 12))
    order = np.argsort(-compared, kind="stable")
    rank = 1 + (compared[:, None] < compared[None, :]).sum(axis=1)
    rank[np.isnan(average)] = 0
    return TaskTable(
        pair=task.pair,
        human=task.human.name,
        table=table,
        tasks=tasks,
        metrics=tuple(task.submissions[m].metric for m in order),
        turned=tuple(task.submissions[m].turned for m in order),
        values=values[order],
        average=average[order],
        rank=rank[order],
        systems=len(task.systems),
        notes=(*task.notes, *turned_note(task), *_lacking_note(task, average)),
    )


def _values(task: MetricsTask, asked: Task) -> Floats:
    """Values of every metric by one task."""
    if asked.level == "system":
        return np.array([system_value(task, each, asked.statistic) for each in task.submissions])
    human = require_segments(task.human)
    return np.array(
        [
            np.nan
            if scores is None
            else segment_value(asked.statistic, human, scores, asked.average_by or "none").value
            for scores in scores_of_segments(task)
        ]
    )


def _lacking_note(task: MetricsTask, average: Floats) -> list[str]:
    names = [
        each.metric
        for each, value in zip(task.submissions, average, strict=True)
        if np.isnan(value)
    ]
    if not names:
        return []
    return [f"Without a value in every task there is no average: {', '.join(names)}."]
