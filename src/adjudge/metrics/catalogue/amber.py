"""AMBER (Chen and Kuhn 2011; Macháček 2014 §4.2.1): a modified BLEU, in its form on whole words.

    AMBER = (θ1 AvgP + θ2 Fmean + θ3 AvgF) · Π penalty_i^w_i

AvgP is the geometric mean of n-gram precisions (n = 1 … 4), Fmean the F of their arithmetic mean
and of unigram recall, AvgF the mean over n of the F of precision and recall; F = P R / (α P + (1 −
α) R), α = 0.9, θ = 0.3, 0.5, 0.2. The penalties, with their exponents:

* strict brevity exp(1 − |r| / min(|h|, |r|)), 0.3 in words and 0.15 in characters;
* strict redundancy exp(1 − max(|h|, |r|) / |r|), 0.1 in words and 0.05 in characters;
* the difference in the number of short words (up to 3 letters) and of long ones, each
  exp(−|difference| / |r|), 0.1 and 0.2;
* chunks 1 − 0.1 ((m1 − m2) / m1)³, 1.0, with m_n matches of n-grams;
* continuity, 0.8: the share of matched words after which the match goes on, between 0.9 and 1 in
  all: 0.9 + 0.1 · m2 / (m1 − 1); the sign is printed both ways, and this one rewards continuity;
* Spearman's and Kendall's correlation of the order of matched words, (1 + ρ)/2 and (1 + τ)/2, 0.5
  and 2.0. A word is matched with the first free one of the reference.

All of it is taken of single segments; a corpus has their mean. 0 to 100. The definition is the
paper's as others have written it down, not a tool's: no numbers of the authors' program are known,
and of the eight text forms that it averages over there are words as they are, and `stem=N`, which
cuts words to N letters. Of several references the best counts.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.edits import mean_of, ratio, scores_and_ones
from adjudge.metrics.metric import Floats, Metric, References, Statistics, Texts
from adjudge.metrics.ngrams import matches, numbers_of
from adjudge.metrics.tokenizer import Tokens
from adjudge.metrics.words import Vocabulary, Words, split_references, split_texts

_ORDER, _ALPHA, _THETA, _SHORT = 4, 0.9, (0.3, 0.5, 0.2), 3


@dataclass(frozen=True)
class Amber(Metric):
    """AMBER with its parameters."""

    name: ClassVar[str] = "amber"
    title: ClassVar[str] = "AMBER"
    summary: ClassVar[str] = "precision, recall and F of n-grams times ten penalties"
    paper: ClassVar[str] = "Chen and Kuhn 2011"
    scale: ClassVar[str] = "0 to 100"
    slow: ClassVar[bool] = True

    tokenize: str = "13a"
    lowercase: bool = True
    stem: int = 0

    def statistics(self, references: References) -> Statistics:
        """Sufficient statistics: the score of every segment, and a count of 1."""
        tokens = [
            self._cut(lines)
            for lines in split_references(references, self.tokenize, self.lowercase)
        ]
        vocabulary = Vocabulary(tokens)

        def scored(texts: Texts) -> Floats:
            own = self._cut(split_texts(texts, self.tokenize, self.lowercase))
            words = vocabulary.system(own)
            each = [
                _score(words, reference) * _penalty(own, lines, words, reference)
                for lines, reference in zip(tokens, vocabulary.references, strict=True)
            ]
            return scores_and_ones(100 * np.max(each, axis=0))

        return scored

    def values(self, sums: Floats) -> Floats:
        """Mean over segments."""
        return mean_of(sums)

    def _cut(self, lines: Tokens) -> Tokens:
        return [[word[: self.stem] for word in line] for line in lines] if self.stem else lines


def _score(words: Words, reference: Words) -> Floats:
    """Compute θ1 AvgP + θ2 Fmean + θ3 AvgF."""
    match = matches(words, reference, 1, _ORDER).astype(np.float64)
    precision = ratio(match, numbers_of(words.lengths, _ORDER))
    recall = ratio(match, numbers_of(reference.lengths, _ORDER))
    logs = np.log(precision, out=np.full_like(precision, -np.inf), where=precision > 0)
    geometric = np.exp(logs.mean(axis=1))
    mean = _f(precision.mean(axis=1), recall[:, 0])
    each = _f(precision, recall).mean(axis=1)
    return np.asarray(_THETA[0] * geometric + _THETA[1] * mean + _THETA[2] * each)


def _penalty(own: Tokens, other: Tokens, words: Words, reference: Words) -> Floats:
    """Product of all ten penalties, each to its exponent; 0 for an empty output or reference."""
    match = matches(words, reference, 1, 2).astype(np.float64)
    first, second = match[:, 0], match[:, 1]
    chunks = 1 - 0.1 * ratio(first - second, first) ** 3
    continuity = 0.9 + 0.1 * np.minimum(ratio(second, np.maximum(first - 1, 0)), 1)
    continuity = np.where(first > 1, continuity, 1.0)
    spearman, kendall = np.array([_order(*lines) for lines in zip(own, other, strict=True)]).T
    letters = [np.array([sum(map(len, line)) for line in lines]) for lines in (own, other)]
    short = [np.array([sum(len(w) <= _SHORT for w in line) for line in s]) for s in (own, other)]
    long = [each.lengths - few for each, few in zip((words, reference), short, strict=True)]
    size = np.maximum(reference.lengths, 1)
    total = (
        _lengths(words.lengths, reference.lengths, 0.3, 0.1)
        + _lengths(letters[0], letters[1], 0.15, 0.05)
        - 0.1 * np.abs(short[0] - short[1]) / size
        - 0.2 * np.abs(long[0] - long[1]) / size
        + np.log(chunks)
        + 0.8 * np.log(continuity)
    )
    present = (words.lengths > 0) & (reference.lengths > 0)
    ordered = ((1 + spearman) / 2) ** 0.5 * ((1 + kendall) / 2) ** 2.0
    return np.where(present, np.exp(np.where(present, total, 0.0)) * ordered, 0.0)


def _lengths(own: NDArray[Any], other: NDArray[Any], brevity: float, redundancy: float) -> Floats:
    """Logarithm of strict brevity and redundancy penalties, with their exponents."""
    size, present = np.maximum(other, 1), (own > 0) & (other > 0)
    shorter = 1 - size / np.maximum(np.minimum(own, size), 1)
    longer = 1 - np.maximum(own, size) / size
    return np.where(present, brevity * shorter + redundancy * longer, 0.0)


def _order(own: list[str], other: list[str]) -> tuple[float, float]:
    """Correlations ρ and τ of the positions of matched words; 1 for fewer than two matches."""
    free: dict[str, list[int]] = {}
    for position in range(len(other) - 1, -1, -1):
        free.setdefault(other[position], []).append(position)
    places = [free[word].pop() for word in own if free.get(word)]
    number = len(places)
    if number < 2:
        return 1.0, 1.0
    apart = np.argsort(np.argsort(places)) - np.arange(number)
    rho = 1 - 6 * float((apart**2).sum()) / (number * (number**2 - 1))
    later = np.sign(np.subtract.outer(places, places))
    tau = -float(np.triu(later).sum()) / (number * (number - 1) / 2)
    return rho, tau


def _f(precision: Floats, recall: Floats) -> Floats:
    return ratio(precision * recall, _ALPHA * precision + (1 - _ALPHA) * recall)


METRIC = Amber()
