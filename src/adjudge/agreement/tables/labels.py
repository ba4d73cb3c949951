"""Tables of agreement on labels: coefficients, and confusion of two judges (Bojar 2011 Table 7)."""

from collections.abc import Mapping, Sequence
from typing import Any

from adjudge.agreement.categorical import Confusion, LabelAgreement, confusion_kappas
from adjudge.agreement.tables.agreement import (
    COEFFICIENT,
    held_columns,
    intervals_from,
    missing_notes,
    with_resampling,
)
from adjudge.core.tables.results import shows
from adjudge.core.tables.table import Column, Table
from adjudge.stats.resampling import Resampling


@shows(LabelAgreement)
def label_tables(
    results: Sequence[LabelAgreement],
    confusions: Sequence[Confusion] = (),
    resampling: Resampling | None = None,
) -> list[Table]:
    """Agreement on labels, with the confusion table of two judges or the range of κ over all
    pairs.
    """
    rows = with_resampling([row for result in results for row in result.rows()], resampling)
    title = "Agreement on labels: " + ", ".join(results[0].categories)
    title += intervals_from(rows, resampling)
    notes = missing_notes(rows, "item")
    inter = next(result for result in results if result.kind == "inter")
    if inter.items:
        share = 100 * (inter.unanimous or 0) / inter.items
        notes.append(
            f"All judges gave the same label to {inter.unanimous:,} of {inter.items:,} items "
            f"({share:.0f} %)."
        )
    kappas = confusion_kappas(confusions)
    if len(kappas) > 1:
        notes.append(
            f"Cohen's κ of two judges ranges from {kappas.min():.3f} to {kappas.max():.3f}, on "
            f"average {kappas.mean():.3f} ± {kappas.std(ddof=1):.3f}."
        )
    counts = (Column("agree", "agree"), Column("comparable", "comparable"))
    coefficient, *values = COEFFICIENT
    columns = [Column("kind", "kind"), coefficient, *counts, *values, *held_columns(rows)]
    main = Table(rows, columns, title, notes)
    return [main, *([confusion_table(confusions[0])] if len(confusions) == 1 else [])]


@shows(Confusion)
def confusion_tables(confusions: Sequence[Confusion]) -> list[Table]:
    """One table per pair of judges."""
    return [confusion_table(confusion) for confusion in confusions]


def confusion_table(confusion: Confusion) -> Table:
    """Confusion table of one judge (rows) and the other (columns); Bojar 2011 Table 7."""
    rows: list[Mapping[str, Any]] = [
        {
            "kind": "confusion",
            "judge": confusion.judge,
            "other_judge": confusion.other,
            "label": label,
            **{f"other_{name}": int(n) for name, n in zip(confusion.categories, line, strict=True)},
        }
        for label, line in zip(confusion.categories, confusion.table, strict=True)
    ]
    return Table(
        rows,
        [
            Column("label", f"{confusion.judge} says"),
            *(Column(f"other_{name}", name) for name in confusion.categories),
        ],
        title=f"{confusion.judge} (rows) and {confusion.other} (columns)",
    )
