"""Baseline of WMT12 to WMT17 with 17 features (WMT13 §6.7, QuEst).

`baseline` counts punctuation plainly; `baseline-quest` counts columns 16 and 17 as in the files of
WMT12 and WMT17 (`quality.features.punctuation`).
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from adjudge.quality.features import punctuation
from adjudge.quality.features.column import Column, Floats, Numbers, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, per_row, share

_LENGTHS = ("unigrams", "bigrams", "trigrams")


def _columns(
    prepared: Prepared, marks: Callable[[Iterable[str]], Numbers], counted: str
) -> list[Column]:
    letters = [sum(map(len, tokens)) for tokens in prepared.source_tokens]
    types = [len({token.lower() for token in tokens}) for tokens in prepared.target_tokens]
    target = prepared.target_lengths
    return [
        number("source_tokens", "tokens of the source", prepared.source_lengths),
        number("target_tokens", "tokens of the translation", target),
        number(
            "source_token_length",
            "mean length of a source token, in characters",
            share(np.array(letters), prepared.source_lengths),
        ),
        number(
            "source_log_probability",
            "log10 probability of the source by its language model",
            prepared.source_scores.sums(),
        ),
        number(
            "target_log_probability",
            "log10 probability of the translation by its language model",
            prepared.target_scores.sums(),
        ),
        number(
            "target_tokens_per_type",
            "how often a word of the translation occurs in it, on average",
            share(target, np.array(types)),
        ),
        *_translations(prepared),
        *_quartiles(prepared),
        number(
            "source_types_seen",
            "share of distinct source words that the corpus has",
            _seen(prepared),
        ),
        number(
            "source_punctuation", f"punctuation of the source, {counted}", marks(prepared.source)
        ),
        number(
            "target_punctuation",
            f"punctuation of the translation, {counted}",
            marks(prepared.target),
        ),
    ]


def _translations(prepared: Prepared) -> list[Column]:
    """Number of translations per source word in the lexical table, averaged over the source."""
    table = prepared.known.forward
    row = table.source_codes([word for line in prepared.source_words for word in line])
    occurs = prepared.source_counts[0]

    def mean(values: Floats) -> Floats:
        return share(per_row(values, occurs.start), prepared.source_lengths)

    often, rarely = (
        np.where(row >= 0, table.number_above(threshold)[row], 0) for threshold in (0.2, 0.01)
    )
    return [
        number(
            "translations_0.2",
            "translations of a source word with p(t|s) > 0.2, on average",
            mean(often),
        ),
        number(
            "translations_0.01",
            "the same with p(t|s) > 0.01, each divided by how often the word occurs in the corpus",
            mean(share(rarely, occurs.count)),
        ),
    ]


def _quartiles(prepared: Prepared) -> list[Column]:
    return [
        number(
            f"source_{name}_quartile_{quartile}",
            f"share of source {name} in frequency quartile {quartile} of the corpus",
            share(
                per_row(counts.inside & (counts.quartile == quartile), counts.start),
                per_row(counts.inside, counts.start),
            ),
        )
        for name, counts in zip(_LENGTHS, prepared.source_counts, strict=True)
        for quartile in (1, 4)
    ]


def _seen(prepared: Prepared) -> Floats:
    known = set(prepared.known.source_counts.vocabulary)
    types = [set(words) for words in prepared.source_words]
    return share(np.array([len(words & known) for words in types]), np.array(list(map(len, types))))


FAMILY = (
    Family(
        "baseline",
        "the 17 features of the baseline, punctuation counted plainly",
        "WMT13 §6.7",
        partial(_columns, marks=punctuation.plain, counted="counted plainly"),
        ("resources",),
    ),
    Family(
        "baseline-quest",
        "the same, punctuation counted as QuEst did",
        "WMT13 §6.7",
        partial(_columns, marks=punctuation.quest, counted="counted as QuEst did"),
        ("resources",),
        by_default=False,
    ),
)
