"""Position and number of occurrences of the word."""

from collections import Counter

import numpy as np

from adjudge.quality.features.column import Column, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, share


def _columns(prepared: Prepared) -> list[Column]:
    lengths = prepared.target_lengths
    row = np.repeat(np.arange(len(lengths)), lengths)
    place = np.arange(len(row)) - prepared.target_start[row]
    occurs = [
        counts[token.lower()]
        for line in prepared.target_tokens
        for counts in [Counter(map(str.lower, line))]
        for token in line
    ]
    return [
        number(
            "place",
            "relative place in the translation, from 0 to below 1",
            share(place, lengths[row]),
        ),
        number("first", "1 for the first token", place == 0),
        number("last", "1 for the last token", place == lengths[row] - 1),
        number("tokens", "tokens of the translation", lengths[row]),
        number("source_tokens", "tokens of the source", prepared.source_lengths[row]),
        number("occurs", "how often the word occurs in the translation", occurs),
    ]


FAMILY = Family("position", "where the word stands, and how often", "WMT13 §6.7", _columns)
