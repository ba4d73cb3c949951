"""New reference translations, and how many each segment has (WMT13 §4 and §5).

Every data row leaves one: the edit where it was accepted as it is, else the text of the reviewer,
who saw source and reference and polished the edit or corrected it. A text counts once a segment,
however its words are spaced, and what equals the reference there is already is not new.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from adjudge.core.files.output import open_output
from adjudge.core.results import Results
from adjudge.scoring.edits.data_rows import SEGMENT

_COLUMNS = (*SEGMENT, "status", "reference")


@dataclass(frozen=True)
class NewReferences:
    """How many segments of a language pair have how many new references."""

    pair: str
    segments: tuple[int, ...]  # with 0, 1, 2, … of them

    @property
    def number(self) -> int:
        """All new references."""
        return sum(n * segments for n, segments in enumerate(self.segments))

    @property
    def mean(self) -> float:
        """A segment's, on average."""
        return self.number / sum(self.segments)

    @property
    def deviation(self) -> float:
        """The standard deviation over segments."""
        each = np.repeat(np.arange(len(self.segments)), self.segments)
        return float(each.std())

    def rows(self) -> list[dict[str, Any]]:
        """The histogram (WMT13 Table 10), one flat row a number of references."""
        return [
            {"pair": self.pair, "references": n, "segments": segments}
            for n, segments in enumerate(self.segments)
            if segments
        ]


def references(rows: pl.DataFrame) -> pl.DataFrame:
    """The new references: pair, document, segment, status of the best row, the text."""
    new, official = (
        pl.col(name).cast(pl.String).str.replace_all(r"\s+", " ").str.strip_chars()
        for name in ("final", "reference")
    )
    return (
        rows.filter(new.is_not_null() & new.ne_missing(official))
        .with_columns(new.alias("new"))
        .sort("status", maintain_order=True)
        .unique([*SEGMENT, "new"], keep="first", maintain_order=True)
        .select(*SEGMENT, "status", pl.col("new").alias("reference"))
    )


def new_references(rows: pl.DataFrame) -> Results[NewReferences]:
    """How many new references the segments of each language pair have."""
    each = (
        rows.select(SEGMENT)
        .unique()
        .join(
            references(rows).group_by(SEGMENT).len("references"),
            on=SEGMENT,
            how="left",
            nulls_equal=True,
        )
    )
    return Results(
        NewReferences(
            str(pair), tuple(np.bincount(part["references"].fill_null(0).to_numpy()).tolist())
        )
        for (pair,), part in sorted(each.partition_by("pair", as_dict=True).items())
    )


def write_references(rows: pl.DataFrame, path: str) -> None:
    """One line a reference, tab-separated, the segments in the order of their names."""
    new = references(rows).select(pl.col(_COLUMNS).cast(pl.String))
    number = pl.col("segment").cast(pl.Int64, strict=False)
    ordered = new.sort("pair", "document", number, "segment", maintain_order=True)
    with open_output(path) as stream:
        ordered.write_csv(stream, separator="\t", quote_style="never")
