"""Counts that need neither resources nor knowledge of the languages (Specia et al. 2013)."""

import re
from collections.abc import Sequence

import numpy as np

from adjudge.quality.features import punctuation
from adjudge.quality.features.column import Column, Floats, number
from adjudge.quality.features.family import Family
from adjudge.quality.features.inputs import Prepared, share

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKS = {
    "full_stops": ".",
    "commas": ",",
    "colons": ":",
    "semicolons": ";",
    "question_marks": "?",
    "exclamation_marks": "!",
    "brackets": "()[]{}",
    "quotes": "\"'“”„‘’«»",
    "dashes": "-–—",
}


def _columns(prepared: Prepared) -> list[Column]:
    source, target = prepared.source_lengths, prepared.target_lengths
    source_letters = np.array([len(line) for line in prepared.source])
    target_letters = np.array([len(line) for line in prepared.target])
    marks = [punctuation.plain(lines) for lines in (prepared.source, prepared.target)]
    return [
        number("source_characters", "characters of the source", source_letters),
        number("target_characters", "characters of the translation", target_letters),
        number("token_ratio", "tokens of the translation per source token", share(target, source)),
        number(
            "token_difference",
            "difference in tokens, by source tokens",
            share(np.abs(target - source), source),
        ),
        number(
            "character_ratio",
            "characters of the translation per source character",
            share(target_letters, source_letters),
        ),
        number(
            "target_token_length",
            "mean length of a token of the translation, in characters",
            share(_letters(prepared.target_tokens), target),
        ),
        number(
            "source_types_per_token",
            "distinct source tokens per token",
            share(_types(prepared.source_tokens), source),
        ),
        number(
            "target_types_per_token",
            "distinct tokens of the translation per token",
            share(_types(prepared.target_tokens), target),
        ),
        number(
            "punctuation_difference",
            "punctuation marks, difference by source tokens",
            share(np.abs(marks[1] - marks[0]), source),
        ),
        number("source_punctuation_share", "punctuation per source token", share(marks[0], source)),
        number(
            "target_punctuation_share",
            "punctuation per token of the translation",
            share(marks[1], target),
        ),
        *_single_marks(prepared),
        *_kinds(prepared),
        *_copies(prepared),
    ]


def _single_marks(prepared: Prepared) -> list[Column]:
    columns = []
    for name, marks in _MARKS.items():
        occurs = [
            np.array([sum(map(line.count, marks)) for line in lines])
            for lines in (prepared.source, prepared.target)
        ]
        what = f"{name.replace('_', ' ')} in the translation less those in the source"
        columns.append(number(f"{name}_more", what, occurs[1] - occurs[0]))
    return columns


def _kinds(prepared: Prepared) -> list[Column]:
    """Shares of numbers, capitalised tokens, and tokens with non-letters."""
    kinds = {
        "numeric": ("tokens with a digit", lambda token: any(map(str.isdigit, token))),
        "capitalised": ("tokens with a capital first", lambda token: token[0].isupper()),
        "alphabetic": ("tokens of letters only", str.isalpha),
    }
    columns = []
    for side, tokens, lengths in (
        ("source", prepared.source_tokens, prepared.source_lengths),
        ("target", prepared.target_tokens, prepared.target_lengths),
    ):
        for name, (what, test) in kinds.items():
            there = np.array([sum(map(test, line)) for line in tokens])
            columns.append(
                number(f"{side}_{name}", f"share of {what}, {side}", share(there, lengths))
            )
    return columns


def _copies(prepared: Prepared) -> list[Column]:
    """Tokens copied from the source, and tokens repeated in the translation."""
    numbers, copied, kept, doubled = [], [], [], []
    for source, target, source_tokens, target_tokens in zip(
        prepared.source,
        prepared.target,
        prepared.source_tokens,
        prepared.target_tokens,
        strict=True,
    ):
        wanted, there = set(_NUMBER.findall(source)), set(_NUMBER.findall(target))
        numbers.append(len(wanted ^ there))
        words = {token for token in source_tokens if token.isalpha()}
        copied.append(sum(token in words for token in target_tokens))
        kept.append(len(set(source_tokens) & set(target_tokens)))
        doubled.append(sum(map(str.__eq__, target_tokens, target_tokens[1:])))
    target_lengths = prepared.target_lengths
    return [
        number("numbers_changed", "numbers that only one of the texts has", numbers),
        number(
            "words_copied",
            "share of words of the translation that the source has, too",
            share(np.array(copied), target_lengths),
        ),
        number(
            "types_copied",
            "distinct tokens that both texts have, per source token",
            share(np.array(kept), prepared.source_lengths),
        ),
        number("words_doubled", "tokens of the translation that repeat the one before", doubled),
    ]


def _letters(tokens: Sequence[Sequence[str]]) -> Floats:
    return np.array([sum(map(len, line)) for line in tokens], np.float64)


def _types(tokens: Sequence[Sequence[str]]) -> Floats:
    return np.array([len(set(line)) for line in tokens], np.float64)


FAMILY = Family(
    "counts",
    "lengths, ratios, marks, numbers and copied words; no resources needed",
    "Specia et al. 2013",
    _columns,
)
