"""Rates at which post-editors changed similar words, learned from labels of words (Task 2).

The changed words of the training translations are known from tags or from post-edits. The rate at
which a word was changed after the words before it backs off to fewer of them,

    r(w) = (changed(w) + 5 r) / (count(w) + 5)
    r(v w) = (changed(v w) + 5 r(w)) / (count(v w) + 5)

where r is the rate of all words; alike before the words that follow it, and for a word and the
source words that it is linked to. What a training translation gets was learned from others.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from adjudge.metrics.tokenizer import Tokens
from adjudge.quality.features.column import Column, Floats, Numbers, number
from adjudge.quality.features.family import LearnedFamily, State, are_ngrams
from adjudge.quality.features.inputs import Prepared, per_row, share
from adjudge.text.resources.corpus import Corpus, encode
from adjudge.text.resources.ngram_counts import NgramIndex, count_ngrams

_BACK_OFF = 5.0  # occurrences that the rate of a shorter n-gram counts for
_STRIKING = 1.3  # times the rate of all words
# What is looked at, and how many words it takes at most.
_LENGTHS = {"before": 3, "after": 3, "linked": 1}
_SHOWN = {
    "before_1": "",
    "before_2": " after the same word",
    "before_3": " after the same two words",
    "after_2": " before the same word",
    "after_3": " before the same two words",
    "linked_1": " linked to the same source words",
}


def _texts(prepared: Prepared) -> dict[str, Tokens]:
    """Words between blanks, in lower case, of all contexts.

    For following words, lines are reversed; a word and its links form a single token.
    """
    words = [text.lower().split() for text in prepared.target]
    texts = {"before": words, "after": [line[::-1] for line in words]}
    if prepared.tokenize == "none" and prepared.lacks("alignment") is None:
        texts["linked"] = _linked(prepared, words)
    return texts


def _linked(prepared: Prepared, words: Tokens) -> Tokens:
    sources = [text.lower().split() for text in prepared.source]
    lines = [list(line) for line in words]
    links = prepared.links
    for row, source, target in zip(links.row, links.source, links.target, strict=True):
        lines[row][target] += f" {sources[row][source]}"
    return lines


def _in_reading_order(values: Floats, name: str, start: Numbers) -> Floats:
    """Values per word in reading order; those of reversed lines are reversed back."""
    if name != "after":
        return values
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    return np.asarray(values[start[row] + start[row + 1] - 1 - np.arange(len(values))])


def _learn(prepared: Prepared, gold: Floats) -> State:
    changed = prepared.changed
    state: dict[str, Floats | tuple[str, ...]] = {"rate": np.array([_rate(changed)])}
    for name, lines in _texts(prepared).items():
        text, index = _indexed(name, lines)
        ours = _in_reading_order(changed, name, text.start)
        state[f"{name}_vocabulary"] = text.vocabulary
        for length, ending in enumerate(index.ending(text), 1):
            counts = _counts(ending, ours, index.size(length))
            state[f"{name}_changed_{length}"], state[f"{name}_count_{length}"] = counts
            if length > 1:
                state[f"{name}_key_{length}"] = index.key[length - 2].astype(np.float64)
    return state


def _columns(prepared: Prepared, state: State) -> list[Column]:
    words = sum(len(text.split()) for text in prepared.target)
    rate = np.full(words, np.asarray(state["rate"], np.float64)[0])
    rates: dict[str, Floats] = {}
    for name, lines in _texts(prepared).items():
        if f"{name}_vocabulary" not in state:
            continue  # links that the translations learned from did not have
        vocabulary = tuple(str(word) for word in state[f"{name}_vocabulary"])
        lengths = range(2, _LENGTHS[name] + 1)
        keys = [np.asarray(state[f"{name}_key_{length}"]).astype(np.int64) for length in lengths]
        text = encode(lines, vocabulary)
        # A word with its links backs off to the word.
        backed = rates["before_1"] if name == "linked" else rate
        for length, ending in enumerate(NgramIndex(len(vocabulary), tuple(keys)).ending(text), 1):
            counts = [
                np.append(np.asarray(state[f"{name}_{what}_{length}"], np.float64), 0.0)[ending]
                for what in ("changed", "count")
            ]
            backed = _backed(counts[0], counts[1], backed)
            rates[f"{name}_{length}"] = _in_reading_order(backed, name, text.start)
    return _described(rates, rate, text.start)


def _columns_from_others(prepared: Prepared, gold: Floats, fold: Numbers) -> list[Column]:
    changed = prepared.changed
    fold_of = np.repeat(fold, [len(text.split()) for text in prepared.target])
    rate = np.empty(len(changed))
    for each in np.unique(fold):
        rate[fold_of == each] = _rate(changed[fold_of != each])
    rates: dict[str, Floats] = {}
    for name, lines in _texts(prepared).items():
        text, index = _indexed(name, lines)
        ours = _in_reading_order(changed, name, text.start)
        # A word with its links backs off to the word.
        backed = rates["before_1"] if name == "linked" else rate
        for length, ending in enumerate(index.ending(text), 1):
            everything = _counts(ending, ours, index.size(length))
            left = np.zeros((2, len(ending)))
            for each in np.unique(fold):
                inside = fold_of == each
                own = _counts(ending[inside], ours[inside], index.size(length))
                padded = np.column_stack([everything - own, np.zeros(2)])
                left[:, inside] = padded[:, ending[inside]]
            backed = _backed(left[0], left[1], backed)
            rates[f"{name}_{length}"] = _in_reading_order(backed, name, text.start)
    return _described(rates, rate, text.start)


def _rate(changed: Floats) -> float:
    return float(changed.mean()) if len(changed) else 0.0


def _backed(changed: Floats, count: Floats, shorter: Floats) -> Floats:
    return (changed + _BACK_OFF * shorter) / (count + _BACK_OFF)


def _indexed(name: str, lines: Sequence[Sequence[str]]) -> tuple[Corpus, NgramIndex]:
    text = encode(lines)
    return text, count_ngrams(text, _LENGTHS[name]).index


def _counts(ending: Numbers, changed: Floats, size: int) -> Floats:
    """Number of changed last words, and of occurrences, of every n-gram."""
    there = ending >= 0
    return np.stack(
        [
            np.bincount(ending[there], changed[there], size),
            np.bincount(ending[there], minlength=size).astype(np.float64),
        ]
    )


def _described(rates: dict[str, Floats], rate: Floats, start: Numbers) -> list[Column]:
    """Columns of rates; `rate` is the rate of all training words."""
    lengths = np.diff(start)
    shown = {name: what for name, what in _SHOWN.items() if name in rates}
    columns = [
        number(
            f"changed_{name}",
            f"mean rate at which post-editors changed the same word{what}",
            share(per_row(rates[name], start), lengths),
        )
        for name, what in shown.items()
    ]
    mean = np.mean([rates[name] for name in shown], axis=0)
    highest = np.zeros(len(lengths))
    np.maximum.at(highest, np.repeat(np.arange(len(lengths)), lengths), mean)
    likely = share(per_row(mean > _STRIKING * rate, start), lengths)
    return [
        *columns,
        number(
            "changed_mean", "mean of all these rates",
            share(per_row(mean, start), lengths),
        ),
        number("changed_highest", "the highest of the words' mean rates", highest),
        number(
            "changed_likely", f"share of words with over {_STRIKING} times the usual rate", likely
        ),
    ]  # fmt: skip


FAMILY = LearnedFamily(
    "changes",
    "how often post-editors changed words like these",
    "ours, after WMT13 §6.7 (TCD) and Task 2",
    learn=_learn,
    learned_columns=_columns,
    columns_from_others=_columns_from_others,
    learns_from=("labels",),
    by_number=False,
    is_sound=partial(
        are_ngrams,
        lengths=_LENGTHS,
        values=("changed", "count"),
        optional=("linked",),
        alone={"rate": 1},
    ),
)
