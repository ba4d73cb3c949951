"""Tables of metrics beside people: one language pair, or several with averages (WMT14's tables)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from adjudge.metaeval.evaluation import MetaEvaluation
from adjudge.ranking.head_to_head import mark
from adjudge.report.tables import shows
from adjudge.report.typesetting import Column, Row, Table
from adjudge.report.typesetting.uncertainty import drawn, interval

TITLES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ-b",
    "kendall-c": "Kendall's τ-c",
    "accuracy": "accuracy",
    "soft-accuracy": "soft accuracy",
    "accuracy-calibrated": "accuracy, calibrated",
    "pearson-differences": "r of differences",
    "darr": "DARR τ",
    "wmt12": "τ WMT12",
    "wmt13": "τ WMT13",
    "wmt14": "τ WMT14",
    "hties": "τ HTIES",
}

_ADJUSTED = {
    "bh": "p adjusted for false discoveries",
    "holm": "p adjusted for any false one",
    "none": "p not adjusted",
}


@shows(MetaEvaluation)
def metaeval_tables(
    results: Sequence[MetaEvaluation],
    leave_out_of_average: Sequence[str] = (),
    p_values: bool = False,
) -> list[Table]:
    """Each language pair by itself; where there are several, all of them and averages first."""
    humans = list(dict.fromkeys(result.human for result in results))
    together = [
        _together(part, leave_out_of_average)
        for human in humans
        if len(part := [result for result in results if result.human == human]) > 1
    ]
    alone = [
        table
        for result in results
        for table in ([_alone(result), _between(result)] if p_values else [_alone(result)])
    ]
    return together + alone


def _alone(result: MetaEvaluation) -> Table:
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
    values = [
        Column(f"v{s}", TITLES.get(name, f"τ {name}"), 3)
        for s, name in enumerate(result.statistics)
    ]
    between = [interval(result.resampling.level, 3)] if np.isfinite(result.low).any() else []
    epsilon = [Column("epsilon", "ε", 4)] if np.isfinite(result.epsilon).any() else []
    columns = [
        Column("cluster", "cluster"),
        Column("metric", "metric"),
        values[0],
        *between,
        *epsilon,
        *values[1:],
    ]
    by = f", averaged by {result.average_by}" if result.average_by not in (None, "none") else ""
    what = "comparisons" if result.statistics[0] not in TITLES or _tau(result) else "segments"
    counted = (
        f"{result.systems} systems"
        if result.level == "system"
        else f"{result.systems} systems, {result.items:,} {what}{by}"
    )
    unit, number = result.resampling.unit, result.resampling.replicates
    held = "other judges and texts" if unit == "auto" else drawn(unit, number)
    intervals = f"; intervals: {held}" if between else ""
    of_pair = f"{result.pair}: " if result.pair else ""
    return Table(
        rows,
        columns,
        title=f"{of_pair}metrics beside people ({result.human}), {counted}{intervals}",
        notes=[*result.notes, _cluster_note(result)],
        lines_after=frozenset(int(end) for end in np.flatnonzero(np.diff(result.cluster))),
        data=result.rows(),
    )


def _between(result: MetaEvaluation) -> Table:
    """Which metric beats which: p of every two."""
    tested = np.flatnonzero(np.isfinite(result.p).any(axis=0) | np.isfinite(result.p).any(axis=1))
    p = result.p_adjusted
    rows: list[dict[str, Any]] = []
    for i in tested:
        row: dict[str, Any] = {"number": f"{i + 1}", "metric": result.metrics[i], f"{i}": "–"}
        row |= {f"{j}": f"{p[i, j]:.3f}{mark(p[i, j])}" for j in tested if np.isfinite(p[i, j])}
        rows.append(row)
    title = TITLES.get(result.statistics[0], f"τ {result.statistics[0]}")
    of_pair = f"{result.pair}: " if result.pair else ""
    return Table(
        rows,
        [
            Column("number", ""),
            Column("metric", "metric"),
            *(Column(f"{j}", f"{j + 1}") for j in tested),
        ],
        title=f"{of_pair}p of the test that the row's metric is better than the column's, by "
        f"{title} ({result.human})",
        notes=[
            f"One-sided, {_ADJUSTED[result.correction]}: ⋆ p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01."
            if rows
            else "No two metrics were tested."
        ],
        data=result.pair_rows(),
    )


def _tau(result: MetaEvaluation) -> bool:
    return TITLES.get(result.statistics[0], "τ ").startswith("τ ")


def _cluster_note(result: MetaEvaluation) -> str:
    return (
        "A rule stands where a metric is significantly worse than one of the cluster above "
        f"(one-sided, 5 %, {_ADJUSTED[result.correction]})."
    )


def _together(results: Sequence[MetaEvaluation], leave_out: Sequence[str]) -> Table:
    """A row a metric, a column a language pair, averages last; incomplete metrics at the end."""
    statistics = results[0].statistics
    averaged = [result for result in results if result.pair not in leave_out]
    names = dict.fromkeys(name for result in results for name in result.metrics)
    rows: list[dict[str, Any]] = []
    for name in names:
        row: dict[str, Any] = {"metric": name}
        found: dict[str, list[float]] = {statistic: [] for statistic in statistics}
        for k, result in enumerate(results):
            if name not in result.metrics:
                continue
            m = result.metrics.index(name)
            row[f"p{k}"] = _with_half_width(result, m)
            if result in averaged:
                for s, statistic in enumerate(statistics):
                    if np.isfinite(result.values[m, s]):
                        found[statistic].append(float(result.values[m, s]))
        row |= {
            f"a{s}": float(np.mean(found[name_])) if found[name_] else None
            for s, name_ in enumerate(statistics)
        }
        row["complete"] = len(found[statistics[0]]) == len(averaged)
        rows.append(row)
    rows.sort(key=lambda row: (not row["complete"], -(row["a0"] if row["a0"] is not None else -2)))
    columns = [
        Column("metric", "metric"),
        *(Column(f"p{k}", f"{result.pair} ({result.systems})") for k, result in enumerate(results)),
        *(
            Column(f"a{s}", f"average {TITLES.get(name, name)}", 3)
            for s, name in enumerate(statistics)
        ),
    ]
    notes = [
        f"{TITLES.get(statistics[0], statistics[0])} by language pair, ± half the interval; in "
        "brackets the number of systems. Averages are plain means of the pairs."
    ]
    left = [result.pair for result in results if result.pair in leave_out]
    if left:
        notes.append(f"Averages are without {', '.join(left)}.")
    if not all(row["complete"] for row in rows):
        notes.append("Metrics that lack a language pair come last: their averages are of fewer.")
    return Table(
        rows,
        columns,
        title=f"Metrics beside people ({results[0].human}), {len(results)} language pairs",
        notes=notes,
        data=[],
    )


def _with_half_width(result: MetaEvaluation, m: int) -> str | None:
    value = result.values[m, 0]
    if not np.isfinite(value):
        return None
    shown = f"{value:.3f}"
    if np.isfinite(result.low[m]):
        shown += f" ± {(result.high[m] - result.low[m]) / 2:.3f}"
    return shown
