"""Agreement of every judge in files of votes of any size: the numbers of `agreement_by_judge`.

A vote on two outputs that nobody judged again, not even the same judge, only has to be counted. The
others are kept, 32 bytes each, as long as they and the judges are not too many.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from adjudge.agreement.judges import JudgeAgreement, JudgedLabels
from adjudge.agreement.label_sums import Keys
from adjudge.agreement.labels import PAIRWISE, UNKNOWN, Ints, Labels, pairwise_labels
from adjudge.agreement.vote_chunks import Chunk, each_chunk, with_and_without_reference
from adjudge.core.results import Results
from adjudge.data.comparisons import MISSING
from adjudge.data.selection import Selection
from adjudge.data.table_files import Path
from adjudge.data.votes.batches import Batch, Said
from adjudge.data.votes.census import Census
from adjudge.data.votes.partitions import NOBODY, Records
from adjudge.stats.resampling import Resampling

MOST_JUDGES = 1 << 16
MOST_COMPARED = 1 << 22  # votes that are kept


class _TooManyError(Exception):
    pass


def judges_of_votes(
    paths: Sequence[Path], selection: Selection, census: Census, resampling: Resampling
) -> Results[JudgeAgreement] | None:
    """Every judge of every language pair; None where too much would have to be kept."""
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
    """Who the judges are, and how much each of them did."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}  # by the hash
        self._rankings: Counter[tuple[str, int]] = Counter()  # by pair and hash of the judge
        self._segments: Counter[tuple[str, int]] = Counter()
        self._nowhere: Counter[tuple[str, int]] = Counter()  # votes on segments without a name

    def meet(self, said: Said, batch: Batch) -> None:
        """Learn the names of judges."""
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
        """All of them, once all batches were met, in the order of their names."""
        return tuple(sorted(self._names.values()))

    @cached_property
    def _places(self) -> tuple[Keys, Ints]:
        place = {name: place for place, name in enumerate(self.judges)}
        known = sorted(self._names)
        return np.array(known, np.uint64), np.array([place[self._names[key]] for key in known])

    def places(self, keys: Keys) -> Ints:
        """Where these judges stand among all."""
        known, place = self._places
        return place[np.searchsorted(known, keys)] if len(keys) else np.zeros(0, np.int64)

    def of_pair(self, pair: str) -> dict[str, dict[str, int | None]]:
        """How much each judge did: that of nobody is called unknown."""
        done: dict[str, dict[str, int | None]] = {}
        for (where, key), rankings in self._rankings.items():
            if where == pair:
                nowhere = self._nowhere[pair, key]  # all on one segment, as far as anybody knows
                segments = self._segments[pair, key] - nowhere + bool(nowhere)
                name = UNKNOWN if key == NOBODY else self._names[key]
                done[name] = {"rankings": rankings, "segments": segments, "seconds": None}
        return done


class _JudgeCounting:
    """The labels of every judge that can be compared, and the number of all."""

    def __init__(self, with_reference: bool, work: _JudgeWork) -> None:
        self.with_reference = with_reference
        self.kept = 0
        self._work = work
        self._pieces: list[Ints] = [np.zeros((4, 0), np.int64)]  # item, segment, judge, label
        self._items = self._segments = 0

    @cached_property
    def _labels(self) -> Ints:
        """(2, judges and nobody): ties and all labels."""
        return np.zeros((2, len(self._work.judges) + 1), np.int64)

    def add(self, chunk: Chunk) -> None:
        """Count some votes, and keep those that can be compared."""
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
        """The labels of the judges of a language pair."""
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
