"""Lexical translation probabilities (IBM Model 1, both directions).

log10 p(t | s) = Σ_j log10 ( Σ_i t(t_j | s_i) / (|s| + 1) ),  i = 0 being the empty word
"""

import numpy as np

from adjudge.quality.features.column import Column, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, per_row, share
from adjudge.quality.features.links import Translated

_THRESHOLDS = (0.01, 0.05, 0.1, 0.2, 0.5)


def _columns(prepared: Prepared) -> list[Column]:
    return [
        *_direction("target", "source", prepared.target_translated),
        *_direction("source", "target", prepared.source_translated),
        *_ambiguity(prepared),
    ]


def _direction(side: str, other: str, words: Translated) -> list[Column]:
    lengths = np.diff(words.start)
    logs = words.log_probability()
    total = per_row(logs, words.start)
    return [
        number(f"{side}_given_{other}", f"log10 p({side} | {other}) by IBM Model 1", total),
        number(
            f"{side}_given_{other}_per_token",
            f"log10 p({side} | {other}) by IBM Model 1, per token",
            share(total, lengths),
        ),
        number(
            f"{side}_best_translation",
            f"mean p of the best {other} word for a {side} token",
            share(per_row(words.best, words.start), lengths),
        ),
        *(
            number(
                f"{side}_covered_{threshold}",
                f"share of {side} tokens that a {other} word explains with p > {threshold}",
                share(per_row(words.best > threshold, words.start), lengths),
            )
            for threshold in (0.01, 0.1, 0.5)
        ),
    ]


def _ambiguity(prepared: Prepared) -> list[Column]:
    """Number of translations of source words, by several thresholds."""
    table = prepared.known.forward
    row = table.source_codes([word for line in prepared.source_words for word in line])
    start = prepared.source_counts[0].start
    return [
        number(
            f"translations_above_{threshold}",
            f"translations of a source word with p(t|s) > {threshold}, on average",
            share(
                per_row(np.where(row >= 0, table.number_above(threshold)[row], 0), start),
                prepared.source_lengths,
            ),
        )
        for threshold in _THRESHOLDS
    ]


FAMILY = Family(
    "lexicon",
    "IBM Model 1 probabilities in both directions, coverage, ambiguity",
    "WMT13 §6.7",
    _columns,
    ("resources",),
)
