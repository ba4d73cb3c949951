"""How often words, bigrams and trigrams occur in a text, and in which quartile of frequency.

The cuts of a length are the 25th, 50th and 75th percentile of how often its distinct n-grams
occur. An n-gram that occurs c times is in quartile 1 if c is not above the first cut, in quartile
4 if c is above the third, and in none (0) if it does not occur.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.text.resources.array_file import Array, read_arrays, write_arrays
from adjudge.text.resources.corpus import Corpus, encode
from adjudge.text.resources.ngrams import NgramIndex, Numbers, count_ngrams

KIND = "table of n-gram counts"


@dataclass(frozen=True, eq=False)
class TextCounts:
    """The n-grams of one length that end at the tokens of a text."""

    start: Numbers  # of each sentence, and the end of the last
    inside: NDArray[np.bool_]  # does an n-gram end here, within its sentence?
    count: Numbers  # how often it occurs in the corpus
    quartile: NDArray[np.int8]  # 1 to 4, 0: not in the corpus


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """Counts of all n-grams of a corpus."""

    vocabulary: tuple[str, ...]
    index: NgramIndex
    count: tuple[Numbers, ...]  # of each length
    cuts: NDArray[np.float64]  # lengths × 3

    @property
    def order(self) -> int:
        """How many words the longest n-grams have."""
        return self.index.order

    def look_up(self, sentences: Iterable[Sequence[str]]) -> tuple[TextCounts, ...]:
        """The counts of every n-gram of a text, by length."""
        text = encode(sentences, self.vocabulary)
        place = np.arange(len(text.word)) - np.repeat(text.start[:-1], np.diff(text.start))
        found = []
        for length, number in enumerate(self.index.ending(text), 1):
            inside = place >= length - 1
            count = np.where(number >= 0, np.append(self.count[length - 1], 0)[number], 0)
            quartile = np.searchsorted(self.cuts[length - 1], count) + 1
            quartile[count == 0] = 0
            found.append(TextCounts(text.start, inside, count, quartile.astype(np.int8)))
        return tuple(found)

    def save(self, path: str) -> None:
        """Write it as plain arrays."""
        arrays: dict[str, Array] = {"cuts": self.cuts}
        arrays |= {f"key_{number}": key for number, key in enumerate(self.index.key)}
        arrays |= {f"count_{number}": count for number, count in enumerate(self.count)}
        write_arrays(path, KIND, arrays, self.vocabulary)

    @classmethod
    def load(cls, path: str) -> "NgramCounts":
        """What `save` wrote."""
        arrays = read_arrays(path, KIND)
        index = NgramIndex(len(arrays.vocabulary), arrays.numbered("key"))
        sizes = [index.size(length) for length in range(1, index.order + 1)]
        arrays.require_sizes("count", sizes)
        return cls(arrays.vocabulary, index, arrays.numbered("count"), arrays["cuts"])


def count(corpus: Corpus, order: int = 3) -> NgramCounts:
    """Count the n-grams of a text."""
    counted = count_ngrams(corpus, order)
    cuts = [
        np.percentile(each, (25, 50, 75), method="inverted_cdf") if len(each) else np.zeros(3)
        for each in counted.count
    ]
    return NgramCounts(
        corpus.vocabulary, counted.index, counted.count, np.array(cuts, dtype=np.float64)
    )
