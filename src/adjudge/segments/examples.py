"""Example sentences as seen by a new system: hit, near or miss for every segment.

A system is treated as unseen, and each of its candidates is looked up among those of the others:

- *hit*: another system wrote the same, so that its rank is known;
- *near*: the nearest one needs edits of at most a quarter of the candidate's characters;
- *miss*: nothing is so near.

What judges said of the candidate stands beside the rank that the nearest one would give it.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from adjudge.segments.closest_ranks import ClosestRanks
from adjudge.segments.database import SegmentDatabase

NEAR = 0.25  # edits a character of the candidate

Match = Literal["hit", "near", "miss"]
MATCHES: tuple[Match, ...] = ("hit", "near", "miss")


@dataclass(frozen=True)
class FoundSegment:
    """Candidate of the system treated as unseen, with its match in the database."""

    words: tuple[int, ...]  # their places in the source sentence
    source: str
    candidate: str
    match: Match
    nearest: str
    distance: int
    rank: float  # by judges
    given: float  # by the nearest, a mean where several are as near
    candidates: int  # of the segment; a rank beyond is "garbage"


@dataclass(frozen=True)
class ExampleSentence:
    """Source sentence, and its segments as translated by one system."""

    sentence: str
    system: str
    source: tuple[str, ...]  # words
    segments: tuple[FoundSegment, ...]


def example_sentences(
    database: SegmentDatabase, closest: ClosestRanks, number: int, seed: int = 1
) -> list[ExampleSentence]:
    """Draw example sentences at random; those with more kinds of matches come first.

    No sentence is repeated, and systems take turns.
    """
    found = _found(database, closest)
    keys = ["row", "system"]
    kinds = found.group_by(*keys).agg(pl.col("match").n_unique()).sort(*keys)
    shuffled = kinds[np.random.default_rng(seed).permutation(len(kinds))]
    chosen: list[tuple[int, str]] = []
    waiting = shuffled.sort("match", descending=True, maintain_order=True).select(keys).rows()
    while waiting and len(chosen) < number:
        rows = {row for row, _ in chosen}
        turns = {system: sum(system == other for _, other in chosen) for _, system in waiting}
        fewest = min(turns.values())
        row, system = next(one for one in waiting if turns[one[1]] == fewest)
        chosen.append((row, system))
        waiting = [one for one in waiting if one[0] not in rows | {row}]
    return [_example(database, found, row, system) for row, system in chosen]


def _found(database: SegmentDatabase, closest: ClosestRanks) -> pl.DataFrame:
    """Return one row per segment and system, in word order; the first of several annotations.

    Segments without a position in a known sentence are left out.
    """
    row = database.segments["sentence"]
    indices = database.segments["segment"].str.extract(r":(\d+(?:,\d+)*)$").str.split(",")
    places = database.segments.with_columns(
        indices.list.eval(pl.element().cast(pl.Int64)).alias("words"),
        row=pl.col("sentence"),
        segment=pl.int_range(pl.len()),
        length=database.sentences["source"].str.split(" ").list.len().gather(row),
    ).filter(pl.col("words").list.max() < pl.col("length"))
    sizes = database.candidates.group_by("annotation").agg(pl.len().alias("candidates"))
    rows = closest.rows.join(sizes, on="annotation", maintain_order="left").with_columns(
        pl.Series(database.segment).gather(closest.rows["annotation"]).alias("segment")
    )
    rows = rows.unique(["system", "segment"], keep="first", maintain_order=True)
    near = pl.col("distance") <= NEAR * pl.col("text").str.len_chars()
    match = (
        pl.when(pl.col("distance") == 0).then(pl.lit("hit"))
        .when(near).then(pl.lit("near"))
        .otherwise(pl.lit("miss"))
    )  # fmt: skip
    joined = rows.join(places, on="segment").with_columns(match=match)
    return joined.sort("row", "system", pl.col("words").list.first())


def _example(
    database: SegmentDatabase, found: pl.DataFrame, row: int, system: str
) -> ExampleSentence:
    sentence = database.sentences.row(row, named=True)
    own = found.filter((pl.col("row") == row) & (pl.col("system") == system))
    return ExampleSentence(
        sentence=sentence["sentence"],
        system=system,
        source=tuple(sentence["source"].split(" ")),
        segments=tuple(
            FoundSegment(
                words=tuple(part["words"]),
                source=part["source_segment"],
                candidate=part["text"],
                match=part["match"],
                nearest=part["closest"],
                distance=part["distance"],
                rank=part["rank"],
                given=part["given"],
                candidates=part["candidates"],
            )
            for part in own.to_dicts()
        ),
    )
