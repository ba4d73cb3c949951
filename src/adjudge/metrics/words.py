"""Texts as integer word codes, all segments end to end."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.metric import References, Texts
from adjudge.metrics.tokenizer import Tokens, split

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Words:
    """Words of every segment."""

    numbers: Numbers
    starts: Numbers  # of each segment among the numbers, and the end of the last

    @property
    def lengths(self) -> Numbers:
        """Number of words of each segment."""
        return np.diff(self.starts)


class Vocabulary:
    """Vocabulary of the references; a system's own words are numbered after them."""

    def __init__(self, references: list[Tokens]) -> None:
        self._known: dict[str, int] = {}
        self.references = [_numbered(tokens, self._known) for tokens in references]

    def __len__(self) -> int:
        return len(self._known)

    def number(self, word: str) -> int | None:
        """Number of a word of the references."""
        return self._known.get(word)

    def system(self, tokens: Tokens) -> Words:
        """Encode a system's lines; its own words are forgotten afterwards."""
        return _numbered(tokens, dict(self._known))


def split_references(references: References, tokenize: str, lowercase: bool) -> list[Tokens]:
    """Tokenise every line of every reference."""
    return [split(tuple(texts), tokenize, lowercase) for texts in references]


def split_texts(texts: Texts, tokenize: str, lowercase: bool) -> Tokens:
    """Tokenise every line of a system."""
    return split(tuple(texts), tokenize, lowercase)


def interleaved(references: list[Words]) -> Words:
    """Interleave references: all of the first segment, then all of the second, …."""
    if len(references) == 1:
        return references[0]
    segments = len(references[0].lengths)
    lengths = np.stack([words.lengths for words in references], axis=1)  # segments × references
    starts = starts_of(lengths.ravel())
    numbers = np.empty(starts[-1], np.int64)
    for which, words in enumerate(references):
        own = starts[:-1].reshape(segments, -1)[:, which]
        shift = np.repeat(own - words.starts[:-1], words.lengths)
        numbers[np.arange(len(words.numbers)) + shift] = words.numbers
    return Words(numbers, starts)


def characters(texts: Texts, whitespace: bool) -> Words:
    """Code points of every line, without blanks unless `whitespace`."""
    lines = texts if whitespace else ["".join(text.split()) for text in texts]
    lengths = np.fromiter(map(len, lines), np.int64, len(lines))
    points = np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), np.uint32)
    return Words(points.astype(np.int64), starts_of(lengths))


def starts_of(lengths: Numbers) -> Numbers:
    """Start offsets of segments of these lengths, and the end of the last."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _numbered(tokens: Tokens, known: dict[str, int]) -> Words:
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    numbers = np.fromiter(
        (known.setdefault(word, len(known)) for line in tokens for word in line),
        np.int64,
        int(lengths.sum()),
    )
    return Words(numbers, starts_of(lengths))
