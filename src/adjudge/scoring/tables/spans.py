"""The table of agreement on marked errors."""

from collections.abc import Sequence
from dataclasses import asdict

from adjudge.agreement.tables.agreement import for_whom, held_columns, interval_of
from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.scoring.span_agreement import SpanAgreement
from adjudge.stats.resampling import Resampling


@shows(SpanAgreement)
def span_agreement_tables(
    results: Sequence[SpanAgreement], resampling: Resampling | None = None
) -> list[Table]:
    """All language pairs in one table."""
    return [span_agreement_table(results, resampling)]


def span_agreement_table(
    results: Sequence[SpanAgreement], resampling: Resampling | None = None
) -> Table:
    """How far two markings of one output are the same, beside chance."""
    rows = [{"kind": "spans", **asdict(result)} for result in results]
    return Table(
        rows,
        [
            Column("pair", "pair"),
            Column("between", "kind"),
            Column("compared", "compared"),
            Column("both_marked", "both mark"),
            Column("none_marked", "neither marks"),
            Column("f1", "F1", 3),
            interval_of("f1", resampling),
            Column("f1_with_severity", "with severity", 3),
            interval_of("f1_with_severity", resampling),
            Column("f1_by_chance", "by chance", 3),
            *held_columns(rows),
        ],
        title=f"Agreement on marked errors, intervals {for_whom(rows)}"
        if rows
        else "Agreement on marked errors",
        notes=[
            "F1 of the characters marked in one output by two judges (inter) or twice by one "
            "(intra); by chance: as many characters anywhere in it."
        ],
    )
