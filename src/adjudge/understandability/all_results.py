"""Everything that a table of edits says."""

from dataclasses import dataclass

import polars as pl

from adjudge.agreement.bootstrap import Bootstrap
from adjudge.comparisons.comparisons import by_pair
from adjudge.errors import AdjudgeError, NotEnoughData
from adjudge.understandability.agreement import AcceptabilityAgreement, acceptability_agreement
from adjudge.understandability.data_rows import data_rows
from adjudge.understandability.occurrences import Occurrence, occurrences
from adjudge.understandability.references import NewReferences, new_references
from adjudge.understandability.systems import Understandability, Unit, understandability


@dataclass(frozen=True, eq=False)
class Understood:
    """Systems, statuses, agreement and references of every language pair."""

    rows: pl.DataFrame  # `data_rows`
    waiting: int  # edits without a review yet
    repeated: bool  # do repeated edits count for systems?
    systems: tuple[Understandability, ...]
    occurrences: tuple[Occurrence, ...]
    agreement: tuple[AcceptabilityAgreement, ...]
    references: tuple[NewReferences, ...]


def understood(
    table: pl.DataFrame,
    unit: Unit = "row",
    bootstrap: Bootstrap | None = None,
    repeated: bool = False,
) -> Understood:
    """What the edits and reviews of a table say, all language pairs."""
    bootstrap = bootstrap or Bootstrap()
    if not 0 < bootstrap.level < 1:
        raise AdjudgeError(f"a confidence level lies between 0 and 1, not at {bootstrap.level:g}")
    rows = data_rows(table)
    if not len(rows):
        raise NotEnoughData(
            "no edit was reviewed or found incomprehensible; have the edits reviewed first"
        )
    edited = table.filter(pl.col("edit").is_not_null() & pl.col("reviewed").is_null())
    counted = rows if repeated else rows.filter(~pl.col("repeated"))
    return Understood(
        rows=rows,
        waiting=int((~edited["item"].is_in(rows["item"].implode())).sum()),
        repeated=repeated,
        systems=tuple(understandability(part, unit, bootstrap) for _, part in by_pair(counted)),
        occurrences=occurrences(rows),
        agreement=acceptability_agreement(rows, bootstrap),
        references=new_references(rows),
    )
