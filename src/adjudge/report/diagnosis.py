"""Tables of a diagnosis: the findings of one language pair, and what is behind each."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from adjudge.diagnosis import Diagnosis, Severity
from adjudge.report.tables import Column, Row, Table


@dataclass(frozen=True)
class _Number(Column):
    """A finding's value with its interval, as share, count or number."""

    def show(self, row: Row) -> str:
        """The number as people read it."""
        return number_shown(row)


def number_shown(row: Row) -> str:
    """`39 % (38 to 40 %)`, `3`, `−0.43 (−0.71 to −0.02)`."""
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


def summary_table(found: Sequence[Diagnosis]) -> Table:
    """One row a finding, the worst first."""
    return Table(
        rows=[one.row() for one in found],
        columns=[
            Column("severity", "severity"),
            Column("finding", "finding"),
            _Number("value", "number (95 % interval)"),
            Column("meaning", "what it means"),
            Column("remedy", "what to do"),
        ],
        title=f"{found[0].pair}: "
        + ("1 finding" if len(found) == 1 else f"{len(found)} findings, the worst first"),
        lines_after=frozenset(
            i
            for i, (one, after) in enumerate(pairwise(found))
            if one.answer.severity != after.answer.severity
        ),
    )


def detail_tables(one: Diagnosis) -> list[Table]:
    """The rows behind the finding, and what becomes of the order."""
    finding, answer = one.finding, one.answer
    tables = [
        Table(
            rows=one.detail_rows(),
            columns=_columns(answer.details),
            title=f"{one.pair}, {finding.name}: {finding.question}",
            notes=[f"{answer.meaning}.", f"Value: {finding.measure}. After {finding.paper}."],
        )
    ]
    if answer.change is not None and answer.change.moved and answer.severity > Severity.none:
        tables.append(
            Table(
                rows=one.order_rows(),
                columns=_columns(answer.change.rows()),
                title=f"{one.pair}, {finding.name}: the order before and after",
            )
        )
    return tables


def _columns(rows: Sequence[Row]) -> list[Column]:
    """A column for every key, headed by the key; shares as percentages."""
    return [
        Column(
            key,
            key.replace("_", " "),
            digits=1 if key.endswith("_share") else 4 if key == "p" else 3,
            percent=key.endswith("_share"),
        )
        for key in (dict.fromkeys(key for row in rows for key in row))
    ]
