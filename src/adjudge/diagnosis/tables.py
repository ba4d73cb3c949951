"""Tables of a diagnosis: the findings of one language pair, and their details."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Row, Table
from adjudge.diagnosis.diagnose import Diagnosis
from adjudge.diagnosis.finding import Severity


@dataclass(frozen=True)
class _Number(Column):
    """Column of a finding's value with its interval, as share, count or number."""

    def show(self, row: Row) -> str:
        """Format the number for people."""
        return number_shown(row)


def number_shown(row: Row) -> str:
    """Format a value with its interval: `39 % (38 to 40 %)`, `3`, `−0.43 (−0.71 to −0.02)`."""
    if row["value"] is None:
        return ""
    if row["kind"] == "count":
        return f"{row['value']:,.0f}"
    scale, digits, unit = (100, 0, " %") if row["kind"] == "share" else (1, 3, "")
    value, low, high = (
        "" if row[key] is None else f"{scale * row[key]:.{digits}f}".replace("-", "−")
        for key in ("value", "low", "high")
    )
    return f"{value}{unit}" + (f" ({low} to {high}{unit})" if low else "")


@shows(Diagnosis)
def diagnosis_tables(results: Sequence[Diagnosis], details: bool = False) -> list[Table]:
    """Tables of the findings of every language pair and, with `details`, of their evidence.

    The data are the findings, or with `details` only their evidence.
    """
    tables: list[Table] = []
    for _, group in groupby(results, key=lambda diagnosis: diagnosis.pair):
        diagnoses = list(group)
        summary = findings_table(diagnoses)
        tables.append(replace(summary, data=()) if details else summary)
        if details:
            tables += [table for diagnosis in diagnoses for table in detail_tables(diagnosis)]
    return tables


def findings_table(results: Sequence[Diagnosis]) -> Table:
    """One row per finding of one language pair, the worst first."""
    return Table(
        rows=[diagnosis.row() for diagnosis in results],
        columns=[
            Column("severity", "severity"),
            Column("finding", "finding"),
            _Number("value", "number (95 % interval)"),
            Column("meaning", "what it means"),
            Column("remedy", "what to do"),
        ],
        title=f"{results[0].pair}: "
        + ("1 finding" if len(results) == 1 else f"{len(results)} findings, the worst first"),
        lines_after=frozenset(
            i
            for i, (diagnosis, after) in enumerate(pairwise(results))
            if diagnosis.answer.severity != after.answer.severity
        ),
        sentences=frozenset({"meaning", "remedy"}),
    )


def detail_tables(diagnosis: Diagnosis) -> list[Table]:
    """Rows behind the finding, and the change of the order."""
    finding, answer = diagnosis.finding, diagnosis.answer
    tables = [
        Table(
            rows=diagnosis.detail_rows(),
            columns=_columns(answer.details),
            title=f"{diagnosis.pair}, {finding.name}: {finding.question}",
            notes=[f"{answer.meaning}.", f"Value: {finding.measure}. After {finding.paper}."],
        )
    ]
    if answer.change is not None and answer.change.moved and answer.severity > Severity.none:
        tables.append(
            Table(
                rows=diagnosis.order_rows(),
                columns=_columns(answer.change.rows()),
                title=f"{diagnosis.pair}, {finding.name}: the order before and after",
            )
        )
    return tables


def _columns(rows: Sequence[Row]) -> list[Column]:
    """Columns for all keys, headed by the key; shares as percentages."""
    return [
        Column(
            key,
            key.replace("_", " "),
            digits=1 if key.endswith("_share") else 4 if key == "p" else 3,
            percent=key.endswith("_share"),
        )
        for key in (dict.fromkeys(key for row in rows for key in row))
    ]
