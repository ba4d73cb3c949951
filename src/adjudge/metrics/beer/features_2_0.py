"""Features of BEER 2.0 (Stanojević and Sima'an 2015), 62 in all.

Of character n-grams, word n-grams and skip bigrams each the smaller and the larger of precision and
recall (a, b), F1 (f) and √(ab) (g); and the length ratios of output and reference, in words and in
characters. As in the tool, the text joined by single blanks has for "n" = 1 … 6 the substrings of n
− 1 characters that do not reach its last character, and word n-grams include the first and the last
one once more, marked as such.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adjudge.metrics.beer.kernels import common_ends, skip_bigrams
from adjudge.metrics.edits import ratio
from adjudge.metrics.metric import Floats
from adjudge.metrics.ngrams import matches, numbers_of
from adjudge.metrics.tokenizer import Tokens
from adjudge.metrics.words import Vocabulary, Words, characters

_CHARACTERS, _WORDS = 6, 4
_BETWEEN = (1, 2, 3, 4, 1_000_000)
_LENGTHS = ("len_disbalance_word.d.1.0", "len_disbalance_char.d.1.0")
_KINDS = (
    *(f"char{n}" for n in range(1, _CHARACTERS + 1)),
    *(f"ngram{n}" for n in range(1, _WORDS + 1)),
    *(f"skip{between}" for between in _BETWEEN),
)
# What a copy of the reference has; an output with nothing of it has 0 of everything but lengths.
COPY = {
    **{f"{kind}.{part}": 1.0 for kind in _KINDS for part in ("a", "b", "f.1.0", "g.1.0")},
    **dict.fromkeys(_LENGTHS, 0.0),
}


def beside(references: list[Tokens]) -> Callable[[Tokens], list[dict[str, Floats]]]:
    """Read the references once; return a function from a system's lines to their features against
    each.
    """
    vocabulary = Vocabulary(references)
    letters = [_letters(each) for each in references]

    def counted(lines: Tokens) -> list[dict[str, Floats]]:
        words, of_words = vocabulary.system(lines), _letters(lines)
        return [
            features(words, of_words, reference, of_reference)
            for reference, of_reference in zip(vocabulary.references, letters, strict=True)
        ]

    return counted


def features(words: Words, letters: Words, reference: Words, other: Words) -> dict[str, Floats]:
    """Compute all features of every segment against one reference."""
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
    columns[_LENGTHS[0]] = _longer(words.lengths, reference.lengths)
    columns[_LENGTHS[1]] = _longer(letters.lengths, other.lengths)
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
    """Drop the last character of every line."""
    last = letters.starts[1:][letters.lengths > 0] - 1
    starts = letters.starts - np.concatenate([[0], np.cumsum(letters.lengths > 0)])
    return Words(np.delete(letters.numbers, last), starts)
