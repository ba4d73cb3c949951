"""Everything that a table of edits says."""

from dataclasses import dataclass, replace

import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.core.results import Results
from adjudge.data.comparisons import by_pair
from adjudge.scoring.edits.agreement import AcceptabilityAgreement, acceptability_agreement
from adjudge.scoring.edits.data_rows import data_rows
from adjudge.scoring.edits.occurrences import Occurrence, occurrences
from adjudge.scoring.edits.references import NewReferences, new_references
from adjudge.scoring.edits.understandability import Understandability, understandability
from adjudge.stats.resampling import Resampling


@dataclass(frozen=True, eq=False)
class Understood:
    """Systems, statuses, agreement and references of every language pair."""

    rows: pl.DataFrame  # `data_rows`
    waiting: int  # edits without a review yet
    repeated: bool  # do repeated edits count for systems?
    systems: Results[Understandability]
    occurrences: Results[Occurrence]
    agreement: Results[AcceptabilityAgreement]
    references: Results[NewReferences]

    def to_frame(self) -> pl.DataFrame:
        """One row a system; the other results have frames of their own."""
        return self.systems.to_frame()


def understood(
    table: pl.DataFrame,
    resampling: Resampling | None = None,
    repeated: bool = False,
) -> Understood:
    """What the edits and reviews of a table say, all language pairs.

    Intervals of agreement hold for other reviewers and segments, whatever is drawn for systems.
    """
    resampling = resampling or Resampling()
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
        systems=Results(understandability(part, resampling) for _, part in by_pair(counted)),
        occurrences=occurrences(rows),
        agreement=acceptability_agreement(rows, replace(resampling, unit="auto")),
        references=new_references(rows),
    )
