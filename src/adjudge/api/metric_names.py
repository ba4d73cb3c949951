"""Metrics as people name them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from adjudge.core.errors import BadParameter

if TYPE_CHECKING:
    from adjudge.metrics.metric import Metric


def metrics_named(metric: "str | Metric | Iterable[str | Metric]") -> "list[Metric]":
    """One metric or several, by name or signature, each once."""
    from adjudge.metrics.metric import Metric, metric_named

    given = [metric] if isinstance(metric, str | Metric) else list(metric)
    if not given:
        raise BadParameter("name a `metric`; `adjudge.METRICS` lists them")
    return list(dict.fromkeys(metric_named(each) for each in given))
