"""NIST (Doddington 2002), equal to mteval-v13a.

    NIST = Σ_n Σ info(matched n-grams) / (n-grams of the outputs) · exp(β ln²(min(1, c/r)))

n = 1 … 5; info(w_1 … w_n) = log2(count(w_1 … w_(n−1)) / count(w_1 … w_n)) over all references of
the test set; an n-gram matches at most as often as the reference has it that has it most often; c
is the length of the outputs, r the mean length of the references, and β makes the penalty 1/2 at
c/r = 2/3. From 0 up, without a fixed end: it grows with the test set. Segments and documents take
the weights of the whole test set and their own lengths. An n-gram that begins with the word 0
weighs as a unigram does, a slip of mteval's that has been in every published score.
"""

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.ngrams import find, numbers_of, table_size
from adjudge.metrics.words import Vocabulary, interleaved, split_references, split_texts

Numbers = NDArray[np.int64]


@njit(cache=True)
def number_ngrams(
    words: Numbers, starts: Numbers, order: int, largest: int
) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]:
    """Number all n-grams of the references: a hash table of keys, their numbers, the slots in use;
    the number of each position and order; the count of each number and of its prefix.
    """
    size = table_size(order * len(words) + 1)
    keys, number = np.zeros(size, np.int64), np.zeros(size, np.int64)
    seen = np.full(size, -1, np.int64)
    at_position = np.full((order, len(words)), -1, np.int64)
    count = np.zeros(order * len(words) + 1, np.int64)
    beginning = np.zeros(order * len(words) + 1, np.int64)
    count[0] = len(words)  # the empty n-gram, with which every unigram begins
    numbers = 1
    for n in range(order):
        for segment in range(len(starts) - 1):
            for position in range(starts[segment], starts[segment + 1] - n):
                before = 0 if n == 0 else at_position[n - 1, position]
                key = before * largest + words[position + n]
                place = find(keys, seen, 0, key)
                if seen[place] != 0:
                    seen[place], keys[place], number[place] = 0, key, numbers
                    beginning[numbers] = before
                    numbers += 1
                own = number[place]
                at_position[n, position] = own
                count[own] += 1
    return keys, number, seen, at_position, count[:numbers], beginning[:numbers]


@njit(cache=True, nogil=True)
def matched_information(
    words: Numbers,
    starts: Numbers,
    reference_starts: Numbers,
    references: int,
    order: int,
    largest: int,
    keys: Numbers,
    number: Numbers,
    seen: Numbers,
    at_position: Numbers,
    information: Floats,
) -> Floats:
    """Total information of the matched n-grams of every segment (segments × order)."""
    segments = len(starts) - 1
    result = np.zeros((segments, order))
    allowed, count = np.zeros(len(information), np.int64), np.zeros(len(information), np.int64)
    longest = 1
    for segment in range(segments):
        longest = max(longest, starts[segment + 1] - starts[segment])
    own = np.zeros(longest, np.int64)
    for segment in range(segments):
        begin, length = starts[segment], starts[segment + 1] - starts[segment]
        first, last = segment * references, (segment + 1) * references
        own[:length] = 0
        for n in range(order):
            for which in range(first, last):
                for position in range(reference_starts[which], reference_starts[which + 1] - n):
                    count[at_position[n, position]] += 1
                for position in range(reference_starts[which], reference_starts[which + 1] - n):
                    gram = at_position[n, position]
                    allowed[gram] = max(allowed[gram], count[gram])
                    count[gram] = 0
            for position in range(length - n):
                if own[position] < 0:
                    continue
                place = find(keys, seen, 0, own[position] * largest + words[begin + position + n])
                own[position] = number[place] if seen[place] == 0 else -1
                if own[position] >= 0 and allowed[own[position]] > 0:
                    allowed[own[position]] -= 1
                    result[segment, n] += information[own[position]]
            for position in range(reference_starts[first], reference_starts[last]):
                if at_position[n, position] >= 0:
                    allowed[at_position[n, position]] = 0
    return result


_BETA = log(0.5) / log(2 / 3) ** 2


@dataclass(frozen=True)
class Nist(Metric):
    """NIST with its parameters."""

    name: ClassVar[str] = "nist"
    title: ClassVar[str] = "NIST"
    summary: ClassVar[str] = "information of matched n-grams times a brevity penalty"
    paper: ClassVar[str] = "Doddington 2002"
    scale: ClassVar[str] = "0 and up"

    tokenize: str = "13a"
    lowercase: bool = False
    order: int = 5

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: information and n-grams of every order, length, mean reference
        length.
        """
        vocabulary = Vocabulary(split_references(references, self.tokenize, self.lowercase))
        together = interleaved(vocabulary.references)
        length = np.mean([words.lengths for words in vocabulary.references], axis=0)
        largest = len(vocabulary) + 1
        keys, number, seen, at_position, count, beginning = number_ngrams(
            together.numbers, together.starts, self.order, largest
        )
        zero = vocabulary.number("0")
        if zero is not None:  # as in mteval, where Perl takes the word 0 for no beginning at all
            beginning[beginning == at_position[0][together.numbers == zero][0]] = 0
        information = np.log2(np.maximum(count[beginning], 1) / np.maximum(count, 1))

        def counted(texts: Texts) -> Floats:
            words = vocabulary.system(split_texts(texts, self.tokenize, self.lowercase))
            matched = matched_information(
                np.minimum(words.numbers, largest - 1),
                words.starts,
                together.starts,
                len(references),
                self.order,
                largest,
                keys,
                number,
                seen,
                at_position,
                information,
            )
            numbers = numbers_of(words.lengths, self.order)
            return np.column_stack([matched, numbers, words.lengths, length]).astype(np.float64)

        return counted

    def values(self, sums: Floats) -> Floats:
        """NIST of a corpus."""
        matched, number = sums[..., : self.order], sums[..., self.order : 2 * self.order]
        length, reference = sums[..., -2], sums[..., -1]
        gained = np.divide(matched, number, out=np.zeros_like(number), where=number > 0)
        ratio = np.divide(length, reference, out=np.ones_like(length), where=reference > 0)
        logs = np.log(np.clip(ratio, 1e-300, 1.0))
        return np.asarray(gained.sum(axis=-1) * np.exp(_BETA * logs**2))


METRIC = Nist()
