"""Back-off language model, and scores of texts.

    p(w | h) = p(h w)                    if the model lists the n-gram h w
               b(h) · p(w | h′)          else, where h′ is h without its first word

(b is 1 where the model lists no back-off for h.) Every sentence begins with `<s>` and ends with
`</s>`, whose probability counts. A word outside of the vocabulary is `<unk>`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.core.errors import within
from adjudge.text.resources.array_file import Array, read_arrays, write_arrays
from adjudge.text.resources.corpus import Corpus, encode
from adjudge.text.resources.ngram_counts import NgramIndex, Numbers, before

Floats = NDArray[np.float64]

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
MARKS = (UNKNOWN, BEGIN, END)  # the first words of every vocabulary
KIND = "language model"


@dataclass(frozen=True, eq=False)
class TokenScores:
    """Scores of every token; the end of a sentence is its last token."""

    start: Numbers  # of each sentence, and the end of the last
    log_probability: Floats  # log10
    matched: NDArray[np.int8]  # words in the longest known n-gram that ends here, 0: unknown word
    begun: NDArray[np.int8]  # words in the longest known n-gram that begins here

    def sums(self) -> Floats:
        """Log10 probability of every sentence."""
        return np.add.reduceat(self.log_probability, self.start[:-1])


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """Log10 probabilities of n-grams and log10 back-off weights of contexts."""

    vocabulary: tuple[str, ...]  # begins with `MARKS`
    index: NgramIndex
    log_probability: tuple[Floats, ...]  # of each length
    back_off: tuple[Floats, ...]  # of each length but the longest

    @property
    def order(self) -> int:
        """Length of the longest n-grams in words."""
        return self.index.order

    def ngrams(self) -> tuple[int, ...]:
        """Number of n-grams of each length."""
        return tuple(map(len, self.log_probability))

    def save(self, path: str) -> None:
        """Write the model as plain arrays."""
        tables: dict[str, Sequence[Array]] = {
            "key": self.index.key,
            "log_probability": self.log_probability,
            "back_off": self.back_off,
        }
        arrays = {
            f"{name}_{number}": table
            for name, each in tables.items()
            for number, table in enumerate(each)
        }
        write_arrays(path, KIND, arrays, self.vocabulary)

    @classmethod
    def load(cls, path: str) -> "LanguageModel":
        """Read what `save` wrote."""
        arrays = read_arrays(path, KIND)
        index = NgramIndex(len(arrays.vocabulary), arrays.numbered("key"))
        sizes = [index.size(length) for length in range(1, index.order + 1)]
        arrays.require_sizes("log_probability", sizes)
        arrays.require_sizes("back_off", sizes[:-1])
        return cls(
            arrays.vocabulary,
            index,
            arrays.numbered("log_probability"),
            arrays.numbered("back_off"),
        )

    def coded(self, sentences: Iterable[Sequence[str]]) -> Corpus:
        """Encode sentences between marks, with the codes of this model."""
        return between_marks(encode(sentences, self.vocabulary), len(self.vocabulary))

    def score(self, sentences: Iterable[Sequence[str]], order: int | None = None) -> TokenScores:
        """Score tokenised sentences with n-grams of at most `order` words."""
        highest = self.order if order is None else order
        within(highest, "order", 1, self.order)
        text = self.coded(sentences)
        ending = self.index.ending(text)[:highest]
        log_probability = self.log_probability[0][ending[0]]
        matched = (ending[0] != 0).astype(np.int8)
        for length in range(2, highest + 1):
            context = before(ending[length - 2], text.start)
            weight = np.append(self.back_off[length - 2], 0.0)[context]  # −1: no such context
            number = ending[length - 1]
            listed = number >= 0
            table = np.append(self.log_probability[length - 1], 0.0)
            log_probability = np.where(listed, table[number], log_probability + weight)
            matched[listed] = length
        return _without_begin(text, log_probability, matched, _begun(ending))


def between_marks(text: Corpus, words: int) -> Corpus:
    """Enclose every sentence in `<s>` and `</s>`; codes from `words` on are unknown.

    A token that is spelled like a mark is an unknown word.
    """
    lengths = np.diff(text.start)
    start = text.start + 2 * np.arange(len(text.start))
    word = np.empty(start[-1], np.int32)
    word[start[:-1]] = MARKS.index(BEGIN)
    word[start[1:] - 1] = MARKS.index(END)
    inner = np.arange(len(text.word)) + np.repeat(2 * np.arange(len(lengths)) + 1, lengths)
    known = (text.word >= len(MARKS)) & (text.word < words)
    word[inner] = np.where(known, text.word, 0)
    return Corpus(text.vocabulary, word, start)


def _begun(ending: list[Numbers]) -> NDArray[np.int8]:
    """Length of the longest known n-gram that begins at each token, within the sentence."""
    begun: NDArray[np.int8] = (ending[0] != 0).astype(np.int8)
    for length in range(2, len(ending) + 1):
        begins = np.flatnonzero(ending[length - 1] >= 0) - (length - 1)
        begun[begins] = length
    return begun


def _without_begin(
    text: Corpus, log_probability: Floats, matched: NDArray[np.int8], begun: NDArray[np.int8]
) -> TokenScores:
    kept = np.ones(len(text.word), bool)
    kept[text.start[:-1]] = False
    start = text.start - np.arange(len(text.start))
    return TokenScores(start, log_probability[kept], matched[kept], begun[kept])
