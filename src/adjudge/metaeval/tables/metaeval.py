"""Tables of meta-evaluation: one language pair, or several with averages (as in WMT14)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.metaeval.evaluation import TIES_EVERYTHING, MetaEvaluation
from adjudge.metaeval.tables.averages import averages_table
from adjudge.metaeval.tables.labels import (
    ADJUSTED,
    held_for,
    is_tau,
    of_pair,
    tied_notes,
    title_of,
)
from adjudge.metaeval.tables.pairs import against_table, matrix_table
from adjudge.stats.interval_columns import interval
from adjudge.stats.resampling import plural


@shows(MetaEvaluation)
def metaeval_tables(
    results: Sequence[MetaEvaluation],
    leave_out_of_average: Sequence[str] = (),
    p_values: bool = False,
    against: str | None = None,
) -> list[Table]:
    """All language pairs with averages first, if there are several; then each by itself."""
    averages = together(results, leave_out_of_average)
    tables = []
    for result in results:
        tables.append(alone(result, explained=not averages))
        if p_values:
            tables.append(matrix_table(result))
        if against is not None:
            tables.append(against_table(result, against))
    return averages + tables


def together(results: Sequence[MetaEvaluation], leave_out: Sequence[str]) -> list[Table]:
    """One table of all language pairs for each human scale, if there are several pairs."""
    humans = dict.fromkeys(result.human for result in results)
    by_human = [[result for result in results if result.human == human] for human in humans]
    return [averages_table(part, leave_out) for part in by_human if len(part) > 1]


def alone(result: MetaEvaluation, explained: bool = True) -> Table:
    """One language pair: one row per metric; last, a metric that ties everything."""
    rows: list[Row] = []
    for m, metric in enumerate(result.metrics):
        row: dict[str, Any] = {
            "cluster": int(result.cluster[m]) or None,
            "metric": metric + (" ↓" if result.turned[m] else ""),
            "low": result.low[m],
            "high": result.high[m],
            "epsilon": result.epsilon[m],
        }
        row |= {f"v{s}": result.values[m, s] for s in range(len(result.statistics))}
        rows.append(row)
    rules = {int(end) for end in np.flatnonzero(np.diff(result.cluster))}
    notes = [*result.notes, *_no_interval_note(result), _cluster_note(result)]
    if result.ties_everything is not None and np.isfinite(result.ties_everything).any():
        tied = {f"v{s}": value for s, value in enumerate(result.ties_everything)}
        rules.add(len(rows) - 1)
        rows.append({"metric": TIES_EVERYTHING, **tied})
        notes += tied_notes(result.statistics) if explained else []
    between = [interval(result.resampling.level, 3)] if np.isfinite(result.low).any() else []
    intervals = f"; intervals: {held_for(result)}" if between else ""
    return Table(
        rows,
        _columns(result, between),
        title=f"{of_pair(result)}metrics beside people ({result.human}), {_counted(result)}"
        f"{intervals}",
        notes=notes,
        lines_after=frozenset(rules),
        data=result.rows(),
    )


def _columns(result: MetaEvaluation, between: Sequence[Column]) -> list[Column]:
    values = [Column(f"v{s}", title_of(name), 3) for s, name in enumerate(result.statistics)]
    epsilon = [Column("epsilon", "ε", 4)] if np.isfinite(result.epsilon).any() else []
    return [
        Column("cluster", "cluster"),
        Column("metric", "metric"),
        values[0],
        *between,
        *epsilon,
        *values[1:],
    ]


def _counted(result: MetaEvaluation) -> str:
    """Format the number of systems, segments or comparisons."""
    if result.level == "system":
        return f"{result.systems} systems"
    by = f", averaged by {result.average_by}" if result.average_by not in (None, "none") else ""
    what = "comparisons" if is_tau(result) else "segments"
    return f"{result.systems} systems, {result.items:,} {what}{by}"


def _no_interval_note(result: MetaEvaluation) -> list[str]:
    """Note on intervals that were requested but could not be computed."""
    unit = result.resampling.unit
    known = np.isfinite(result.values[:, 0]).any()
    if unit == "none" or not known or np.isfinite(result.low).any():
        return []
    return [
        f"No interval of {title_of(result.statistics[0])} comes from drawing {plural(unit)}: there "
        "are too few of them, or it is no mean of theirs."
    ]


def _cluster_note(result: MetaEvaluation) -> str:
    return (
        "A rule stands where a metric is significantly worse than one of the cluster above "
        f"(one-sided, 5 %, {ADJUSTED[result.correction]})."
    )
