"""N-gram index and n-gram counts.

Every n-gram is coded by its prefix (all words but the last) and its last word.

The number of an n-gram of k words is its rank among all of that length, sorted by the key

    number of its first k − 1 words · words of the vocabulary + last word,

which fits into 64 bits for any k. A word is its own number. So all n-grams that end at the tokens
of a text are found, or counted, with one search (or sort) for every length.

How often words, bigrams and trigrams occur in a text, and in which quartile of frequency.

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

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NgramIndex:
    """N-grams of a text, or of a file: `key[k - 2]` holds the sorted keys for length k."""

    words: int  # in the vocabulary
    key: tuple[Numbers, ...]

    @property
    def order(self) -> int:
        """Length of the longest n-grams in words."""
        return len(self.key) + 1

    def size(self, length: int) -> int:
        """Number of n-grams of a length."""
        return self.words if length == 1 else len(self.key[length - 2])

    def prefix(self, length: int) -> Numbers:
        """Number of each n-gram's prefix (`length` of 2 or more)."""
        return self.key[length - 2] // self.words

    def last(self, length: int) -> Numbers:
        """Last word of each n-gram (`length` of 2 or more)."""
        return self.key[length - 2] % self.words

    def find(self, length: int, prefix: Numbers, word: Numbers) -> Numbers:
        """Find the numbers of n-grams, −1 for unknown ones or an unknown prefix."""
        table = self.key[length - 2]
        wanted = np.where((prefix < 0) | (word < 0), -1, prefix * self.words + word)
        place = np.searchsorted(table, wanted)
        place[place == len(table)] = 0
        here = (table[place] == wanted) if len(table) else np.zeros(len(wanted), bool)
        return np.where(here, place, -1)

    def ending(self, text: Corpus) -> list[Numbers]:
        """Find, for every length, the number of the n-gram that ends at each token, or −1."""
        word = text.word.astype(np.int64)
        found = [np.where(word < self.words, word, -1)]
        for length in range(2, self.order + 1):
            found.append(self.find(length, before(found[-1], text.start), found[0]))
        return found

    def suffixes(self, length: int) -> Numbers:
        """Number of each n-gram's suffix (all words but the first), −1 if unknown."""
        if length == 2:
            return self.last(2)
        shorter = self.suffixes(length - 1)[self.prefix(length)]
        return self.find(length - 1, shorter, self.last(length))

    def spelled(self, length: int) -> NDArray[np.int64]:
        """Words of every n-gram, one row each."""
        if length == 1:
            return np.arange(self.words)[:, None]
        return np.column_stack([self.spelled(length - 1)[self.prefix(length)], self.last(length)])


@dataclass(frozen=True, eq=False)
class Counted:
    """N-grams of a text with their counts."""

    index: NgramIndex
    count: tuple[Numbers, ...]  # of each length


def count_ngrams(text: Corpus, order: int) -> Counted:
    """Count all n-grams of up to `order` words, within sentences."""
    word = text.word.astype(np.int64)
    words = len(text.vocabulary)
    keys: list[Numbers] = []
    counts = [np.bincount(word, minlength=words)]
    ending = word
    for _ in range(2, order + 1):
        prefix = before(ending, text.start)
        inside = prefix >= 0
        key = prefix[inside] * words + word[inside]
        table, number, count = _numbered(key)
        keys.append(table)
        counts.append(count)
        ending = np.full(len(word), -1)
        ending[inside] = number
    return Counted(NgramIndex(words, tuple(keys)), tuple(counts))


def before(ending: Numbers, start: Numbers) -> Numbers:
    """Number that ends at the preceding token, −1 for the first token of a sentence."""
    shifted = np.empty_like(ending)
    shifted[1:] = ending[:-1]
    shifted[start[:-1][np.diff(start) > 0]] = -1
    return shifted


def _numbered(key: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Distinct keys in order, the index of each given key among them, and their counts."""
    by_key = np.argsort(key)
    ordered = key[by_key]
    new = np.ones(len(key), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    first = np.flatnonzero(new)
    number = np.empty(len(key), np.int64)
    number[by_key] = np.cumsum(new) - 1
    return ordered[first], number, np.diff(first, append=len(key))


KIND = "table of n-gram counts"


@dataclass(frozen=True, eq=False)
class TextCounts:
    """N-grams of one length that end at the tokens of a text."""

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
        """Length of the longest n-grams in words."""
        return self.index.order

    def look_up(self, sentences: Iterable[Sequence[str]]) -> tuple[TextCounts, ...]:
        """Look up the counts of every n-gram of a text, by length."""
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
        """Write the counts as plain arrays."""
        arrays: dict[str, Array] = {"cuts": self.cuts}
        arrays |= {f"key_{number}": key for number, key in enumerate(self.index.key)}
        arrays |= {f"count_{number}": count for number, count in enumerate(self.count)}
        write_arrays(path, KIND, arrays, self.vocabulary)

    @classmethod
    def load(cls, path: str) -> "NgramCounts":
        """Read what `save` wrote."""
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
