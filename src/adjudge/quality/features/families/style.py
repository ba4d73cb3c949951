"""Patterns typical of good and of bad translations, as in style classification (TCD, WMT13 §6.7).

Training translations are sorted by what is predicted; the lowest and the highest third are two
categories. A pattern is an n-gram of words (up to 3) or of characters (up to 4). It is striking if
it occurs a times in one category and b times in the other so that

    z = (a − e) / √(e (1 − s)),   e = (a + b) s,   s = share of all n-grams that category has

is 2 or more, and it occurs five times at least. Its weight is the log of its smoothed rate in the
low category over that in the high one. What a training translation gets was learned from others.
"""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from adjudge.metrics.tokenizer import Tokens
from adjudge.quality.features.column import Column, Floats, Numbers, number
from adjudge.quality.features.family import LearnedFamily, State, are_ngrams
from adjudge.quality.features.inputs import Prepared, per_row, share
from adjudge.text.resources.corpus import Corpus, encode
from adjudge.text.resources.ngram_counts import NgramIndex, count_ngrams

_SIDES = ("source", "target")
_LENGTHS = {"words": 3, "characters": 4}
_LEAST = 5  # occurrences
_STRIKING = 2.0  # standard deviations


def _texts(prepared: Prepared) -> dict[str, Tokens]:
    """Texts searched for patterns, by name."""
    sides = {
        "source": (prepared.source_tokens, prepared.source),
        "target": (prepared.target_tokens, prepared.target),
    }
    return {
        f"{side}_{unit}": [[token.lower() for token in line] for line in lines]
        for side, texts in sides.items()
        for unit, lines in zip(_LENGTHS, (texts[0], list(map(list, texts[1]))), strict=True)
    }


def _learn(prepared: Prepared, gold: Floats) -> State:
    category = _categories(gold)
    state: dict[str, Floats | tuple[str, ...]] = {}
    for name, lines in _texts(prepared).items():
        text, index = _indexed(name, lines)
        of_token = np.repeat(category, np.diff(text.start))
        state[f"{name}_vocabulary"] = text.vocabulary
        for length, ending in enumerate(index.ending(text), 1):
            state[f"{name}_weight_{length}"] = _weights(
                _counts(ending, of_token, index.size(length))
            )
            if length > 1:
                state[f"{name}_key_{length}"] = index.key[length - 2].astype(np.float64)
    return state


def _columns(prepared: Prepared, state: State) -> list[Column]:
    columns = []
    for name, lines in _texts(prepared).items():
        vocabulary = tuple(str(word) for word in state[f"{name}_vocabulary"])
        lengths = range(2, _longest(name) + 1)
        keys = [np.asarray(state[f"{name}_key_{length}"]).astype(np.int64) for length in lengths]
        text = encode(lines, vocabulary)
        for length, ending in enumerate(NgramIndex(len(vocabulary), tuple(keys)).ending(text), 1):
            weights = np.append(np.asarray(state[f"{name}_weight_{length}"], np.float64), 0.0)
            columns += _described(name, length, weights[ending], text.start)
    return columns


def _columns_from_others(prepared: Prepared, gold: Floats, fold: Numbers) -> list[Column]:
    categories = {each: _categories_of_others(gold, fold != each) for each in np.unique(fold)}
    columns = []
    for name, lines in _texts(prepared).items():
        text, index = _indexed(name, lines)
        lengths = np.diff(text.start)
        fold_of = np.repeat(fold, lengths)
        for length, ending in enumerate(index.ending(text), 1):
            weight = np.zeros(len(ending))
            for each, category in categories.items():
                inside = fold_of == each
                counts = _counts(ending, np.repeat(category, lengths), index.size(length))
                weight[inside] = np.append(_weights(counts), 0.0)[ending[inside]]
            columns += _described(name, length, weight, text.start)
    return columns


def _categories_of_others(gold: Floats, others: NDArray[np.bool_]) -> Numbers:
    """Categories of the others by their own terciles; the rest are in none."""
    category = np.full(len(gold), -1)
    category[others] = _categories(gold[others])
    return category


def _categories(gold: Floats) -> Numbers:
    """Category by tercile: 0 for the lowest third, 1 for the highest, −1 between."""
    low, high = np.quantile(gold, (1 / 3, 2 / 3))
    return np.where(gold <= low, 0, np.where(gold >= high, 1, -1))


def _longest(name: str) -> int:
    return _LENGTHS[name.partition("_")[2]]


def _indexed(name: str, lines: Tokens) -> tuple[Corpus, NgramIndex]:
    text = encode(lines)
    return text, count_ngrams(text, _longest(name)).index


def _counts(ending: Numbers, category: Numbers, size: int) -> Floats:
    """Count every n-gram in either category."""
    return np.stack(
        [np.bincount(ending[(ending >= 0) & (category == c)], minlength=size) for c in (0, 1)]
    ).astype(np.float64)


def _weights(counts: Floats) -> Floats:
    """Weight of every n-gram, 0 for those that are not striking."""
    totals = counts.sum(axis=1)
    low_share = totals[0] / max(totals.sum(), 1.0)
    both = counts.sum(axis=0)
    expected = both * low_share
    z = share(counts[0] - expected, np.sqrt(expected * (1 - low_share)))
    rates = (counts + 0.5) / (totals[:, None] + 1)
    weight = np.log(rates[0]) - np.log(rates[1])
    return np.where((np.abs(z) >= _STRIKING) & (both >= _LEAST), weight, 0.0)


def _described(name: str, length: int, weight: Floats, start: Numbers) -> list[Column]:
    """Columns for n-grams of one length, from the weight of each n-gram."""
    side, _, unit = name.partition("_")
    patterns = f"{side} {unit}" if length == 1 else f"{side} n-grams of {length} {unit}"
    kinds: dict[str, tuple[str, ArrayLike]] = {
        "weight": (f"how much {patterns} speak for a low value, mean of log rates", weight),
        "low": (f"share of {patterns} that are typical of low values", weight > 0),
        "high": (f"share of {patterns} that are typical of high values", weight < 0),
    }
    return [
        number(
            f"style_{side}_{unit}_{length}_{kind}",
            what,
            share(per_row(values, start), np.diff(start)),
        )
        for kind, (what, values) in kinds.items()
    ]


FAMILY = LearnedFamily(
    "style",
    "patterns of words and characters that are typical of good or of bad translations",
    "WMT13 §6.7 (TCD)",
    learn=_learn,
    learned_columns=_columns,
    columns_from_others=_columns_from_others,
    is_sound=partial(
        are_ngrams,
        lengths={f"{side}_{unit}": n for side in _SIDES for unit, n in _LENGTHS.items()},
        values=("weight",),
    ),
)
