"""Agreement in parts of the votes in files of any size: the numbers of `parts`, in bounded memory.

What a part counts adds up over chunks of whole segments (`vote_chunks`), so the sums of every part
are all that is kept. Votes name no source text, document or group: by those, all are in no part.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.conventions import CONVENTIONS
from adjudge.agreement.label_sums import LabelSums
from adjudge.agreement.labels import KINDS, Kind
from adjudge.agreement.pairwise import tally_of_sums
from adjudge.agreement.parts import (
    PartAgreement,
    Partition,
    by_distance,
    by_hour,
    by_order,
    by_partition,
)
from adjudge.agreement.vote_agreement import kappa_interval_of_sums
from adjudge.agreement.vote_chunks import Chunk, each_chunk, with_and_without_reference
from adjudge.core.results import Results
from adjudge.data.comparisons import MISSING, Outputs
from adjudge.data.selection import Selection
from adjudge.data.table_files import Path
from adjudge.data.votes.census import Census
from adjudge.data.win_counts import WinCounts
from adjudge.stats.resampling import Resampling

MOST_JUDGES = 1 << 16  # kept apart in a part; more are in so many groups
_ORDERS = ("same", "opposite")


def parts_of_votes(
    paths: Sequence[Path],
    selection: Selection,
    census: Census,
    by: str,
    outputs: Outputs,
    resampling: Resampling,
) -> Results[PartAgreement]:
    """Agreement in every part of every language pair, counted the sound way."""
    counting = {
        pair: [
            _PartCounting(one, by, census.counts(pair))
            for one in with_and_without_reference(census, pair)
        ]
        for pair in sorted(census.pairs)
    }

    def add(pair: str, chunk: Chunk) -> None:
        for one in counting[pair]:
            one.add(chunk if one.with_reference else chunk.without_reference())

    each_chunk(paths, selection, census, add)
    return Results(
        _agreement(pair, by, outputs, one.with_reference, name, kind, sums, resampling)
        for pair, of_pair in counting.items()
        for one in of_pair
        for name, kind, sums in one.parts()
    )


class _PartCounting:
    """The sums of every part."""

    def __init__(self, with_reference: bool, by: str, counts: WinCounts) -> None:
        self.with_reference = with_reference
        self._by, self._counts = by, counts
        self._sums: dict[tuple[str | None, Kind], LabelSums] = {}
        self._names: tuple[str | None, ...] = _ORDERS if by == "order" else ()

    def add(self, chunk: Chunk) -> None:
        """Count some votes."""
        votes = chunk.comparisons
        if chunk.single:
            tied, judge = votes.outcome == 0, votes.judge.astype(np.int64)
            for name, inside in self._singles(chunk):
                for kind in KINDS:
                    self._of(name, kind).add_single(tied[inside], judge[inside], chunk.judges)
            return
        evidence = CONVENTIONS["sound"].evidence(votes)
        if self._by == "order":
            parts = by_order(votes, evidence)
        else:
            parts = by_partition(self._partition(chunk), evidence)
        for name, kind, part in parts:
            self._of(name, kind).add(part, chunk.judges)

    def _of(self, name: str | None, kind: Kind) -> LabelSums:
        key = (name, kind)
        if key not in self._sums:
            self._sums[key] = LabelSums(across=kind == "inter", most_judges=MOST_JUDGES)
        return self._sums[key]

    def _singles(self, chunk: Chunk) -> Iterator[tuple[str | None, NDArray[np.bool_]]]:
        """Every part, and which of the votes alone on their segments P(E) takes there."""
        if self._by == "order":
            yield from ((name, np.ones(len(chunk.comparisons), bool)) for name in _ORDERS)
            return
        partition = self._partition(chunk)
        for part in np.unique(partition.part).tolist():
            name = None if part == MISSING else partition.names[part]
            yield name, partition.part == part

    def _partition(self, chunk: Chunk) -> Partition:
        votes = chunk.comparisons
        match self._by:
            case "distance":
                partition = by_distance(votes, self._counts)
            case "hour":
                partition = by_hour(chunk.hour)
            case "block-size":
                partition = Partition(np.zeros(len(votes), np.int64), ("2",))
            case _:
                partition = Partition(np.full(len(votes), MISSING, np.int64), ())
        self._names = (*partition.names, None)
        return partition

    def parts(self) -> Iterator[tuple[str | None, Kind, LabelSums]]:
        """All parts that there are, in their order."""
        every = [(name, kind) for name in self._names for kind in KINDS]
        if self._by == "order":
            every = [(name, kind) for kind in KINDS for name in self._names]
        for name, kind in every:
            if self._by == "order" or (name, kind) in self._sums:
                yield name, kind, self._of(name, kind)


def _agreement(
    pair: str,
    by: str,
    outputs: Outputs,
    with_reference: bool,
    name: str | None,
    kind: Kind,
    sums: LabelSums,
    resampling: Resampling,
) -> PartAgreement:
    tally = tally_of_sums(sums.total)
    unit = sums.unit if resampling.unit == "auto" else resampling.unit
    low, high = kappa_interval_of_sums(sums, unit, tally, resampling.level)
    return PartAgreement(
        pair,
        by,
        name,
        kind,
        outputs,
        with_reference,
        tally,
        low,
        high,
        unit,
        sums.holds_for(unit),
    )
