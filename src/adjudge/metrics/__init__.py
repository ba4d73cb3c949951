"""Automatic metrics: outputs of systems beside references, as numbers with their uncertainty."""

from adjudge.metrics.metric import METRICS, Metric, metric_named

__all__ = ["METRICS", "Metric", "metric_named"]
