"""Metric scores against the translations of other systems (Soricut et al. 2012; WMT13 §6.7).

Any metric of `metrics/catalogue` can be used (`metric`); one column for every other system, and
their mean if there are several.
"""

import numpy as np

from adjudge.quality.features.column import Column, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared


def _columns(prepared: Prepared) -> list[Column]:
    columns = []
    for metric in prepared.metrics:
        values = []
        for name, lines in prepared.pseudo_references.items():
            scores = metric.segment_values(metric.statistics([lines])(prepared.target))
            values.append(scores)
            columns.append(
                number(f"{metric.short}_against_{name}", f"{metric.title} against {name}", scores)
            )
        if len(values) > 1:
            what = f"mean {metric.title} against other systems"
            columns.append(number(f"{metric.short}_against_others", what, np.mean(values, axis=0)))
    return columns


FAMILY = Family(
    "pseudo-references",
    "any metric against the translations of other systems",
    "Soricut et al. 2012",
    _columns,
    ("pseudo_references",),
)
