"""Lexical tables: p(target word | source word) by IBM Model 1 (Brown et al. 1993).

Compiled kernels run EM steps and look up probabilities.

The model (§4.1) is

    p(f | e, sentence) = Σ_i t(f | e_i) / (l + 1),   i = 0 being the empty word,

trained by EM from equal probabilities. Swap the corpora for the other direction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from adjudge.core.errors import InputError, within
from adjudge.core.files.decompression import BROKEN_ARCHIVE, read_arrays
from adjudge.core.files.output import open_output
from adjudge.text.resources.cooccurrence import Cooccurrence, cooccurrence
from adjudge.text.resources.corpus import Corpus

Codes = NDArray[np.int32]
Starts = NDArray[np.int64]
Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def model_1_step(met: Cooccurrence, probability: Floats) -> None:
    """Run one step of EM, replacing the probabilities.

    count(f, e) = t(f | e) · Σ over meetings of 1 / Σ t(f | e') over the words e' of the sentence
    """
    row_start, row_word = met.row_start, met.row_word
    target, target_start = met.target, met.target_start
    rows = len(row_start) - 1
    total = np.zeros(len(target))
    spread = np.zeros(met.target_vocabulary)
    for row in range(rows):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = probability[entry]
        for at in range(met.occurrence_start[row], met.occurrence_start[row + 1]):
            line = met.sentence[at]
            for token in range(target_start[line], target_start[line + 1]):
                total[token] += spread[target[token]]
    share = np.zeros(len(target))
    for token in range(len(target)):
        if total[token] > 0:
            share[token] = 1 / total[token]
    for row in range(rows):
        for entry in range(row_start[row], row_start[row + 1]):
            spread[row_word[entry]] = 0
        for at in range(met.occurrence_start[row], met.occurrence_start[row + 1]):
            line = met.sentence[at]
            for token in range(target_start[line], target_start[line + 1]):
                spread[target[token]] += share[token]
        expected = 0.0
        for entry in range(row_start[row], row_start[row + 1]):
            probability[entry] *= spread[row_word[entry]]
            expected += probability[entry]
        if expected > 0:
            for entry in range(row_start[row], row_start[row + 1]):
                probability[entry] /= expected


@njit(cache=True, nogil=True)
def look_up(
    start: Starts, word: Codes, probability: Floats, rows: Starts, targets: Starts
) -> Floats:
    """Look up the probability of each pair of a row and a target word; rows are sorted. −1 is
    unknown.
    """
    result = np.zeros(len(rows))
    for pair in range(len(rows)):
        if rows[pair] < 0 or targets[pair] < 0:
            continue
        low, high = start[rows[pair]], start[rows[pair] + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if word[middle] < targets[pair]:
                low = middle + 1
            else:
                high = middle
        if low < end and word[low] == targets[pair]:
            result[pair] = probability[low]
    return result


LEAST = 1e-5  # smaller probabilities are not kept


@dataclass(frozen=True, eq=False)
class LexicalTable:
    """Sparse table of p(target | source), one row per source word.

    Row i is that of `source[i]`, and the last row that of the empty word. `target` and
    `probability` from `start[i]` to `start[i + 1]` are its translations, in the order of their
    codes.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    start: NDArray[np.int64]  # two more than source words
    word: NDArray[np.int32]  # codes of target words
    probability: NDArray[np.float64]

    @cached_property
    def _source_codes(self) -> dict[str, int]:
        return {word: code for code, word in enumerate(self.source)}

    @cached_property
    def _target_codes(self) -> dict[str, int]:
        return {word: code for code, word in enumerate(self.target)}

    def source_codes(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Rows of source words; −1 for unknown words."""
        return np.array([self._source_codes.get(word, -1) for word in words], np.int64)

    def target_codes(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Codes of target words; −1 for unknown words."""
        return np.array([self._target_codes.get(word, -1) for word in words], np.int64)

    def probabilities(
        self, rows: NDArray[np.int64], targets: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Look up p(target | source) of every pair of codes; 0 for pairs not in the table."""
        looked_up: NDArray[np.float64] = look_up(
            self.start,
            self.word,
            self.probability,
            np.ascontiguousarray(rows, np.int64),
            np.ascontiguousarray(targets, np.int64),
        )
        return looked_up

    def translations(self, source: str | None) -> dict[str, float]:
        """Translations of a word (None: of the empty word), likeliest first."""
        row = len(self.source) if source is None else self._source_codes.get(source)
        if row is None:
            return {}
        own = slice(int(self.start[row]), int(self.start[row + 1]))
        order = np.argsort(-self.probability[own], kind="stable")
        words, values = self.word[own][order], self.probability[own][order]
        return {self.target[word]: float(p) for word, p in zip(words, values, strict=True)}

    def number_above(self, threshold: float) -> NDArray[np.int64]:
        """Number of translations of every row with a probability above the threshold."""
        within(threshold, "threshold", 0, 1)
        counted = np.append(0, np.cumsum(self.probability > threshold))
        number: NDArray[np.int64] = counted[self.start[1:]] - counted[self.start[:-1]]
        return number

    def save(self, path: str) -> None:
        """Write plain arrays (.npz) that `load` reads."""
        with open_output(path) as stream:
            np.savez_compressed(
                stream,
                source=_bytes(self.source),
                target=_bytes(self.target),
                start=self.start,
                word=self.word,
                probability=self.probability,
            )

    @classmethod
    def load(cls, path: str) -> "LexicalTable":
        """Read what `save` wrote."""
        try:
            arrays = read_arrays(path)
            source, target = _words(arrays["source"]), _words(arrays["target"])
            return cls(source, target, *_sound(arrays, len(source), len(target)))
        except FileNotFoundError:
            raise InputError("there is no such file", file=path) from None
        except BROKEN_ARCHIVE as error:
            raise InputError(
                "is not a lexical table; train one again and save it", file=path
            ) from error


def _bytes(words: Sequence[str]) -> NDArray[np.uint8]:
    """Encode words joined by line feeds: a plain array, independent of the longest word."""
    return np.frombuffer("".join(f"{word}\n" for word in words).encode(), np.uint8)


def _words(array: NDArray[np.uint8]) -> tuple[str, ...]:
    return tuple(array.tobytes().decode().split("\n")[:-1])


def _sound(arrays: Mapping[str, NDArray[Any]], sources: int, targets: int) -> Any:
    """Validate starts, words and probabilities, since a kernel trusts them as indices."""
    start, word, probability = (arrays[name] for name in ("start", "word", "probability"))
    types = [each.dtype.str for each in (start, word, probability)]
    if types != ["<i8", "<i4", "<f8"] or {each.ndim for each in arrays.values()} != {1}:
        raise ValueError("arrays of other types")
    if len(start) != sources + 2 or len(word) != len(probability):
        raise ValueError("arrays of other sizes")
    if start[0] != 0 or start[-1] != len(word) or (np.diff(start) < 0).any():
        raise ValueError("rows that begin elsewhere")
    if len(word) and not 0 <= word.min() <= word.max() < targets:
        raise ValueError("words that are none")
    return start, word, probability


def train(
    source: Corpus, target: Corpus, iterations: int = 5, null: bool = True, least: float = LEAST
) -> LexicalTable:
    """Learn p(target | source) from parallel corpora; pairs below `least` are dropped."""
    within(iterations, "iterations", 1)
    within(least, "least", 0, 1)
    met = cooccurrence(source, target, null)
    probability = model_1(met, iterations)
    kept = probability >= least
    row = np.repeat(np.arange(len(met.row_start) - 1), np.diff(met.row_start))[kept]
    word, probability = met.row_word[kept], probability[kept]
    order = np.lexsort((word, row))
    start = np.searchsorted(row, np.arange(len(met.row_start)))
    return LexicalTable(
        source.vocabulary, target.vocabulary, start, word[order], probability[order]
    )


def model_1(met: Cooccurrence, iterations: int) -> NDArray[np.float64]:
    """Estimate t(f | e) of all co-occurring pairs, in the order of `met.row_word`."""
    probability = np.ones(len(met.row_word))
    for _ in range(iterations):
        model_1_step(met, probability)
    return probability
