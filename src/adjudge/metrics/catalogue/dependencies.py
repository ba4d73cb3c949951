"""Dependency overlap, as in LAYERED's semantic layers (Macháček 2014 §4.2.7).

    score = (P + R) / 2

P and R are precision and recall of dependencies: a word, its head and their relation, in lower
case. Lines are parses, not words: files in CoNLL-U, or lines of `word|head|relation` with heads
counted from 1 and 0 for the root (`texts.conllu`). `labels=no` leaves relations out, as parsers
name them differently. LAYERED took the Stanford parser's dependencies (SHALLOW) and those of a
generator of UNL graphs that is not public (DEEP). The score of a corpus is the mean of its
segments. 0 to 1. Of several references the best counts. Two empty lines agree, an empty one beside
another has 0. No tool's numbers are known.
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from adjudge.core.errors import BadParameter
from adjudge.metrics.edits import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts

Dependencies = Counter[tuple[str, str, str]]


@dataclass(frozen=True)
class DependencyOverlap(Metric):
    """Dependency overlap with its parameters."""

    name: ClassVar[str] = "dependencies"
    title: ClassVar[str] = "dependencies"
    summary: ClassVar[str] = "mean of precision and recall of dependencies (lines are parses)"
    paper: ClassVar[str] = "Gautam and Bhattacharyya 2014"
    scale: ClassVar[str] = "0 to 1"
    reads: ClassVar[str] = "parses"

    labels: bool = True

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: the score of every segment, and a count of 1."""
        theirs = [[dependencies(line, self.labels) for line in lines] for lines in references]

        def scored(texts: Texts) -> Floats:
            own = [dependencies(line, self.labels) for line in texts]
            each = [[overlap(*pair) for pair in zip(own, others, strict=True)] for others in theirs]
            return scores_and_ones(np.max(each, axis=0))

        return scored

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)


def dependencies(line: str, labels: bool = True) -> Dependencies:
    """Word, head and relation of every word."""
    words = [part.rsplit("|", 2) for part in line.lower().split()]
    counted: Dependencies = Counter()
    for cells in words:
        if len(cells) != 3 or not cells[1].isdecimal() or int(cells[1]) > len(words):
            raise BadParameter(
                f"a parse is a line such as cat|2|nsubj sat|0|root, not {line[:60]!r}"
            )
        head = int(cells[1])
        counted[cells[0], words[head - 1][0] if head else "", cells[2] if labels else ""] += 1
    return counted


def overlap(own: Dependencies, other: Dependencies) -> float:
    """Mean of precision and recall."""
    if not own or not other:
        return float(not own and not other)
    both = (own & other).total()
    return (both / own.total() + both / other.total()) / 2


METRIC = DependencyOverlap()
