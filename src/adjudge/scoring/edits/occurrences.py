"""Statuses of edits of segments that are new to their editor, and of repeated ones (WMT13 Table 7).

Who has seen a segment before, in another system's output or with its source, understands more of
it; that is why repeated edits do not count in the scores of systems.
"""

from dataclasses import dataclass
from typing import Any

import polars as pl

from adjudge.core.results import Results
from adjudge.scoring.edits.data_rows import STATUSES


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
