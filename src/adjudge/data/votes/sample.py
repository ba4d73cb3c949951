"""Samples of votes: all votes on some segments, or by some judges.

Votes put into parts, each with all votes on some segments, so that a part can be held.

A vote is 21 bytes: the hashes of its segment and its judge, the code of what it says, and the hour
of the day. Parts that grow large wait in files without a name, which go with the process.

All votes on some segments, or by some judges, for what cannot be said from counts.

Of every language pair the votes on segments with hashes below 2^(64−ℓ) are kept: one segment in
2^ℓ, all its votes or none, the same ones whatever order files are read in. ℓ is the least with
which so many votes are left; the largest language pair gives up first. Where there are few
segments, or none is named, single votes are kept in the same way.

What is known of a judge hangs on how many votes of theirs are kept. So methods that weigh judges
are given all votes by some judges, where there are many, chosen in the same way.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from tempfile import SpooledTemporaryFile
from typing import IO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from adjudge.core.files.input_file import InputFile
from adjudge.data.judgement_table import judgement_table
from adjudge.data.selection import Selection, keep_systems
from adjudge.data.table_files import Path, recognise
from adjudge.data.votes.batches import Batch, Said, read_batches
from adjudge.data.votes.census import LEVELS, Census, PairCensus
from adjudge.data.votes.files import read_apart

PART = 1 << 20  # votes, about
MOST_PARTS = 1 << 8
IN_MEMORY = 1 << 25  # bytes of all parts together
VOTE = np.dtype(
    [("segment", np.uint64), ("judge", np.uint64), ("said", np.int32), ("hour", np.int8)]
)
NOBODY = 0  # the judge of a vote that names none
NEVER = -1  # the hour of a vote that names no time

Records = NDArray[np.void]


@contextmanager
def opened_parts(votes: int) -> "Iterator[Parts]":
    """Parts for about so many votes, gone in the end."""
    number = min(1 << max((votes - 1) // PART, 0).bit_length(), MOST_PARTS)
    with ExitStack() as closing:
        most = IN_MEMORY // number
        yield Parts([closing.enter_context(SpooledTemporaryFile(most)) for _ in range(number)])


class Parts:
    """Votes in parts, a file each."""

    def __init__(self, files: Sequence[IO[bytes]]) -> None:
        self._files = files

    def add(self, batch: Batch) -> None:
        """Put votes where those on the same segments are."""
        votes = np.empty(len(batch.said), VOTE)
        votes["segment"] = batch.unit("segment")
        votes["judge"] = np.where(batch.named("judge"), batch.unit("judge"), np.uint64(NOBODY))
        votes["said"] = batch.said
        votes["hour"] = NEVER
        if batch.names("time"):
            votes["hour"] = batch.frame["time"].dt.hour().fill_null(NEVER).to_numpy()
        number = len(self._files)
        part = (votes["segment"] % np.uint64(number)).astype(np.uint8)
        ordered = votes[np.argsort(part, kind="stable")]
        ends = np.cumsum(np.bincount(part, minlength=number))
        for file, own in zip(self._files, np.split(ordered, ends[:-1]), strict=True):
            file.write(own.tobytes())

    def __iter__(self) -> Iterator[Records]:
        for file in self._files:
            file.seek(0)
            yield np.frombuffer(file.read(), VOTE)
            file.truncate(0)


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
