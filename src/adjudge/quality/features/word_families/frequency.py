"""Corpus frequencies of the word, and of the n-grams that end at it."""

import numpy as np

from adjudge.quality.features.column import Column, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared


def _columns(prepared: Prepared) -> list[Column]:
    columns = []
    for length, counts in enumerate(prepared.target_counts, 1):
        what = "the word" if length == 1 else f"the n-gram of {length} words that ends here"
        columns.append(
            number(
                f"log_frequency_{length}",
                f"log10 of 1 + how often {what} occurs in the corpus",
                np.log10(1 + counts.count),
            )
        )
    columns.append(
        number(
            "quartile",
            "quartile of the word's frequency, 0 if the corpus does not have it",
            prepared.target_counts[0].quartile,
        )
    )
    return columns


FAMILY = Family(
    "frequency",
    "frequency of the word and of n-grams that end at it",
    "WMT13 §6.7",
    _columns,
    ("resources",),
)
