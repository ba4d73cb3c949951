"""What is in files of votes, counted in one pass: the numbers of `summary`, and how to sample them.

Numbers of judges and segments and of repeated votes are exact up to the limits of `thinned`, and
estimates beyond. How many votes lie on the segments, and are by the judges, with hashes below
2^(64−ℓ) is counted for every ℓ, so that a sample of a given size can be taken by reading once more
(`vote_sample`).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

import numpy as np
from numpy.typing import NDArray

from adjudge.data.comparisons import Outputs
from adjudge.data.outputs import includes_reference
from adjudge.data.selection import Selection
from adjudge.data.summary import Summaries, Summary, SystemSummary
from adjudge.data.table_files import Path
from adjudge.data.votes.batches import Batch, Said, Statement, read_batches
from adjudge.data.votes.count_distinct import MOST_DISTINCT, MOST_REPEATED, Thinned
from adjudge.data.votes.hashed_names import Hashes, mixed
from adjudge.data.win_counts import WinCounts

LEVELS = 33  # ℓ = 0 … 32

Levels = NDArray[np.int64]


@dataclass(eq=False)
class PairCensus:
    """The votes of one language pair."""

    judges: Thinned = field(default_factory=lambda: Thinned(MOST_DISTINCT))
    segments: Thinned = field(default_factory=lambda: Thinned(MOST_DISTINCT))
    votes: Thinned = field(default_factory=lambda: Thinned(MOST_REPEATED, repeats=True))
    first: datetime | None = None
    last: datetime | None = None
    # Votes on segments (by judges, or single ones) with hashes below 2^(64−ℓ), for every ℓ.
    by_segment: Levels = field(default_factory=lambda: np.zeros(LEVELS, np.int64))
    by_judge: Levels = field(default_factory=lambda: np.zeros(LEVELS, np.int64))
    by_vote: Levels = field(default_factory=lambda: np.zeros(LEVELS, np.int64))

    def add(self, batch: Batch, meaning: Hashes) -> None:
        """Count votes; `meaning` is the hash of what every one of them says."""
        for name, thinned in (("judge", self.judges), ("segment", self.segments)):
            if batch.names(name):
                thinned.add(batch.unit(name)[batch.named(name)])
        self.by_segment += _levels(batch.unit("segment"))
        self.by_judge += _levels(batch.unit("judge"))
        self.by_vote += _levels(batch.row)
        # Of votes with neither judge nor time nobody can say whose they are.
        whose = batch.named("judge") | batch.named("time")
        moment = np.zeros(len(whose), np.uint64)
        if batch.names("time"):
            time = batch.frame["time"]
            self.first = _extreme(min, self.first, cast(datetime | None, time.min()))
            self.last = _extreme(max, self.last, cast(datetime | None, time.max()))
            moment = time.to_physical().fill_null(-1).to_numpy().astype(np.uint64)
        # Rows without a judge, or a segment, are alike in that.
        judge, segment = (np.where(batch.named(n), batch.unit(n), 0) for n in ("judge", "segment"))
        self.votes.add(mixed(meaning, judge, segment, moment)[whose])


class Census:
    """The votes of files by language pair."""

    def __init__(self, said: Said) -> None:
        self.pairs: dict[str, PairCensus] = {}
        self.judges = Thinned(MOST_DISTINCT)
        self._said = said
        self._times: NDArray[np.int64] = np.zeros(0, np.int64)  # of every statement
        self._meanings: dict[tuple[object, ...], int] = {}
        self._meaning: Hashes = np.zeros(0, np.uint64)  # of every statement

    def add(self, batch: Batch) -> None:
        """Count the votes of a batch."""
        said = self._said
        times = np.bincount(batch.said, minlength=len(said.statements))
        times[: len(self._times)] += self._times
        self._times = times
        if batch.names("judge"):
            self.judges.add(batch.unit("judge")[batch.named("judge")])
        new = [self._number(one) for one in said.statements[len(self._meaning) :]]
        self._meaning = np.append(self._meaning, np.array(new, np.uint64))
        for pair, own in batch.by_pair(said):
            self.pairs.setdefault(pair, PairCensus()).add(own, self._meaning[own.said])

    def _number(self, said: Statement) -> int:
        """A number that is the same for what a table does not tell apart."""
        both = zip((said.left, said.right), said.given, strict=True)
        meaning = (
            said.pair,
            *((name, given) if name is not None else None for name, given in both),
        )
        return self._meanings.setdefault(meaning, len(self._meanings) + 1)

    def summaries(self, outputs: Outputs) -> Summaries:
        """What `adjudge info` says of them."""
        pairs = tuple(self.summary(pair) for pair in sorted(self.pairs))
        systems = self._systems() if len(pairs) == 1 else ()
        about = () if self.judges.exact else ("judges",)
        return Summaries(pairs, systems, self.judges.number, outputs, about)

    def statements(self, pair: str | None = None) -> list[tuple[Statement, int]]:
        """All that votes say, and how often they do."""
        counted = zip(self._said.statements, self._times.tolist(), strict=True)
        return [(said, n) for said, n in counted if n and pair in (None, said.pair)]

    def systems(self, pair: str | None = None) -> tuple[str, ...]:
        """The systems, in the order of their names."""
        return tuple(sorted({name for said, _ in self.statements(pair) for name in said.kept}))

    def counts(self, pair: str) -> WinCounts:
        """How often each system beat and tied each other one."""
        systems = self.systems(pair)
        code = {name: place for place, name in enumerate(systems)}
        wins, ties = np.zeros((2, len(systems), len(systems)), np.int64)
        for said, n in self.statements(pair):
            if said.left is None or said.right is None:
                continue
            both = code[said.left], code[said.right]
            if said.outcome:
                wins[both[:: said.outcome]] += n
            else:
                ties[both] += n
                ties[both[::-1]] += n
        return WinCounts(systems, wins, ties)

    def summary(self, pair: str) -> Summary:
        """The numbers of one language pair."""
        counted, said = self.pairs[pair], self.statements(pair)
        both = [(one, n) for one, n in said if len(one.kept) == 2]
        comparisons = sum(n for _, n in both)
        reference = sum(n for one, n in both if any(map(includes_reference, one.kept)))
        known = any(map(includes_reference, self.systems(pair))) and comparisons
        thinned = {
            "judges": counted.judges,
            "segments": counted.segments,
            "duplicates": counted.votes,
        }
        rankings = sum(n for _, n in said)
        return Summary(
            pair=pair,
            protocol=None,
            systems=len(self.systems(pair)),
            judges=min(counted.judges.number, rankings),  # whatever is estimated
            groups=0,
            documents=0,
            segments=min(counted.segments.number, rankings),
            rankings=rankings,
            skipped=0,
            unfinished=0,
            missing=0,
            duplicates=counted.votes.repeated,
            comparisons=comparisons,
            ties=sum(n for one, n in both if not one.outcome),
            reference_share=reference / comparisons if known else None,
            seconds_median=None,
            first=counted.first,
            last=counted.last,
            estimated=tuple(name for name, of in thinned.items() if not of.exact),
        )

    def _systems(self) -> tuple[SystemSummary, ...]:
        shown: Counter[str] = Counter()
        ends: Counter[tuple[str, int]] = Counter()
        for said, n in self.statements():
            for name in said.kept:
                shown[name] += n
            if said.left is not None and said.right is not None:
                ends[said.left, said.outcome] += n
                ends[said.right, -said.outcome] += n
        return tuple(
            SystemSummary(name, shown[name], won + tied + lost, won, tied, lost)
            for name in self.systems()
            for won, tied, lost in [(ends[name, 1], ends[name, 0], ends[name, -1])]
        )


def census_of(paths: Sequence[Path], selection: Selection) -> Census | None:
    """The votes of files; None where they must be read whole."""

    def make(said: Said, batches: Iterator[Batch]) -> Census:
        census = Census(said)
        for batch in batches:
            census.add(batch)
        return census

    return read_batches(paths, selection, make)


def _levels(hashes: Hashes) -> Levels:
    """How many hashes are below 2^(64−ℓ), for every ℓ."""
    zeros = LEVELS - 1 - np.frexp((hashes >> np.uint64(32)).astype(np.float64))[1]
    return np.cumsum(np.bincount(zeros, minlength=LEVELS)[::-1])[::-1]


def _extreme(
    which: Callable[[list[datetime]], datetime], one: datetime | None, other: datetime | None
) -> datetime | None:
    known = [moment for moment in (one, other) if moment is not None]
    return which(known) if known else None
