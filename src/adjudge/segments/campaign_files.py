"""Candidates as files that `adjudge campaign create` takes as `segments`."""

from pathlib import Path

import polars as pl

from adjudge.core.errors import AdjudgeError
from adjudge.core.files.output import open_output

COLUMNS = ("sentence", "source", "reference", "source_segment", "candidate", "indices")


def merge_candidates(rows: pl.DataFrame) -> pl.DataFrame:
    """One row a different candidate of a segment, with its systems; empty ones are left out.

    `rows` has `COLUMNS` and the system, one row a system and segment.
    """
    return (
        rows.filter(pl.col("candidate") != "")
        .group_by(*COLUMNS, maintain_order=True)
        .agg(pl.col("system").drop_nulls().alias("systems"))
        .sort(
            "sentence",
            pl.col("indices").str.split(" ").list.first().cast(pl.Int64),
            maintain_order=True,
        )
    )


def write_candidates(merged: pl.DataFrame, path: str) -> None:
    """Write merged candidates.

    A file called segments.tsv has the systems of every candidate, and sentences.tsv is written
    beside it; any other has the six columns of SegRanks, which name no systems.
    """
    if Path(path).name.startswith("segments.tsv"):
        beside = Path(path).with_name(Path(path).name.replace("segments", "sentences", 1))
        with_systems = _with_systems(merged)
        sentences = merged.select(COLUMNS[:3]).unique("sentence", maintain_order=True)
        _write(sentences, str(beside), header=True)
        _write(with_systems, path, header=True)
    else:
        _write(merged.select(COLUMNS), path, header=False)


def _with_systems(merged: pl.DataFrame) -> pl.DataFrame:
    """The columns of SegRanks's own table of segments."""
    spaced = [name for name in merged["systems"].explode().unique() if name and " " in name]
    if spaced:
        raise AdjudgeError(
            f"segments.tsv parts the names of systems by spaces, and {spaced[0]!r} has one; "
            "rename the system, or write to a file of another name"
        )
    segment = pl.struct("sentence", "indices").rank("dense")
    return merged.with_columns(segment=segment).select(
        "segment",
        "sentence",
        "source_segment",
        pl.col("indices").alias("source_word_indices"),
        pl.int_range(pl.len()).over("segment").alias("candidate"),
        pl.col("candidate").alias("candidate_segment"),
        pl.col("systems").list.join(" "),
    )


def _write(rows: pl.DataFrame, path: str, header: bool) -> None:
    with open_output(path) as stream:
        rows.write_csv(stream, separator="\t", include_header=header, quote_style="never")
