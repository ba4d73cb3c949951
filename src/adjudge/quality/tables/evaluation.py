"""Tables of the evaluation of predictions, in the form of Tables 12 to 20 of WMT13."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.quality.evaluation.system_ranking import QualityEvaluation
from adjudge.stats.interval_columns import drawn, drawn_keys, interval

_WINS = "•"
_TITLES = {
    "ranking": "Task 1.1, ranking",
    "scoring": "Task 1.1, scoring",
    "ties-penalised": "Task 1.2",
    "ties-ignored": "Task 1.2",
    "time": "Task 1.3",
    "binary": "Task 2, binary",
    "edits": "Task 2, keep, substitute or delete",
}


@shows(QualityEvaluation)
def quality_tables(results: Sequence[QualityEvaluation]) -> list[Table]:
    """One table per variant."""
    return [quality_table(result) for result in results]


def quality_table(result: QualityEvaluation) -> Table:
    """Submissions from best to worst, a rule, oracles."""
    resampling = result.resampling
    was_drawn = resampling.unit != "none"
    made_by = {
        **drawn_keys(resampling.unit, resampling.replicates, resampling.seed),
        "level": resampling.level,
    }
    rows: list[Row] = []
    for place in range(len(result.names)):
        row: dict[str, Any] = result.row(place) | made_by
        row["wins"] = _WINS if result.winner[place] else None
        if "non_ties" in row:
            row["decided"] = f"{row['non_ties']:,}/{row['decisions']:,}"
        if row["role"] == "baseline":
            row["beside"] = "baseline"
        else:
            row["beside"] = row["beside_baseline"] if row["role"] == "submission" else None
        rows.append(row)
    submissions = sum(role != "oracle" for role in result.roles)
    rules = {submissions - 1} if 0 < submissions < len(rows) else set()
    return Table(
        rows,
        _columns(result, was_drawn),
        title=f"{_TITLES[result.variant]}: {result.about}, "
        f"{drawn(resampling.unit, resampling.replicates)}",
        notes=[*_notes(result, was_drawn), *result.notes],
        lines_after=frozenset(rules),
        data=[_for_machines(row) for row in rows],
    )


def _for_machines(row: Row) -> Row:
    return {key: value for key, value in row.items() if key not in ("wins", "decided", "beside")}


def _columns(result: QualityEvaluation, was_drawn: bool) -> list[Column]:
    columns = [Column("wins", "")] if result.winner.any() else []
    columns.append(Column("submission", "submission"))
    for place, measure in enumerate(result.measures):
        columns.append(Column(measure.name, measure.title, measure.digits))
        if place == 0 and was_drawn:
            ends = f"{measure.name}_low", f"{measure.name}_high"
            columns.append(interval(result.resampling.level, measure.digits, *ends))
    if result.variant == "ties-ignored":
        columns.append(Column("decided", "non-ties/decisions"))
    if result.baseline is not None and was_drawn:
        columns.append(Column("beside", "beside baseline"))
    return columns


def _notes(result: QualityEvaluation, was_drawn: bool) -> list[str]:
    measure = result.measures[0]
    notes = [] if measure.higher_is_better else [f"Of {measure.title}, lower is better."]
    if not was_drawn:
        return notes
    taking_part = sum(role != "oracle" for role in result.roles)
    level = f"{100 * result.resampling.level:g} %"
    if result.winner.any():
        notes.append(
            f"{_WINS} wins: better by {measure.title} than every submission without the mark; the "
            f"{level} interval of each difference leaves out 0."
        )
    elif taking_part > 1:
        notes.append(f"Nobody wins: no group is better than all others by {measure.title}.")
    if result.baseline is not None:
        notes.append(
            f"Beside the baseline: whether the {level} interval of the difference in "
            f"{measure.title} leaves out 0."
        )
    if np.isnan(result.values[:taking_part]).any():
        notes.append("An empty cell: predictions that are all the same have no correlation.")
    return notes
