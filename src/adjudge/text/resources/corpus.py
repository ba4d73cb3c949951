"""Integer-coded corpus: one code per token, one start per sentence.

Counting, sorting and compiled loops work on integers; the vocabulary maps codes back to words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Corpus:
    """Tokenised sentences as codes: sentence i is `word[start[i]:start[i + 1]]`."""

    vocabulary: tuple[str, ...]  # in the order of first use
    word: NDArray[np.int32]
    start: NDArray[np.int64]  # one more than sentences

    @property
    def sentences(self) -> int:
        """Number of sentences."""
        return len(self.start) - 1


def encode(sentences: Iterable[Sequence[str]], vocabulary: Sequence[str] = ()) -> Corpus:
    """Encode tokenised sentences; words outside the `vocabulary` are appended to it."""
    code = {word: number for number, word in enumerate(vocabulary)}
    words: list[int] = []
    start = [0]
    for sentence in sentences:
        words.extend(code.setdefault(token, len(code)) for token in sentence)
        start.append(len(words))
    return Corpus(tuple(code), np.array(words, dtype=np.int32), np.array(start, dtype=np.int64))
