"""Coverage of sentences by judged segments (Macháček 2014 §3.1.2 and §6.3).

A word is covered if a judged segment contains it. Judges of segments never see uncovered words: in
the thesis these were predicates whose errors made a sentence worse than its segments. Parse trees
(`trees`) identify predicates; sentence 7 of the database is the seventh tree. Whole sentences are
resampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from adjudge.core.errors import InputError, NotEnoughData
from adjudge.segments.database import SegmentDatabase
from adjudge.segments.overall import resampled_ratio
from adjudge.segments.trees import Tree
from adjudge.stats.resampling import Floats, Resampling

WORDS, PREDICATES, WHOLE = "words", "predicates", "sentences with all predicates"


@dataclass(frozen=True, eq=False)
class Coverage:
    """Numbers of words, and of predicates if trees are known, covered by a judged segment."""

    pair: str
    resampling: Resampling
    sentences: int
    what: tuple[str, ...]
    number: Floats
    covered: Floats
    low: Floats
    high: Floats

    @property
    def level(self) -> float:
        """Confidence level of intervals."""
        return self.resampling.level

    @property
    def share(self) -> Floats:
        """Share of covered words."""
        return self.covered / self.number

    def to_frame(self) -> pl.DataFrame:
        """Return one row per kind of word."""
        return pl.DataFrame(
            {
                "pair": [self.pair] * len(self.what),
                "what": self.what,
                "number": self.number.astype(np.int64),
                "covered": self.covered.astype(np.int64),
                "share": self.share,
                "low": self.low,
                "high": self.high,
            }
        )


def coverage(
    database: SegmentDatabase, resampling: Resampling, trees: Sequence[Tree] = (), file: str = ""
) -> Coverage:
    """Compute coverage; `file` is the origin of the trees."""
    lengths, places = _words(database)
    held = [np.zeros(length, bool) for length in lengths]
    for row, words in places:
        if max(words) >= lengths[row]:
            raise NotEnoughData(
                f"{database.pair}: a segment of sentence {database.sentences['sentence'][row]} has "
                f"the word {max(words)} (from 0), and the sentence only {lengths[row]} words; "
                "correct the indices or the sentence"
            )
        held[row][words] = True
    counted = [[(len(words), int(words.sum())) for words in held]]
    if trees:
        predicates = _predicates(database, trees, lengths, file)
        found = [
            (len(verbs), int(words[list(verbs)].sum()))
            for words, verbs in zip(held, predicates, strict=True)
        ]
        counted.append(found)
        counted.append([(int(n > 0), int(0 < n == covered)) for n, covered in found])
    what = (WORDS, PREDICATES, WHOLE)[: len(counted)]
    numbers = np.array(counted, np.float64).transpose(2, 1, 0)  # all or covered, sentences, what
    everything, covered = numbers
    empty = everything.sum(axis=0) == 0
    if empty.any():
        raise NotEnoughData(f"{database.pair}: the sentences have no {what[int(empty.argmax())]}")
    drawn = resampled_ratio(covered, everything - covered, np.arange(len(lengths)), resampling)
    low, high = drawn.interval()
    return Coverage(
        pair=database.pair,
        resampling=resampling,
        sentences=len(lengths),
        what=what,
        number=everything.sum(axis=0),
        covered=covered.sum(axis=0),
        low=low,
        high=high,
    )


def _words(database: SegmentDatabase) -> tuple[list[int], list[tuple[int, list[int]]]]:
    """Number of words of each sentence, and positions of each segment's words."""
    lengths = database.sentences["source"].str.split(" ").list.len()
    indices = database.segments["segment"].str.extract(r":(\d+(?:,\d+)*)$")
    if lengths.null_count() or indices.null_count():
        raise NotEnoughData(
            f"{database.pair}: the database does not say where in its sentence a segment stands; "
            "SegRanks's export does not, its tables and campaigns of ours do"
        )
    places = indices.str.split(",").list.eval(pl.element().cast(pl.Int64)).to_list()
    return lengths.to_list(), list(zip(database.segments["sentence"], places, strict=True))


def _predicates(
    database: SegmentDatabase, trees: Sequence[Tree], lengths: Sequence[int], file: str
) -> list[tuple[int, ...]]:
    """Predicates of each sentence by the tree with its number."""
    chosen = []
    for name, length in zip(database.sentences["sentence"], lengths, strict=True):
        if not name.isdecimal() or not 1 <= int(name) <= len(trees):
            raise InputError(
                f"has {len(trees):,} trees, and none for sentence {name!r} of the database; give "
                "those of the texts that the segments were taken from",
                file=file,
            )
        tree = trees[int(name) - 1]
        if tree.length != length:
            raise InputError(
                f"this tree has {tree.length} words, and sentence {name} of the database {length}; "
                "parse the sentences as they are in the database",
                file=file,
                line=tree.line,
            )
        chosen.append(tree.predicates)
    return chosen
