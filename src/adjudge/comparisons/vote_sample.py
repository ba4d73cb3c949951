"""All votes on some segments, for what cannot be said from counts.

Of every language pair the votes on segments with hashes below 2^(64−ℓ) are kept: one segment in
2^ℓ, all its votes or none, the same ones whatever order files are read in. ℓ is the least with
which so many votes are left; the largest language pair gives up first. Where there are few
segments, or none is named, single votes are kept in the same way.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.comparisons.census import LEVELS, Census, PairCensus
from adjudge.comparisons.vote_batches import Batch, Said, read_batches
from adjudge.files.input_file import InputFile
from adjudge.judgements.files import Path, recognise
from adjudge.judgements.judgement_table import judgement_table
from adjudge.judgements.selection import Selection, keep_systems

MOST_SAMPLED = 1 << 18  # votes
FEW_SEGMENTS = 1000


@dataclass(frozen=True)
class Share:
    """Which votes of a language pair are kept: those of one unit in 2^level."""

    unit: str  # "segment" or "vote"
    level: int
    votes: int
    of: int  # votes in all

    @property
    def note(self) -> str:
        """What to say of a result from these votes; nothing where they are all."""
        if not self.level:
            return ""
        which = "the votes on one segment" if self.unit == "segment" else "one vote"
        return f"From {which} in {1 << self.level:,} ({self.votes:,} of {self.of:,} votes)."


def shares(census: Census, most: int | None = None) -> dict[str, Share]:
    """What is kept of every language pair, so that at most so many votes are."""
    most = MOST_SAMPLED if most is None else most
    kept = {pair: (_unit(counted), _levels(counted)) for pair, counted in census.pairs.items()}
    level = dict.fromkeys(kept, 0)
    while True:
        votes = {pair: int(levels[level[pair]]) for pair, (_, levels) in kept.items()}
        largest = max(votes, key=lambda pair: (votes[pair], pair))
        if sum(votes.values()) <= most or level[largest] == LEVELS - 1:
            break
        level[largest] += 1
    return {
        pair: Share(unit, level[pair], votes[pair], int(levels[0]))
        for pair, (unit, levels) in kept.items()
    }


def _unit(counted: PairCensus) -> str:
    return "segment" if counted.segments.number >= FEW_SEGMENTS else "vote"


def _levels(counted: PairCensus) -> NDArray[np.int64]:
    return counted.by_segment if _unit(counted) == "segment" else counted.by_vote


def sample_votes(
    paths: Sequence[Path], selection: Selection, kept: Mapping[str, Share]
) -> dict[str, pl.DataFrame]:
    """The judgement table of the votes kept, by language pair."""

    def make(said: Said, batches: Iterator[Batch]) -> list[pl.DataFrame]:
        return [
            _copied(own.where(_below(own, kept[pair])).plain)
            for batch in batches
            for pair, own in batch.by_pair(said)
        ]

    frames = read_batches(paths, selection, make)
    assert frames is not None  # or there would be no census to know what is kept
    build = recognise(InputFile(paths[0])).rankings
    assert build is not None
    rows = build(pl.concat(frames, how="diagonal"))
    table = keep_systems(judgement_table(rows), selection)
    return {pair: table.filter(pl.col("pair") == pair) for pair in kept}


def _copied(some: pl.DataFrame) -> pl.DataFrame:
    """The same rows, so that the many they were chosen from, whose texts they share, can go."""
    return pl.DataFrame(some.rows(), some.schema, orient="row")


def _below(batch: Batch, share: Share) -> NDArray[np.bool_]:
    """Which votes have a unit that is kept?"""
    hashes = batch.unit("segment") if share.unit == "segment" else batch.row
    return np.asarray(hashes >> np.uint64(32) < np.uint64(1 << (32 - share.level)))
