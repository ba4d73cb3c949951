"""Metrics in a report on scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudge.core.tables.table import Table
from adjudge.metaeval.human_comparison import beside
from adjudge.metaeval.tables.human_comparison import beside_table
from adjudge.metrics.system_scores import MetricScores
from adjudge.metrics.tables import metric_table
from adjudge.report.contents import Illustration, Images, illustration
from adjudge.report.result_figures.human_comparison import FIGURE
from adjudge.scoring.system_scores import SystemScores


@dataclass(frozen=True)
class ScoredByMetrics:
    """Metrics, their tables by name, and a figure for each human scale."""

    metrics: Sequence[MetricScores]
    tables: Mapping[str, Table]
    illustrations: Sequence[Illustration]


def scored_by_metrics(
    people: Sequence[SystemScores], metrics: Sequence[MetricScores], images: Images
) -> ScoredByMetrics:
    """Compare all scales with all metrics."""
    compared = [beside(scores, metrics) for scores in people]
    together = {f"metrics-{n}": beside_table(result) for n, result in enumerate(compared, 1)}
    each = {f"metric-{n}": metric_table(scored) for n, scored in enumerate(metrics, 1)}
    drawn = (
        [] if images == "none" else [illustration(FIGURE, result, images) for result in compared]
    )
    return ScoredByMetrics(metrics, {**together, **each}, drawn)
