"""Report on scores: the tables of `adjudge scores` with a description of the method.

Scores are reported as scores. The implied comparisons would give another order, based on less
information.
"""

from collections.abc import Mapping, Sequence

from adjudge.core.tables.table import Table
from adjudge.report.method import metrics_method
from adjudge.report.metric_scores import ScoredByMetrics
from adjudge.report.sections import Section

METHOD = (
    (
        "Score",
        "Where the title of a table says so, adjusted for judges and texts by a linear mixed "
        "model. Else, and in the column of means, the mean over segments of the mean of a system's "
        "scores in a segment, so that a segment that was scored more often counts no more.",
    ),
    (
        "Uncertainty",
        "Each table says for what its intervals and rank ranges hold, and how they were made.",
    ),
    (
        "Clusters",
        "In the order of scores, a cluster ends where no rank range so far reaches one to come "
        "(WMT13 §3.4). Beside them stand the clusters of rank-sum tests, as WMT16 to WMT23 drew "
        "them.",
    ),
)


def score_sections(
    tables: Mapping[str, Sequence[Table]], metrics: ScoredByMetrics | None
) -> list[Section]:
    """One section per heading; last, the comparison with metrics."""
    sections = [
        Section(heading, {f"table-{number}": table for number, table in enumerate(several, 1)})
        for heading, several in tables.items()
    ]
    if metrics is not None:
        alone = {
            name: table for name, table in metrics.tables.items() if name.startswith("metric-")
        }
        beside = {name: table for name, table in metrics.tables.items() if name not in alone}
        sections.append(
            Section(
                "Metrics",
                beside,
                illustrations=metrics.illustrations,
                folded=alone,
                folded_heading="Each metric by itself",
            )
        )
    return sections


def score_steps(metrics: ScoredByMetrics | None) -> list[tuple[str, str]]:
    """Description of the method."""
    return [*METHOD, *([("Metrics", metrics_method(metrics.metrics))] if metrics else [])]
