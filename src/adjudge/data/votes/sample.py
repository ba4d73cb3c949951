"""All votes on some segments, or by some judges, for what cannot be said from counts.

Of every language pair the votes on segments with hashes below 2^(64−ℓ) are kept: one segment in
2^ℓ, all its votes or none, the same ones whatever order files are read in. ℓ is the least with
which so many votes are left; the largest language pair gives up first. Where there are few
segments, or none is named, single votes are kept in the same way.

What is known of a judge hangs on how many votes of theirs are kept. So methods that weigh judges
are given all votes by some judges, where there are many, chosen in the same way.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.files.input_file import InputFile
from adjudge.data.judgement_table import judgement_table
from adjudge.data.selection import Selection, keep_systems
from adjudge.data.table_files import Path, recognise
from adjudge.data.votes.batches import Batch, Said, read_batches
from adjudge.data.votes.census import LEVELS, Census, PairCensus
from adjudge.data.votes.reader_process import read_apart

MOST_SAMPLED = 1 << 18  # votes
FEW_SEGMENTS = 1000
FEW_JUDGES = 1000
_KEPT = {"segment": "the votes on one segment", "judge": "the votes by one judge"}


@dataclass(frozen=True)
class Share:
    """Which votes of a language pair are kept: those of one unit in 2^level."""

    unit: str  # "segment", "judge" or "vote"
    level: int
    votes: int
    of: int  # votes in all

    @property
    def note(self) -> str:
        """What to say of a result from these votes; nothing where they are all."""
        if not self.level:
            return ""
        which = _KEPT.get(self.unit, "one vote")
        return f"From {which} in {1 << self.level:,} ({self.votes:,} of {self.of:,} votes)."


def shares(census: Census, of: str = "segment") -> dict[str, Share]:
    """What is kept of every language pair: of segments or of judges, as far as they are many."""
    units = {pair: _unit(counted, of) for pair, counted in census.pairs.items()}
    kept = {pair: getattr(counted, f"by_{units[pair]}") for pair, counted in census.pairs.items()}
    level = dict.fromkeys(kept, 0)
    while True:
        votes = {pair: int(levels[level[pair]]) for pair, levels in kept.items()}
        largest = max(votes, key=lambda pair: (votes[pair], pair))
        if sum(votes.values()) <= MOST_SAMPLED or level[largest] == LEVELS - 1:
            break
        level[largest] += 1
    return {
        pair: Share(units[pair], level[pair], votes[pair], int(levels[0]))
        for pair, levels in kept.items()
    }


def _unit(counted: PairCensus, of: str) -> str:
    if of == "judge" and counted.judges.number >= FEW_JUDGES:
        return "judge"
    return "segment" if counted.segments.number >= FEW_SEGMENTS else "vote"


@dataclass(frozen=True)
class VoteSample:
    """The votes of files that are kept, read when they are asked for."""

    paths: Sequence[Path]
    selection: Selection
    shares: Mapping[str, Share]  # by language pair

    @cached_property
    def tables(self) -> dict[str, pl.DataFrame]:
        """The judgement table of the votes kept, by language pair."""
        return read_apart(_tables, self.paths, self.selection, self.shares)


def _tables(
    paths: Sequence[Path], selection: Selection, shares: Mapping[str, Share]
) -> dict[str, pl.DataFrame]:
    def make(said: Said, batches: Iterator[Batch]) -> list[pl.DataFrame]:
        return [
            _copied(own.where(_below(own, shares[pair])).plain)
            for batch in batches
            for pair, own in batch.by_pair(said)
        ]

    frames = read_batches(paths, selection, make)
    assert frames is not None  # or there would be no census to know what is kept
    build = recognise(InputFile(paths[0])).rankings
    assert build is not None
    rows = build(pl.concat(frames, how="diagonal"))
    table = keep_systems(judgement_table(rows), selection)
    return {pair: table.filter(pl.col("pair") == pair) for pair in shares}


def _copied(some: pl.DataFrame) -> pl.DataFrame:
    """The same rows, so that the many they were chosen from, whose texts they share, can go."""
    return pl.DataFrame(some.rows(), some.schema, orient="row")


def _below(batch: Batch, share: Share) -> NDArray[np.bool_]:
    """Which votes have a unit that is kept?"""
    hashes = batch.row if share.unit == "vote" else batch.unit(share.unit)
    return np.asarray(hashes >> np.uint64(32) < np.uint64(1 << (32 - share.level)))
