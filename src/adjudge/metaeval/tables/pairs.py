"""Tables of metric pairs: significance and size of differences."""

from dataclasses import replace
from typing import Any

import numpy as np

from adjudge.core.errors import one_of
from adjudge.core.tables.table import Column, Table
from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.metaeval.tables.labels import ADJUSTED, of_pair, title_of
from adjudge.ranking.head_to_head import mark
from adjudge.stats.interval_columns import interval

NOTHING_TESTED = "No two metrics were tested."


def matrix_table(result: MetaEvaluation) -> Table:
    """p-values of all pairs of metrics as a matrix."""
    tested = np.flatnonzero(np.isfinite(result.p).any(axis=0) | np.isfinite(result.p).any(axis=1))
    p = result.p_adjusted
    rows: list[dict[str, Any]] = []
    for i in tested:
        row: dict[str, Any] = {"number": f"{i + 1}", "metric": result.metrics[i], f"{i}": "–"}
        row |= {f"{j}": f"{p[i, j]:.3f}{mark(p[i, j])}" for j in tested if np.isfinite(p[i, j])}
        rows.append(row)
    return Table(
        rows,
        [
            Column("number", ""),
            Column("metric", "metric"),
            *(Column(f"{j}", f"{j + 1}") for j in tested),
        ],
        title=f"{of_pair(result)}p of the test that the row's metric is better than the column's, "
        f"by {title_of(result.statistics[0])} ({result.human})",
        notes=[
            f"One-sided, {ADJUSTED[result.correction]}: ⋆ p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01."
            if rows
            else NOTHING_TESTED
        ],
        data=result.pair_rows(),
    )


def pairs_table(result: MetaEvaluation) -> Table:
    """One row per tested pair of metrics."""
    rows = result.pair_rows()
    return Table(
        rows,
        [Column("metric", "better metric"), Column("other_metric", "than"), *_columns(result)],
        title=f"{of_pair(result)}every two metrics by {title_of(result.statistics[0])} "
        f"({result.human})",
        notes=[*_notes(result)] if rows else [NOTHING_TESTED],
        data=rows,
    )


def against_table(result: MetaEvaluation, against: str) -> Table:
    """Compare all other metrics with one."""
    one_of(against, result.metrics, "against")
    rows = []
    for row in result.pair_rows():
        if against not in (row["metric"], row["other_metric"]):
            continue
        if row["metric"] == against:  # the other one is worse: everything the other way around
            turned = {"other": row["other_metric"], "difference": -row["difference"]}
            turned |= {"difference_low": -row["difference_high"]}
            turned |= {"difference_high": -row["difference_low"], "better": against}
        else:
            turned = {"other": row["metric"], "better": row["metric"]}
        rows.append({**row, **turned})
    place = {name: m for m, name in enumerate(result.metrics)}
    rows.sort(key=lambda row: place[row["other"]])
    for row in rows:
        row["value"] = result.values[place[row["other"]], 0]
    value = result.values[place[against], 0]
    title = title_of(result.statistics[0])
    known = f"{title} {value:.3f}" if np.isfinite(value) else f"no {title}"
    return Table(
        rows,
        [
            Column("other", "metric"),
            Column("value", title, 3),
            *_columns(result),
        ],
        title=f"{of_pair(result)}every metric against {against} ({known}, {result.human})",
        notes=[f"Differences are the metric's value less that of {against}.", *_notes(result)]
        if rows
        else [f"{against} was tested against no other metric."],
        data=[],
    )


def _columns(result: MetaEvaluation) -> list[Column]:
    """Columns of a pair of metrics, as far as known."""
    tested = [Column("p", "p", 4), Column("p_adjusted", "p adjusted", 4)]
    if result.correction == "none":
        tested = tested[:1]
    if result.gaps is None:
        return [Column("difference", "difference", 3), *tested]
    zou = interval(result.resampling.level, 3, "difference_low", "difference_high")
    return [
        Column("difference", "difference", 3),
        replace(zou, heading=f"{zou.heading} (Zou)"),
        *tested,
        Column("p_williams", "p (Williams)", 4),
    ]


def _notes(result: MetaEvaluation) -> list[str]:
    notes = [
        f"p is one-sided, that the better of the two is better; {ADJUSTED[result.correction]}."
    ]
    if result.gaps is not None:
        notes.append(
            "Zou's interval of the difference and Williams's test take the systems as drawn at "
            "random from many like them; neither is adjusted."
        )
    return notes
