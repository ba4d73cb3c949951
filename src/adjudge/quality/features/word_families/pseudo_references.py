"""Occurrence of the word, alone and with neighbours, in pseudo-references (LIG, WMT13 §6.7)."""

import numpy as np

from adjudge.metrics.tokenizer import split
from adjudge.quality.features.column import Column, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared


def _columns(prepared: Prepared) -> list[Column]:
    columns: list[Column] = []
    for name, lines in prepared.pseudo_references.items():
        there = _present(prepared, lines)
        for column, what, values in zip(
            ("word", "left", "right"),
            ("the word", "the word after the one before it", "the word before the one after it"),
            there.T,
            strict=True,
        ):
            columns.append(number(f"{name}_has_{column}", f"1 if {name} has {what}", values))
    if len(prepared.pseudo_references) > 1:
        words = [column.values.to_numpy() for column in columns[::3]]
        columns.append(
            number(
                "others_have_word",
                "share of other systems that have the word",
                np.mean(words, axis=0),
            )
        )
    return columns


def _present(prepared: Prepared, lines: tuple[str, ...]) -> "np.typing.NDArray[np.float64]":
    rows: list[tuple[bool, bool, bool]] = []
    tokens = split(lines, prepared.tokenize, True)
    for other, target in zip(tokens, prepared.target_tokens, strict=True):
        lower = [token.lower() for token in target]
        marked = ["", *lower, ""]
        words = set(other)
        pairs = set(zip(["", *other], [*other, ""], strict=True))
        rows += [
            (word in words, (before, word) in pairs, (word, after) in pairs)
            for before, word, after in zip(marked, lower, marked[2:], strict=False)
        ]
    return np.array(rows, np.float64).reshape(-1, 3)


FAMILY = Family(
    "pseudo-references",
    "presence of the word in other systems' translations",
    "WMT13 §6.7 (LIG)",
    _columns,
    ("pseudo_references",),
)
