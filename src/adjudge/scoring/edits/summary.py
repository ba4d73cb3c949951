"""What is in a file of edits, by language pair and protocol."""

from dataclasses import dataclass
from datetime import datetime
from typing import cast

import polars as pl

from adjudge.data.outputs import systems_among


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
