"""Votes of files of any size in chunks of whole segments, each as comparisons that can be held.

Who agrees with whom on a segment is known once all votes on it are at hand. So votes are put into
parts of whole segments (`comparisons.vote_parts`), and these are gone through a chunk at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from adjudge.agreement.label_sums import Keys
from adjudge.agreement.labels import Ints
from adjudge.agreement.pairwise import involves_reference
from adjudge.data.comparisons import MISSING, Comparisons
from adjudge.data.outputs import includes_reference
from adjudge.data.selection import Selection
from adjudge.data.table_files import Path
from adjudge.data.votes.batches import Batch, Said, read_batches
from adjudge.data.votes.census import Census
from adjudge.data.votes.partitions import NOBODY, Records, opened_parts

AT_ONCE = 1 << 17  # votes worked on at a time


def each_chunk(
    paths: Sequence[Path],
    selection: Selection,
    census: Census,
    add: "Callable[[str, Chunk], None]",
    work: "Work | None" = None,
) -> None:
    """Give every chunk of every language pair to `add`, and all votes to `work` before.

    A chunk has only votes that compare two systems which were chosen.
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
    """What is to be known of all votes: first in batches as they come, then by whole segments."""

    def meet(self, said: Said, batch: Batch) -> None: ...

    def add(self, pair: str, votes: Records) -> None: ...


def with_and_without_reference(census: Census, pair: str) -> list[bool]:
    """All comparisons and, where the reference takes part, those among systems proper."""
    takes_part = any(
        len(said.kept) == 2 and any(map(includes_reference, said.kept))
        for said, _ in census.statements(pair)
    )
    return [True, False] if takes_part else [False]


def _by_pair(said: Said, votes: Records) -> Iterator[tuple[str, Records]]:
    """The votes of each language pair, those on the same segment together."""
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
        """The votes among systems proper."""
        kept = ~involves_reference(self.comparisons)
        return Chunk(self.comparisons.where(kept), self.judges, self.hour[kept], self.single)


def _chunks(said: Said, systems: tuple[str, ...], pair: str, votes: Records) -> Iterator[Chunk]:
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
