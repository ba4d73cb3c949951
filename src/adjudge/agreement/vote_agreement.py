"""Agreement of votes in files of any size, in bounded memory.

Votes are read in chunks of whole segments, each small enough for memory.

Agreement on a segment needs all votes on it. Votes are therefore partitioned by segment
(`data.votes`), and processed chunk by chunk.

The results equal those of `pairwise.agreement`.

All that is kept is what chunks of whole segments (`vote_chunks`) add up to (`label_sums`). Where a
table would put more than 20,000 cells into groups, here none are.

Agreement of every judge in files of votes of any size: the numbers of `agreement_by_judge`.

A vote on two outputs that nobody judged again, not even the same judge, only has to be counted. The
others are kept, 32 bytes each, as long as they and the judges are not too many.

Agreement in parts of the votes in files of any size: the numbers of `parts`, in bounded memory.

What a part counts adds up over chunks of whole segments (`vote_chunks`), so the sums of every part
are all that is kept. Votes name no source text, document or group: by those, all are in no part.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.conventions import CONVENTIONS, convention_named
from adjudge.agreement.crossed_variance import kappa_ends
from adjudge.agreement.intervals import interval_ends
from adjudge.agreement.judges import JudgeAgreement, JudgedLabels
from adjudge.agreement.label_sums import COLUMNS, Keys, LabelSums
from adjudge.agreement.labels import KINDS, PAIRWISE, UNKNOWN, Ints, Kind, Labels, pairwise_labels
from adjudge.agreement.pairwise import (
    OTHER,
    Agreement,
    Tally,
    involves_reference,
    kappas_of_sums,
    tally_of_sums,
)
from adjudge.agreement.parts import (
    PartAgreement,
    Partition,
    by_distance,
    by_hour,
    by_order,
    by_partition,
)
from adjudge.core.results import Results
from adjudge.data.comparisons import MISSING, Comparisons, Outputs
from adjudge.data.outputs import includes_reference
from adjudge.data.selection import Selection
from adjudge.data.table_files import Path
from adjudge.data.votes.batches import Batch, Said, read_batches
from adjudge.data.votes.census import Census
from adjudge.data.votes.sample import NOBODY, Records, opened_parts
from adjudge.data.win_counts import WinCounts
from adjudge.stats.resampling import Resampling, Unit
from adjudge.stats.tests import Ends

AT_ONCE = 1 << 17  # votes worked on at a time


def each_chunk(
    paths: Sequence[Path],
    selection: Selection,
    census: Census,
    add: "Callable[[str, Chunk], None]",
    work: "Work | None" = None,
) -> None:
    """Pass every chunk of every language pair to `add`, after all votes went to `work`.

    Chunks contain only votes that compare two selected systems.
    """

    def make(said: Said, batches: Iterator[Batch]) -> None:
        with opened_parts(sum(n for _, n in census.statements())) as parts:
            for batch in batches:
                if work is not None:
                    work.meet(said, batch)
                parts.add(batch if work else batch.where(said.compares[batch.said]))
            for part in parts:
                for pair, votes in _by_pair(said, part):
                    if work is not None:
                        work.add(pair, votes)
                    compared = votes[said.compares[votes["said"]]]
                    for chunk in _chunks(said, census.systems(pair), pair, compared):
                        add(pair, chunk)

    read_batches(paths, selection, make)


class Work(Protocol):
    """Two-pass consumer of votes: batches in file order first, then whole segments."""

    def meet(self, said: Said, batch: Batch) -> None: ...

    def add(self, pair: str, votes: Records) -> None: ...


def with_and_without_reference(census: Census, pair: str) -> list[bool]:
    """All comparisons and, if the reference takes part, those among systems proper."""
    takes_part = any(
        len(said.kept) == 2 and any(map(includes_reference, said.kept))
        for said, _ in census.statements(pair)
    )
    return [True, False] if takes_part else [False]


def _by_pair(said: Said, votes: Records) -> Iterator[tuple[str, Records]]:
    """Votes of each language pair, grouped by segment."""
    pair = said.pair[votes["said"]]
    for place in np.flatnonzero(np.bincount(pair)):
        own = np.flatnonzero(pair == place)
        yield said.pairs[place], votes[own[np.argsort(votes["segment"][own])]]


@dataclass(frozen=True, eq=False)
class Chunk:
    """Votes of one language pair on whole segments."""

    comparisons: Comparisons
    judges: Keys  # the hash of the name of each judge
    hour: Ints  # of the day, of every vote
    single: bool  # is every vote alone on its segment?

    def without_reference(self) -> "Chunk":
        """Restrict the chunk to votes among systems proper."""
        kept = ~involves_reference(self.comparisons)
        return Chunk(self.comparisons.where(kept), self.judges, self.hour[kept], self.single)


def _chunks(said: Said, systems: tuple[str, ...], pair: str, votes: Records) -> Iterator[Chunk]:
    """Yield votes in order of segments, first those on shared segments, then single ones."""
    starts = np.flatnonzero(np.append(True, votes["segment"][1:] != votes["segment"][:-1]))
    sizes = np.diff(starts, append=len(votes))
    code = {name: place for place, name in enumerate(systems)}
    stated = np.array(
        [
            (code.get(one.left or "", 0), code.get(one.right or "", 0), one.outcome)
            for one in said.statements
        ]
    )
    shared = np.repeat(sizes > 1, sizes)
    for single, own in ((False, votes[shared]), (True, votes[~shared])):
        cuts = np.flatnonzero(np.append(True, own["segment"][1:] != own["segment"][:-1]))
        first = 0
        while first < len(own):
            last = int(np.searchsorted(cuts, first + AT_ONCE))
            end = int(cuts[last]) if last < len(cuts) else len(own)
            yield _chunk(pair, systems, stated, own[first:end], single)
            first = end


def _chunk(
    pair: str,
    systems: tuple[str, ...],
    stated: NDArray[np.int64],
    votes: Records,
    single: bool,
) -> Chunk:
    judges, judge = np.unique(votes["judge"], return_inverse=True)
    nobody = len(judges) and judges[0] == NOBODY
    left, right, outcome = stated[votes["said"]].T
    each = np.arange(len(votes), dtype=np.int32)
    unknown = np.full(len(votes), MISSING, np.int32)
    names = tuple(map(str, range(len(judges) - nobody)))
    comparisons = Comparisons(
        pair=pair,
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        outcome=outcome.astype(np.int8),
        ranking=each,
        segment=each if single else np.cumsum(np.diff(votes["segment"], prepend=0) != 0) - 1,
        document=unknown,
        hit=unknown,
        judge=(judge - nobody).astype(np.int32),
        systems=systems,
        rankings=each.astype(np.int64),
        segments=(),
        documents=(),
        hits=(),
        judges=names,
        groups=(None,) * len(names),
    )
    hour = votes["hour"].astype(np.int64)
    return Chunk(comparisons, judges[int(nobody) :], hour, single)


def agreement_of_votes(
    paths: Sequence[Path],
    selection: Selection,
    census: Census,
    outputs: Sequence[Outputs] = ("collapsed",),
    convention: str = "sound",
    level: float = 0.95,
) -> Results[Agreement]:
    """Compute agreement in every language pair, over new judges and segments as far as known."""
    counting = {
        pair: [_Counting(one, convention) for one in with_and_without_reference(census, pair)]
        for pair in sorted(census.pairs)
    }

    def add(pair: str, chunk: Chunk) -> None:
        for one in counting[pair]:
            one.add(chunk)

    each_chunk(paths, selection, census, add)
    return Results(
        result
        for pair, of_pair in counting.items()
        for form in outputs
        for one in of_pair
        for result in one.results(pair, form, level)
    )


class _Counting:
    """Accumulator of both kinds of agreement under one convention, and of the alternative's
    tally.
    """

    def __init__(self, with_reference: bool, convention: str) -> None:
        self.with_reference = with_reference
        self.convention = convention
        self.sums: dict[Kind, LabelSums] = {}
        self.beside: dict[Kind, NDArray[np.int64]] = {}

    def add(self, chunk: Chunk) -> None:
        """Count the votes of a chunk."""
        if not self.with_reference:
            chunk = chunk.without_reference()
        votes = chunk.comparisons
        # Alone on its segment, a label only counts for P(E), or it does not: each as the first.
        looked_at = votes.where(np.arange(len(votes)) < 1) if chunk.single else votes
        evidence = convention_named(self.convention).evidence(looked_at)
        other = convention_named(OTHER[self.convention]).evidence(looked_at)
        tied = votes.outcome == 0
        for kind in KINDS:
            sums = self.sums.setdefault(kind, LabelSums(evidence[kind].across))
            beside = self.beside.setdefault(kind, np.zeros(COLUMNS, np.int64))
            if not chunk.single:
                sums.add(evidence[kind], chunk.judges)
                beside += other[kind].columns.sum(axis=0)
                continue
            counted = bool(evidence[kind].counted.all())
            sums.add_single(tied, votes.judge.astype(np.int64), chunk.judges, counted)
            if other[kind].counted.all():
                beside += np.array([0, 0, np.count_nonzero(tied), len(tied)])

    def results(self, pair: str, outputs: Outputs, level: float) -> Iterator[Agreement]:
        """Yield the agreement of one language pair."""
        for kind in KINDS:
            sums = self.sums[kind]
            tally, unit = tally_of_sums(sums.total), sums.unit
            low, high = kappa_interval_of_sums(sums, unit, tally, level)
            yield Agreement(
                pair=pair,
                kind=kind,
                outputs=outputs,
                with_reference=self.with_reference,
                convention=self.convention,
                tally=tally,
                low=low,
                high=high,
                unit=unit,
                holds_for=sums.holds_for(unit),
                other_convention=OTHER[self.convention],
                other=tally_of_sums(self.beside[kind]),
            )


def kappa_interval_of_sums(sums: LabelSums, unit: Unit, tally: Tally, level: float) -> Ends:
    """Interval of κ from sums, as in `pairwise.kappa_interval`."""
    if tally.kappa is None or tally.p_e is None:
        return (None, None)
    spread = sums.spread(kappas_of_sums, unit)
    if spread is None:
        return (None, None)
    variance, degrees = (np.array([number]) for number in spread)
    values = np.array([tally.kappa]), np.array([tally.p_e])
    return interval_ends(*kappa_ends(*values, variance, degrees, tally.comparable, level))[0]


MOST_JUDGES = 1 << 16
MOST_COMPARED = 1 << 22  # votes that are kept


class _TooManyError(Exception):
    pass


def judges_of_votes(
    paths: Sequence[Path], selection: Selection, census: Census, resampling: Resampling
) -> Results[JudgeAgreement] | None:
    """Compute agreement of every judge in every language pair; None if it would need too much
    memory.
    """
    if census.judges.number > MOST_JUDGES:
        return None
    work = _JudgeWork()
    counting = {
        pair: [_JudgeCounting(one, work) for one in with_and_without_reference(census, pair)]
        for pair in sorted(census.pairs)
    }

    def add(pair: str, chunk: Chunk) -> None:
        for one in counting[pair]:
            one.add(chunk if one.with_reference else chunk.without_reference())
        if sum(one.kept for of_pair in counting.values() for one in of_pair) > MOST_COMPARED:
            raise _TooManyError

    try:
        each_chunk(paths, selection, census, add, work)
    except _TooManyError:
        return None
    return Results(
        judge
        for pair, of_pair in counting.items()
        for one in of_pair
        for judge in one.judged(pair).agreements(pair, one.with_reference, resampling)
    )


class _JudgeWork:
    """Names and workload of judges."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}  # by the hash
        self._rankings: Counter[tuple[str, int]] = Counter()  # by pair and hash of the judge
        self._segments: Counter[tuple[str, int]] = Counter()
        self._nowhere: Counter[tuple[str, int]] = Counter()  # votes on segments without a name

    def meet(self, said: Said, batch: Batch) -> None:
        """Collect the names of judges."""
        judge = np.where(batch.named("judge"), batch.unit("judge"), np.uint64(NOBODY))
        if batch.names("judge"):
            hashes, first = np.unique(judge, return_index=True)
            for key, name in zip(hashes.tolist(), batch.frame["judge"][first], strict=True):
                if key != NOBODY:
                    self._names.setdefault(key, name)
        pair, unnamed = said.pair[batch.said], ~batch.named("segment")
        for place in np.unique(pair[unnamed]):
            self._count(self._nowhere, said.pairs[place], judge[unnamed & (pair == place)])

    def add(self, pair: str, votes: Records) -> None:
        """Count the votes of whole segments."""
        judge, segment = votes["judge"], votes["segment"]
        order = np.lexsort((judge, segment))
        judge, segment = judge[order], segment[order]
        another = np.append(True, (judge[1:] != judge[:-1]) | (segment[1:] != segment[:-1]))
        self._count(self._rankings, pair, judge)
        self._count(self._segments, pair, judge[another])

    def _count(self, counter: "Counter[tuple[str, int]]", pair: str, judge: Keys) -> None:
        hashes, times = np.unique(judge, return_counts=True)
        for key, number in zip(hashes.tolist(), times.tolist(), strict=True):
            counter[pair, key] += number

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """Names of all judges in sorted order, available after the first pass."""
        return tuple(sorted(self._names.values()))

    @cached_property
    def _places(self) -> tuple[Keys, Ints]:
        place = {name: place for place, name in enumerate(self.judges)}
        known = sorted(self._names)
        return np.array(known, np.uint64), np.array([place[self._names[key]] for key in known])

    def places(self, keys: Keys) -> Ints:
        """Indices of these judges among all."""
        known, place = self._places
        return place[np.searchsorted(known, keys)] if len(keys) else np.zeros(0, np.int64)

    def of_pair(self, pair: str) -> dict[str, dict[str, int | None]]:
        """Workload of each judge; votes without a judge count as unknown."""
        done: dict[str, dict[str, int | None]] = {}
        for (where, key), rankings in self._rankings.items():
            if where == pair:
                nowhere = self._nowhere[pair, key]  # all on one segment, as far as anybody knows
                segments = self._segments[pair, key] - nowhere + bool(nowhere)
                name = UNKNOWN if key == NOBODY else self._names[key]
                done[name] = {"rankings": rankings, "segments": segments, "seconds": None}
        return done


