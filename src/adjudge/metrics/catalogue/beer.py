"""BEER 2.0 (Stanojević and Sima'an 2015): a linear model of many similarities, trained on rankings.

    score = (8.580459341342790 + 20.51272094172102 · Σ w_i (φ_i − min_i)/(max_i − min_i)) / 100

cut to 0 to 1. Features φ: of character n-grams, word n-grams and skip bigrams each the smaller and
the larger of precision and recall (a, b), F1 (f) and √(ab) (g); and how much longer the longer of
output and reference is, in words and in characters. As in the tool, the text joined by single
blanks has for "n" = 1 … 6 the substrings of n − 1 characters that do not reach its last character,
and word n-grams include the first and the last one once more, marked as such.

The weights are in a file (`model`, with the columns feature, weight, min, max), which is not part
of Adjudge: the tool's own model is public. Words are split at blanks unless `tokenize` says
otherwise. The score of a corpus is the mean of its segments (the tool divides by one more). 0 to
1. Of several references the best counts.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.errors import BadParameter
from adjudge.files.input_file import InputFile
from adjudge.metrics.beer_kernels import common_ends, skip_bigrams
from adjudge.metrics.means import mean_of, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.ngrams import matches, numbers_of
from adjudge.metrics.ratios import ratio
from adjudge.metrics.tokenizer import Tokens
from adjudge.metrics.words import (
    Vocabulary,
    Words,
    characters,
    split_references,
    split_texts,
)

_INTERCEPT, _SLOPE = 8.580459341342790, 20.51272094172102
_CHARACTERS, _WORDS = 6, 4
_BETWEEN = (1, 2, 3, 4, 1_000_000)


@dataclass(frozen=True)
class Beer(Metric):
    """BEER with its parameters."""

    name: ClassVar[str] = "beer"
    title: ClassVar[str] = "BEER"
    summary: ClassVar[str] = "linear model of character and word similarities (needs model=FILE)"
    paper: ClassVar[str] = "Stanojević and Sima'an 2015"
    scale: ClassVar[str] = "0 to 1"

    tokenize: str = "none"
    lowercase: bool = False
    model: str = ""

    def statistics(self, references: References) -> Statistics:
        """The score of every segment, and one for each."""
        weights = _model(self.model)
        tokens = split_references(references, self.tokenize, self.lowercase)
        vocabulary = Vocabulary(tokens)
        letters = [_letters(each) for each in tokens]

        def scored(texts: Texts) -> Floats:
            own = split_texts(texts, self.tokenize, self.lowercase)
            words, of_words = vocabulary.system(own), _letters(own)
            each = [
                _score(features(words, of_words, reference, of_reference), weights)
                for reference, of_reference in zip(vocabulary.references, letters, strict=True)
            ]
            return scores_and_ones(np.max(each, axis=0))

        return scored

    def values(self, sums: Floats) -> Floats:
        """The mean of the segments."""
        return mean_of(sums)


def features(words: Words, letters: Words, reference: Words, other: Words) -> dict[str, Floats]:
    """Every feature of every segment beside one reference."""
    columns: dict[str, Floats] = {}
    inner, other_inner = _without_last(letters), _without_last(other)
    common = matches(inner, other_inner, 1, _CHARACTERS - 1)
    for n in range(1, _CHARACTERS + 1):
        own = np.maximum(letters.lengths - n + 1, 0)
        theirs = np.maximum(other.lengths - n + 1, 0)
        both = np.minimum(own, theirs) if n == 1 else common[:, n - 2]
        columns |= _four(f"char{n}", both, own, theirs)
    common = matches(words, reference, 1, _WORDS)
    ends = common_ends(words.numbers, words.starts, reference.numbers, reference.starts)
    own_numbers, their_numbers = (numbers_of(each.lengths, _WORDS) for each in (words, reference))
    for n in range(1, _WORDS + 1):
        own, theirs = own_numbers[:, n - 1], their_numbers[:, n - 1]
        # Where there are fewer words, the first and last n-gram are all there are.
        first, second = (np.minimum(each.lengths, n) for each in (words, reference))
        marked = (first == second)[:, None] & (ends >= first[:, None]) & (first > 0)[:, None]
        both = common[:, n - 1] + marked.sum(axis=1)
        columns |= _four(f"ngram{n}", both, own + 2 * (first > 0), theirs + 2 * (second > 0))
    largest = 1 + max(int(each.numbers.max(initial=0)) for each in (words, reference))
    for between in _BETWEEN:
        own, theirs, both = skip_bigrams(
            words.numbers, words.starts, reference.numbers, reference.starts, between, largest
        ).T
        columns |= _four(f"skip{between}", both, own, theirs)
    columns["len_disbalance_word.d.1.0"] = _longer(words.lengths, reference.lengths)
    columns["len_disbalance_char.d.1.0"] = _longer(letters.lengths, other.lengths)
    return columns


def _four(
    name: str, both: NDArray[Any], own: NDArray[Any], theirs: NDArray[Any]
) -> dict[str, Floats]:
    precision, recall = ratio(both, own), ratio(both, theirs)
    low, high = np.minimum(precision, recall), np.maximum(precision, recall)
    return {
        f"{name}.a": low,
        f"{name}.b": high,
        f"{name}.f.1.0": ratio(2 * low * high, low + high),
        f"{name}.g.1.0": np.sqrt(low * high),
    }


def _longer(own: NDArray[Any], theirs: NDArray[Any]) -> Floats:
    longer, shorter = np.maximum(own, theirs), np.minimum(own, theirs)
    return np.asarray(np.where(shorter > 0, longer / np.maximum(shorter, 1) - 1, longer))


def _letters(tokens: Tokens) -> Words:
    return characters(tuple(" ".join(words) for words in tokens), whitespace=True)


def _without_last(letters: Words) -> Words:
    """The same without the last character of every line."""
    last = letters.starts[1:][letters.lengths > 0] - 1
    starts = letters.starts - np.concatenate([[0], np.cumsum(letters.lengths > 0)])
    return Words(np.delete(letters.numbers, last), starts)


def _score(found: dict[str, Floats], weights: dict[str, tuple[float, float, float]]) -> Floats:
    unknown = [name for name in weights if name not in found]
    if unknown:
        raise BadParameter(f"`model` weighs {unknown[0]!r}, which is no feature of BEER 2.0")
    total = sum(w * (found[name] - low) / (high - low) for name, (w, low, high) in weights.items())
    return np.clip((_INTERCEPT + _SLOPE * np.asarray(total)) / 100, 0.0, 1.0)


@lru_cache(maxsize=4)
def _model(path: str) -> dict[str, tuple[float, float, float]]:
    """Weight, smallest and largest value of every feature."""
    if not path:
        raise BadParameter("beer needs its weights; give beer(model=FILE), see docs/metrics.md")
    file = InputFile(path)
    weights = {}
    for number, line in enumerate(file.text.split("\n"), 1):
        cells = line.split("\t")
        if not line.strip() or line.startswith("#") or cells[0] == "feature":
            continue
        try:
            name, weight, low, high = cells[0], *map(float, cells[1:4])
        except ValueError:
            raise file.bad_line(number, "is not feature, weight, min, max with tabs") from None
        if not low < high:
            raise file.bad_line(number, f"min {low:g} is not below max {high:g}; mend it")
        weights[name] = (weight, low, high)
    return weights


METRIC = Beer()
