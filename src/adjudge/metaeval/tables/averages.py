"""Table of all language pairs and averages, as Tables 4.2 to 4.7 of Macháček 2014.

The best value of a column is bold; among averages, that of the best metric with all language pairs.
`≀` marks an average that is out of sequence: higher than that of the metric above, where the main
one is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjudge.core.tables.table import Column, Row, Table
from adjudge.metaeval.evaluation import TIES_EVERYTHING, MetaEvaluation
from adjudge.metaeval.tables.labels import tied_notes, title_of
from adjudge.stats.resampling import Floats

DIGITS = 3
OUT_OF_SEQUENCE = "≀"


@dataclass(frozen=True)
class _Average(Column):
    """Column of a number with half its interval and an optional mark."""

    half: str = ""  # keys
    mark: str = ""

    def show(self, row: Row) -> str:
        """Format a value: `≀ 0.354 ± 0.013`."""
        shown = super().show(row)
        half = Column(self.half, "", self.digits).show(row) if shown else ""
        mark = f"{OUT_OF_SEQUENCE} " if shown and row.get(self.mark) else ""
        return f"{mark}{shown} ± {half}" if half else f"{mark}{shown}"


def averages_table(results: Sequence[MetaEvaluation], leave_out: Sequence[str] = ()) -> Table:
    """One row per metric, one column per language pair, averages last; incomplete metrics at the
    end.
    """
    statistics = results[0].statistics
    averaged = np.array([result.pair not in leave_out for result in results])
    names = dict.fromkeys(name for result in results for name in result.metrics)
    rows = [_row(name, results, averaged) for name in names]
    rows.sort(key=lambda row: (not row["complete"], -(row["a0"] if row["a0"] is not None else -2)))
    complete = sum(row["complete"] for row in rows)
    for s in range(1, len(statistics)):
        for part in (rows[:complete], rows[complete:]):
            marks = out_of_sequence([row[f"a{s}"] for row in part])
            for row, marked in zip(part, marks, strict=True):
                row[f"m{s}"] = marked
    bold = _bold(rows, len(results), len(statistics))
    rules = {complete - 1, len(rows) - 1}
    tied = _tied_row(results, averaged)
    return Table(
        [*rows, tied] if tied else rows,
        [
            Column("metric", "metric"),
            *(
                _Average(f"p{k}", f"{result.pair} ({result.systems})", DIGITS, half=f"h{k}")
                for k, result in enumerate(results)
            ),
            *(
                _Average(
                    f"a{s}",
                    f"average {title_of(name)}",
                    DIGITS,
                    half=f"half{s}",
                    mark=f"m{s}",
                )
                for s, name in enumerate(statistics)
            ),
        ],
        title=f"Metrics beside people ({results[0].human}), {len(results)} language pairs",
        notes=[
            *_notes(results, leave_out, rows, complete),
            *(tied_notes(statistics) if tied else []),
        ],
        lines_after=frozenset(rules),
        data=[],
        bold=frozenset(bold),
    )


def out_of_sequence(values: Sequence[float | None]) -> list[bool]:
    """Mask of the values, from the best metric down, that are higher than the one before."""
    above: float | None = None
    marks = []
    for value in values:
        shown = None if value is None else round(value, DIGITS)
        marks.append(shown is not None and above is not None and shown > above)
        above = above if shown is None else shown
    return marks


def best_places(values: Sequence[float | None]) -> list[int]:
    """Indices of the highest value, compared as printed."""
    shown = [None if value is None else round(value, DIGITS) for value in values]
    best = max((value for value in shown if value is not None), default=None)
    return [place for place, value in enumerate(shown) if value is not None and value == best]


def _bold(rows: Sequence[Mapping[str, Any]], pairs: int, statistics: int) -> set[tuple[int, str]]:
    of_pairs = [(f"p{k}", rows) for k in range(pairs)]
    complete = [row for row in rows if row["complete"]]
    averages = [(f"a{s}", complete) for s in range(statistics)]
    return {
        (place, key)
        for key, among in (*of_pairs, *averages)
        if len(rows) > 1
        for place in best_places([row.get(key) for row in among])
    }


def _row(name: str, results: Sequence[MetaEvaluation], averaged: Any) -> dict[str, Any]:
    """Row of a metric: its values with half their intervals, and its averages."""
    values = np.full((len(results), len(results[0].statistics)), np.nan)
    half = np.full(values.shape, np.nan)
    for k, result in enumerate(results):
        if name in result.metrics:
            m = result.metrics.index(name)
            values[k] = result.values[m]
            half[k] = (result.highs[m] - result.lows[m]) / 2
    cells = {f"p{k}": value for k, value in enumerate(values[:, 0]) if np.isfinite(value)}
    cells |= {f"h{k}": value for k, value in enumerate(half[:, 0]) if np.isfinite(value)}
    halves = _averages(half[averaged])
    mean_half = {f"half{s}": halves[f"a{s}"] for s in range(half.shape[1])}
    return {"metric": name, **cells, **_averages(values[averaged]), **mean_half}


def _averages(values: Floats) -> dict[str, Any]:
    """Averages of each statistic over the language pairs (pairs × statistics) that have it."""
    known = np.isfinite(values)
    return {
        "complete": bool(known[:, 0].all()),
        **{
            f"a{s}": float(column[there].mean()) if there.any() else None
            for s, (column, there) in enumerate(zip(values.T, known.T, strict=True))
        },
    }


def _tied_row(results: Sequence[MetaEvaluation], averaged: Any) -> dict[str, Any] | None:
    """Row of a metric that ties everything, if known."""
    known = [result.ties_everything for result in results if result.ties_everything is not None]
    if len(known) < len(results) or not np.isfinite(known).any():
        return None
    cells = {f"p{k}": values[0] for k, values in enumerate(known)}
    return {"metric": TIES_EVERYTHING, **cells, **_averages(np.array(known)[averaged])}


def _notes(
    results: Sequence[MetaEvaluation],
    leave_out: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    complete: int,
) -> list[str]:
    notes = [
        f"{title_of(results[0].statistics[0])} by language pair, ± half the interval; in brackets "
        "the number of systems. Averages are plain means of the pairs, and so are their halves."
    ]
    left = [result.pair for result in results if result.pair in leave_out]
    if left:
        notes.append(f"Averages are without {', '.join(left)}.")
    if complete < len(rows):
        notes.append("Metrics that lack a language pair come last: their averages are of fewer.")
    if any(row.get(f"m{s}") for row in rows for s in range(len(results[0].statistics))):
        notes.append(f"{OUT_OF_SEQUENCE}: out of sequence, higher than that of the metric above.")
    return notes
