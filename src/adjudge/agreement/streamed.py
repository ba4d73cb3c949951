"""Agreement of votes in files of any size: the numbers of `pairwise.agreement`, in bounded memory.

Who agrees with whom on a segment is known once all votes on it are at hand. So votes are put into
parts of whole segments (`comparisons.vote_parts`), and what these add up to is all that is kept
(`label_sums`). Where a table would put more than 20,000 cells into groups, here none are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.conventions import convention_named
from adjudge.agreement.crossed import kappa_ends
from adjudge.agreement.intervals import interval_ends
from adjudge.agreement.label_sums import COLUMNS, Keys, LabelSums
from adjudge.agreement.labels import KINDS, Kind
from adjudge.agreement.pairwise import (
    OTHER,
    Agreement,
    Tally,
    involves_reference,
    kappas_of_sums,
    tally_of_sums,
)
from adjudge.comparisons.census import Census
from adjudge.comparisons.comparisons import MISSING, Comparisons, Outputs
from adjudge.comparisons.vote_batches import Batch, Said, read_batches
from adjudge.comparisons.vote_parts import NOBODY, Records, opened_parts
from adjudge.judgements.files import Path
from adjudge.judgements.outputs import includes_reference
from adjudge.judgements.selection import Selection
from adjudge.results import Results
from adjudge.statistics.intervals import Ends

AT_ONCE = 1 << 17  # votes worked on at a time


def agreement_of_votes(
    paths: Sequence[Path],
    selection: Selection,
    census: Census,
    outputs: Sequence[Outputs] = ("collapsed",),
    convention: str = "sound",
    level: float = 0.95,
) -> Results[Agreement]:
    """Agreement in every language pair, over other judges and segments as far as can be told."""
    counting = {
        pair: [
            _Counting(with_reference, convention)
            for with_reference in ([True, False] if _has_reference(census, pair) else [False])
        ]
        for pair in sorted(census.pairs)
    }

    def make(said: Said, batches: Iterator[Batch]) -> None:
        with opened_parts(sum(n for _, n in census.statements())) as parts:
            for batch in batches:
                parts.add(batch.where(said.compares[batch.said]))
            for part in parts:
                for pair, votes in _by_pair(said, part):
                    for chunk in _chunks(said, census.systems(pair), pair, votes):
                        for one in counting[pair]:
                            one.add(chunk)

    read_batches(paths, selection, make)
    return Results(
        result
        for pair, of_pair in counting.items()
        for form in outputs
        for one in of_pair
        for result in one.results(pair, form, level)
    )


def _has_reference(census: Census, pair: str) -> bool:
    """Does a comparison involve the reference?"""
    return any(
        len(said.kept) == 2 and any(map(includes_reference, said.kept))
        for said, _ in census.statements(pair)
    )


def _by_pair(said: Said, votes: Records) -> Iterator[tuple[str, Records]]:
    """The votes of each language pair, those on the same segment together."""
    pair = said.pair[votes["said"]]
    for place in np.flatnonzero(np.bincount(pair)):
        own = np.flatnonzero(pair == place)
        yield said.pairs[place], votes[own[np.argsort(votes["segment"][own])]]


@dataclass(frozen=True, eq=False)
class _Chunk:
    """Votes of one language pair on whole segments."""

    comparisons: Comparisons
    judges: Keys  # the hash of the name of each judge
    single: bool  # is every vote alone on its segment?

    def without_reference(self) -> "_Chunk":
        kept = self.comparisons.where(~involves_reference(self.comparisons))
        return _Chunk(kept, self.judges, self.single)


def _chunks(said: Said, systems: tuple[str, ...], pair: str, votes: Records) -> Iterator[_Chunk]:
    """Votes in order of segments, first those that share one, then those that do not."""
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
) -> _Chunk:
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
    return _Chunk(comparisons, judges[int(nobody) :], single)


class _Counting:
    """Both kinds of agreement under one convention, and the tally of the other one beside it."""

    def __init__(self, with_reference: bool, convention: str) -> None:
        self.with_reference = with_reference
        self.convention = convention
        self.sums: dict[Kind, LabelSums] = {}
        self.beside: dict[Kind, NDArray[np.int64]] = {}

    def add(self, chunk: _Chunk) -> None:
        """Count some votes."""
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
        """The agreement of one language pair."""
        for kind in KINDS:
            sums = self.sums[kind]
            tally, unit = tally_of_sums(sums.total), sums.unit
            low, high = _interval(sums, tally, level)
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


def _interval(sums: LabelSums, tally: Tally, level: float) -> Ends:
    """As `pairwise.kappa_interval`."""
    if tally.kappa is None or tally.p_e is None:
        return (None, None)
    spread = sums.spread(kappas_of_sums, sums.unit)
    if spread is None:
        return (None, None)
    variance, degrees = (np.array([number]) for number in spread)
    values = np.array([tally.kappa]), np.array([tally.p_e])
    return interval_ends(*kappa_ends(*values, variance, degrees, tally.comparable, level))[0]
