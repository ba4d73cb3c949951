"""Outlier systems, which alone can make a correlation (Mathur 2020).

With people's scores s of the systems, a system is an outlier if

    |s − median(s)| / (1.483 · median |s − median(s)|)  >  2.5

One bad system far below the others gives every metric a high r. So values are shown with and
without outliers.
"""

from dataclasses import replace

import numpy as np

from adjudge.metaeval.metrics_task import LEAST_SYSTEMS, MetricsTask

CUTOFF = 2.5
NORMAL = 1.483  # makes the median deviation of normal scores their standard deviation


def outliers(task: MetricsTask) -> tuple[str, ...]:
    """The systems whose human score lies far from the median."""
    scores = task.human.system_scores
    distance = np.abs(scores - np.median(scores))
    spread = NORMAL * np.median(distance)
    if not spread > 0:
        return ()
    return tuple(np.array(task.systems)[distance / spread > CUTOFF].tolist())


def without_outliers(task: MetricsTask) -> MetricsTask | None:
    """The task without them; None where there are none, or too few other systems."""
    names = outliers(task)
    if not names or len(task.systems) - len(names) < LEAST_SYSTEMS:
        return None
    rest = task.without(names, f"Without the outliers {', '.join(names)} (Mathur 2020).")
    return replace(rest, human=replace(rest.human, name=f"{task.human.name} without outliers"))