class _JudgeCounting:
    """Comparable labels of every judge, and the number of all labels."""

    def __init__(self, with_reference: bool, work: _JudgeWork) -> None:
        self.with_reference = with_reference
        self.kept = 0
        self._work = work
        self._pieces: list[Ints] = [np.zeros((4, 0), np.int64)]  # item, segment, judge, label
        self._items = self._segments = 0

    @cached_property
    def _labels(self) -> Ints:
        """Ties and all labels per judge and for unknown judges (2, judges + 1)."""
        return np.zeros((2, len(self._work.judges) + 1), np.int64)

    def add(self, chunk: Chunk) -> None:
        """Count votes, and keep the comparable ones."""
        votes, nobody = chunk.comparisons, len(self._work.judges)
        judge = np.append(self._work.places(chunk.judges), nobody)[votes.judge]
        for row, counted in zip(self._labels, (judge[votes.outcome == 0], judge), strict=True):
            row += np.bincount(counted, minlength=nobody + 1)
        if chunk.single or not len(votes):
            return
        labels = pairwise_labels(votes)
        shared = np.bincount(labels.item)[labels.item] > 1
        item, segment = labels.item + self._items, labels.segment + self._segments
        self._pieces.append(np.stack([item, segment, judge, labels.label])[:, shared])
        self._items, self._segments = int(item.max()) + 1, int(segment.max()) + 1
        self.kept += int(shared.sum())

    def judged(self, pair: str) -> JudgedLabels:
        """Labels of the judges of a language pair."""
        work = self._work.of_pair(pair)
        names = (*self._work.judges, UNKNOWN)
        present = np.array([name in work for name in names])
        present[-1] = self._labels[1, -1] > 0
        item, segment, judge, label = np.concatenate(self._pieces, axis=1)
        ties, total = self._labels[:, present]
        labels = Labels(
            item,
            (np.cumsum(present) - 1)[judge],
            label,
            segment,
            tuple(name for name, here in zip(names, present, strict=True) if here),
            PAIRWISE,
            document=np.full(len(item), MISSING, np.int64),
        )
        return JudgedLabels(labels, ties, total, work, {})


MOST_JUDGES_OF_PART = 1 << 16  # kept apart in a part; more are in so many groups
_ORDERS = ("same", "opposite")


def parts_of_votes(
    paths: Sequence[Path],
    selection: Selection,
    census: Census,
    by: str,
    outputs: Outputs,
    resampling: Resampling,
) -> Results[PartAgreement]:
    """Compute agreement in every part of every language pair, under the sound convention."""
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
    """Accumulator of the sums of every part."""

    def __init__(self, with_reference: bool, by: str, counts: WinCounts) -> None:
        self.with_reference = with_reference
        self._by, self._counts = by, counts
        self._sums: dict[tuple[str | None, Kind], LabelSums] = {}
        self._names: tuple[str | None, ...] = _ORDERS if by == "order" else ()

    def add(self, chunk: Chunk) -> None:
        """Count the votes of a chunk."""
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
            self._sums[key] = LabelSums(across=kind == "inter", most_judges=MOST_JUDGES_OF_PART)
        return self._sums[key]

    def _singles(self, chunk: Chunk) -> Iterator[tuple[str | None, NDArray[np.bool_]]]:
        """Yield the parts, with the single votes that contribute to their P(E)."""
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
        """All parts in order."""
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
