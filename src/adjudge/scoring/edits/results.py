"""Results of a table of edits: its summary, repeated segments, and all of them together.

Statuses of edits of segments that are new to their editor, and of repeated ones (WMT13 Table 7).

Who has seen a segment before, in another system's output or with its source, understands more of
it; that is why repeated edits do not count in the scores of systems.

What is in a file of edits, by language pair and protocol.

Everything that a table of edits says.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

import polars as pl

from adjudge.core.errors import NotEnoughData
from adjudge.core.results import Results
from adjudge.data.comparisons import by_pair
from adjudge.data.outputs import systems_among
from adjudge.scoring.edits.agreement import AcceptabilityAgreement, acceptability_agreement
from adjudge.scoring.edits.data_rows import STATUSES, data_rows
from adjudge.scoring.edits.references import NewReferences, new_references
from adjudge.scoring.edits.understandability import Understandability, understandability
from adjudge.stats.resampling import Resampling


@dataclass(frozen=True)
class Occurrence:
    """How many data rows have each status."""

    pair: str
    occurrence: str  # first, repeated, overall
    counts: tuple[int, ...]  # in the order of STATUSES

    @property
    def total(self) -> int:
        """All rows."""
        return sum(self.counts)

    def row(self) -> dict[str, Any]:
        """Counts and shares as flat keys."""
        named = list(zip(map(str.lower, STATUSES), self.counts, strict=True))
        return {
            "pair": self.pair,
            "occurrence": self.occurrence,
            **dict(named),
            **{f"{name}_share": n / self.total if self.total else None for name, n in named},
            "rows": self.total,
        }


def occurrences(rows: pl.DataFrame) -> Results[Occurrence]:
    """First, repeated and all edits of every language pair in data rows."""
    results = []
    for (pair,), part in sorted(rows.partition_by("pair", as_dict=True).items()):
        first = _counts(part.filter(~pl.col("repeated")))
        repeated = _counts(part.filter("repeated"))
        overall = tuple(a + b for a, b in zip(first, repeated, strict=True))
        results += [
            Occurrence(str(pair), "first", first),
            Occurrence(str(pair), "repeated", repeated),
            Occurrence(str(pair), "overall", overall),
        ]
    return Results(results)


def _counts(rows: pl.DataFrame) -> tuple[int, ...]:
    return tuple(int((rows["status"] == status).sum()) for status in STATUSES)


@dataclass(frozen=True)
class EditSummary:
    """The numbers of one language pair and protocol; None where the edits do not say."""

    pair: str
    protocol: str
    systems: int
    judges: int
    groups: int
    documents: int
    segments: int
    items: int  # edits, or reviews
    skipped: int  # what the judge left without an answer
    incomprehensible: int  # outputs that the editor could not make sense of
    accepted: int  # edits that a reviewer calls acceptable
    seconds_median: float | None
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True)
class EditSummaries:
    """All that is in a table of edits."""

    parts: tuple[EditSummary, ...]  # one for every language pair and protocol
    judges: int  # in all


def summarise_edits(table: pl.DataFrame) -> EditSummaries:
    """What is in the edits and reviews."""
    parts = table.partition_by("pair", "protocol", maintain_order=True)
    summaries = sorted(map(_summary, parts), key=lambda part: (part.pair, part.protocol))
    return EditSummaries(tuple(summaries), _different(table, "judge"))


def _summary(table: pl.DataFrame) -> EditSummary:
    answered = table.filter(pl.col("output").is_not_null())
    return EditSummary(
        pair=str(table["pair"][0]),
        protocol=str(table["protocol"][0]),
        systems=len(systems_among(answered["output"].unique().to_list())),
        judges=_different(table, "judge"),
        groups=_different(table, "group"),
        documents=_different(table, "document"),
        segments=_different(table, "segment"),
        items=len(table),
        skipped=len(table) - len(answered),
        incomprehensible=int(table["incomprehensible"].sum()),
        accepted=int((answered["verdict"].cast(pl.String) == "yes").sum()),
        seconds_median=cast(float | None, table["seconds"].median()),
        first=cast(datetime | None, table["time"].min()),
        last=cast(datetime | None, table["time"].max()),
    )


def _different(table: pl.DataFrame, column: str) -> int:
    return int(table[column].drop_nulls().n_unique())


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
