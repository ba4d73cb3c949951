"""Frequencies of the n-grams of both texts in the corpus: all quartiles, and unseen ones."""

import numpy as np

from adjudge.quality.features.column import Column, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, per_row, share

_LENGTHS = ("unigrams", "bigrams", "trigrams")


def _columns(prepared: Prepared) -> list[Column]:
    columns = []
    for side, by_length in (("source", prepared.source_counts), ("target", prepared.target_counts)):
        for name, counts in zip(_LENGTHS, by_length, strict=True):
            total = per_row(counts.inside, counts.start)
            for quartile in range(5):
                inside = counts.inside & (counts.quartile == quartile)
                where = f"in frequency quartile {quartile}" if quartile else "not in the corpus"
                columns.append(
                    number(
                        f"{side}_{name}_frequency_{quartile}",
                        f"share of {side} {name} {where}",
                        share(per_row(inside, counts.start), total),
                    )
                )
            logs = np.where(counts.inside, np.log10(1 + counts.count), 0.0)
            columns.append(
                number(
                    f"{side}_{name}_log_frequency",
                    f"mean log10 of 1 + how often {side} {name} occur in the corpus",
                    share(per_row(logs, counts.start), total),
                )
            )
    return columns


FAMILY = Family(
    "frequencies",
    "shares of n-grams in each quartile of frequency, both texts",
    "WMT13 §6.7",
    _columns,
    ("resources",),
)
