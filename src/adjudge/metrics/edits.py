"""Edit distances, ratios and signatures shared by several metrics.

Ratios have a defined value for an empty denominator. Edit costs of word sequences are compiled.
Signatures follow sacrebleu's format, for papers that cite its numbers.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.words import Vocabulary, Words, split_references, split_texts


def ratio(part: NDArray[Any], whole: NDArray[Any]) -> Floats:
    """Divide part by whole; 0 for an empty whole."""
    size = np.asarray(whole, np.float64)
    return np.asarray(np.divide(part, size, out=np.zeros_like(size), where=size > 0))


def scores_and_ones(scores: Floats) -> Floats:
    """Sufficient statistics of a mean: the score of each segment, and a count of 1."""
    return np.column_stack([scores, np.ones(len(scores))])


def mean_of(sums: Floats) -> Floats:
    """Mean of summed scores; 0 without segments."""
    return ratio(sums[..., 0], sums[..., 1])


Numbers = NDArray[np.int64]


@njit(cache=True)
def word_edits(words: Numbers, reference: Numbers, row: Numbers) -> int:
    """Levenshtein distance: insertions, deletions and substitutions at cost 1."""
    size = len(reference)
    for j in range(size + 1):
        row[j] = j
    for i in range(len(words)):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(1, size + 1):
            best = diagonal + (0 if words[i] == reference[j - 1] else 1)
            diagonal = row[j]
            row[j] = min(best, diagonal + 1, row[j - 1] + 1)
    return int(row[size])


@njit(cache=True)
def jump_edits(words: Numbers, reference: Numbers, row: Numbers) -> int:
    """Leusch's cost with long jumps: after every reference word, the path may jump to any position
    of the output for a cost of one; it ends at the end of the output.
    """
    length = len(words)
    row[0] = 0
    row[1 : length + 1] = 1
    for j in range(len(reference)):
        diagonal = row[0]
        row[0] += 1
        smallest = row[0]
        for i in range(1, length + 1):
            best = diagonal + (0 if words[i - 1] == reference[j] else 1)
            diagonal = row[i]
            row[i] = min(best, diagonal + 1, row[i - 1] + 1)
            smallest = min(smallest, row[i])
        for i in range(length + 1):
            row[i] = min(row[i], smallest + 1)
    return int(row[length])


@njit(cache=True, nogil=True)
def costs(
    words: Numbers, starts: Numbers, reference: Numbers, reference_starts: Numbers, jumps: bool
) -> Numbers:
    """Cost of every segment, with or without long jumps."""
    result = np.empty(len(starts) - 1, np.int64)
    longest = 1
    for segment in range(len(result)):
        longest = max(longest, starts[segment + 1] - starts[segment])
        longest = max(longest, reference_starts[segment + 1] - reference_starts[segment])
    row = np.empty(longest + 1, np.int64)
    for segment in range(len(result)):
        own = words[starts[segment] : starts[segment + 1]]
        other = reference[reference_starts[segment] : reference_starts[segment + 1]]
        result[segment] = jump_edits(own, other, row) if jumps else word_edits(own, other, row)
    return result


def rate(cost: Floats, length: Floats) -> Floats:
    """Rate 100 · cost / length; for an empty reference 0 without cost, else 100."""
    share = np.divide(cost, length, out=np.array(np.minimum(cost, 1.0)), where=length > 0)
    return np.asarray(100 * share)


@dataclass(frozen=True)
class EditMetric(Metric):
    """Edit rate; of several references, each segment uses the one with the lowest rate, the first
    of equals.
    """

    scale: ClassVar[str] = "0 to 100 and beyond"
    higher_is_better: ClassVar[bool] = False

    tokenize: str = "13a"
    lowercase: bool = False

    @abstractmethod
    def counts(self, words: Words, reference: Words) -> Floats:
        """Sufficient statistics of every segment against one reference."""

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics against the nearest reference."""
        vocabulary = Vocabulary(split_references(references, self.tokenize, self.lowercase))

        def counted(texts: Texts) -> Floats:
            words = vocabulary.system(split_texts(texts, self.tokenize, self.lowercase))
            each = np.stack([self.counts(words, own) for own in vocabulary.references])
            nearest = self.values(each).argmin(axis=0)
            return np.asarray(np.take_along_axis(each, nearest[None, :, None], axis=0)[0])

        return counted


SACREBLEU = "2.6.0"  # the release whose numbers ours equal


def sacrebleu_signature(references: int, **fields: str) -> str:
    """Format sacrebleu's signature: `nrefs:1|case:mixed|…|version:2.6.0`."""
    asked = {"nrefs": str(references), **fields, "version": SACREBLEU}
    return "|".join(f"{name}:{value}" for name, value in asked.items())
